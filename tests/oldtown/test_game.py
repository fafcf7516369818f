"""The game for people: moves, deals, records, errors."""

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.core.errors import IllegalMoveError, NotationError, RecordError, SettingError
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.moves import Move
from oddville_env.oldtown.observation import make_encoder
from oddville_env.oldtown.settings import make_box
from support.town import random_game


def test_an_illegal_move_is_told_with_the_nearest_legal_ones_and_changes_nothing() -> None:
    game = OldTown(3, 7)
    before = game.copy()
    with pytest.raises(IllegalMoveError, match="phase setup"):
        game.push("pass")
    with pytest.raises(NotationError, match=r"play:.a. or play:.b.:"):
        game.push("play:61")
    assert game.action("take:nobody") is None
    assert game == before


NO_MOVES = [True, 3.5, None, [0], b"pass", "x" * 10**5, Move(99), Move("pass"), Move(0, [1]), Move(0, (1.5, 2))]  # type: ignore[arg-type]


@pytest.mark.parametrize("move", NO_MOVES, ids=range(len(NO_MOVES)))
def test_what_is_no_move_is_told_in_a_short_sentence(move: object) -> None:
    game = OldTown(2, 7)
    with pytest.raises(NotationError) as told:
        game.push(move)  # type: ignore[arg-type]
    assert len(str(told.value)) < 600
    assert game == OldTown(2, 7)


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


def test_a_position_is_drawn_in_text_of_at_most_100_columns() -> None:
    game = random_game(3, 2)
    for _ in range(15):
        game.pop()
    assert "@0 Blue" in str(game)
    assert max(map(len, game.text(view=1).splitlines())) <= 100
    assert "Old Town" in game.text(view=1)


def test_a_batch_plays_the_same_games_as_one_table_alone() -> None:
    batch, game = GameBatch(OLDTOWN, make_box(3), make_encoder(make_box(3), "features"), 8), OldTown(3, 5)
    batch.deal(5)
    assert game.state[0] == batch.games[0]
    sampler = Sampler(8)
    while not batch.ended[0]:
        action = int(sampler.sample(batch)[0])
        assert np.array_equal(batch.masks[0], game.mask)
        batch.step(sampler.actions)
        game.push(action)
    assert game.outcome is not None
    assert tuple(batch.scores[0]) == game.outcome.scores
    assert tuple(batch.ranks[0]) == game.outcome.ranks


@pytest.mark.rule("P7")
def test_points_by_what_brought_them_add_up_to_the_score() -> None:
    total = np.zeros(4, int)
    for seed in range(10):
        game = random_game(3, seed)
        assert [sheet.total for sheet in game.score_sheet()] == list(game.scores)
        total += np.sum(game.score_sheet(), axis=0)
    assert (total > 0).all()


def test_what_all_seats_know_together_stays_when_no_seat_looks() -> None:
    game, rng = random_game(2, 3), np.random.default_rng(0)
    for _ in range(12):
        game.pop()
    others = [game.sample_unseen(None, rng) for _ in range(20)]
    for other in others:
        assert other.problems() == []
        assert [seat["hand"] for seat in other.position()["seats"]] == [
            seat["hand"] for seat in game.position()["seats"]
        ]
        assert (other.mask == game.mask).all()
    assert len({tuple(other.position()["common"]) for other in others}) > 10


def test_people_have_every_verb_of_the_first_game() -> None:
    verbs = {name for name in dir(Game) if not name.startswith("_")} - {"reshuffles", "round"}
    assert verbs <= set(dir(OldTown))


def test_an_agent_may_be_asked_and_says_what_it_thinks() -> None:
    game = OldTown(3, 7)
    assert game.ask("random") in game.legal_moves
    opinion = game.opinion("random")
    assert opinion.candidates[0].word in game.legal_moves.words()


def test_a_game_that_goes_on_from_a_view_has_no_record() -> None:
    game = random_game(3, 5)
    for _ in range(9):
        game.pop()
    other = game.view().game()
    assert other.position(game.to_move) == game.position(game.to_move)
    other.push(next(iter(other.legal_moves)))
    with pytest.raises(RecordError, match="in the middle has no record"):
        other.record()


def test_a_game_from_its_deal_is_the_same_game() -> None:
    game = random_game(2, 4)
    again = OldTown.from_deal(game.box, OldTown(2, 4).state, [game.action(move) for move in game.moves])  # type: ignore[misc]
    assert again.record() == game.record()
    assert eval(repr(again)).record() == game.record()
