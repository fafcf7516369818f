"""The game for people: moves, deals, records, errors."""

import json
from pathlib import Path

import numpy as np
import pytest
from town import random_game

from oddville_env.core.errors import IllegalMoveError, NotationError, RecordError, SettingError
from oddville_env.oldtown import loops
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.observation import Encoder
from oddville_env.oldtown.replay import game_of, positions
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.settings import game_seeds, make_box


def test_an_illegal_move_is_told_with_the_nearest_legal_ones_and_changes_nothing() -> None:
    game = OldTown(3, 7)
    before = game.copy()
    with pytest.raises(IllegalMoveError, match="phase setup"):
        game.push("pass")
    with pytest.raises(NotationError, match=r"play:.a. or play:.b.:"):
        game.push("play:61")
    assert game.action("take:nobody") is None
    assert game == before


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"players": 5}, "players must be a whole number from 2 to 4"),
        ({"lone_confirm": 1}, "lone_confirm must be True or False"),
        ({"first": 3}, "first must be a whole number from 0 to 2"),
        ({"hands": [[1, 2, 19, 20], [3, 4, 21, 22]]}, "hands must be 3 lists"),
        ({"hands": [[1, 2, 3, 20], [4, 5, 21, 22], [6, 7, 23, 24]]}, "hands, seat 0: expected cards of types"),
        ({"hands": [[1, 2, 19, 20], [1, 5, 21, 22], [6, 7, 23, 24]]}, "card 1 is dealt to two places"),
        ({"common": [1]}, "common: expected cards of types"),
        ({"own": [[1], [], []]}, "own, seat 0: expected cards of types"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
    ],
)
def test_a_setting_that_no_game_can_have_is_told(settings: dict, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        OldTown(**{"players": 3, "seed": 1, **settings})


def test_what_is_given_of_the_deal_is_dealt_so_and_the_rest_comes_from_the_seed() -> None:
    hands = [[1, 2, 19, 20], [3, 4, 21, 22], [5, 6, 23, 24]]
    for seed in range(20):
        game = OldTown(3, seed, hands=hands, first=1)
        assert game.record()["hands"] == hands
        assert game.problems() == []


def test_a_broken_record_is_told() -> None:
    record = random_game(3, 5).record()
    for change, sentence in (
        ({"scores": [0, 0, 0]}, "scores: the record says"),
        ({"moves": record["moves"][:-1]}, "the game is not over"),
        ({"moves": ["pass"]}, "move 1: pass is not legal"),
        ({"hands": []}, "no deal that can be played"),
        ({"version": 2}, "this is version 2"),
        ({"end": 5}, "field end: expected a text"),
    ):
        with pytest.raises(RecordError, match=sentence):
            OldTown.from_record({**record, **change})
    with pytest.raises(RecordError, match="not JSON"):
        OldTown.from_record("{")


def test_replay_tells_every_decision(tmp_path: Path) -> None:
    game = random_game(2, 9)
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game.record()) + "\n")
    lines = [json.loads(line) for line in positions(file)]
    assert [line["move"] for line in lines] == game.record()["moves"]
    assert all(line["move"] in line["legal"] for line in lines)
    with pytest.raises(RecordError, match="no game 1"):
        game_of(file, 1)


def test_a_position_is_drawn_in_text_of_at_most_100_columns() -> None:
    game = random_game(3, 2)
    for _ in range(15):
        game.pop()
    assert "seat 0" in str(game)
    assert max(map(len, game.text(view=1).splitlines())) <= 100
    assert "Old Town" in game.text(view=1)


def test_a_batch_plays_the_same_games_as_one_table_alone() -> None:
    box, number = make_box(3), 8
    games, masks = np.zeros(number, box.games), np.zeros((number, box.layout.size), np.bool_)
    seats, seeds, actions = np.zeros(number, np.int64), game_seeds(5, number), np.zeros(number, np.int64)
    loops.deal(box.record, games, seeds, masks, seats, 0, number)
    alone, mask = np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_)
    batch.shuffle(box.record, alone, 0, seeds[3])
    batch.lay_table(box.record, alone, 0, mask)
    ended, scores = np.zeros(number, np.bool_), np.zeros((number, 3), np.int64)
    seen = np.zeros((number, Encoder().size), np.uint8)
    for draw in range(200):
        assert alone[0] == games[3]
        loops.sample(box.record, games, seeds, draw, masks, actions, 0, number)
        loops.step(box.record, games, actions, masks, seats, ended, scores, scores.copy(), True, seen, 0, number)
        if ended[3]:
            assert scores[3].sum() <= 80
            return
        batch.step(box.record, alone, 0, actions[3], mask)
    raise AssertionError("no game ended")
