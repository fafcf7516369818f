"""Old Town's game for people: what is dealt, its points, its positions, and what it refuses."""

import copy
import json
import random
from typing import Any

import numpy as np
import pytest

from oddville_env.core.errors import SettingError
from oddville_env.oldtown.game import OldTown
from support.bad_values import mutated
from support.helpers import every_number, random_game, walk

HANDS = [[1, 2, 19, 20], [3, 4, 21, 22], [5, 6, 23, 24]]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"lone_confirm": 1}, "lone_confirm must be True or False"),
        ({"deck": 5}, "deck must be a deck or its file"),
        ({"hands": HANDS[:2]}, "hands must be 3 lists"),
        ({"hands": [[1, 2, 3, 20], [4, 5, 21, 22], [6, 7, 23, 24]]}, "hands, seat 0: expected cards of types"),
        ({"hands": [[1, 2, 19, 20], [1, 5, 21, 22], [6, 7, 23, 24]]}, "card 1 is dealt to two places"),
        ({"common": [1]}, "common: expected cards of types"),
    ],
)
def test_a_setting_that_no_game_can_have_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        OldTown(**{"players": 3, "seed": 1, **settings})


def test_what_is_given_of_the_deal_is_dealt_so_and_the_rest_comes_from_the_seed() -> None:
    for seed in range(20):
        game = OldTown(3, seed, hands=HANDS, first=1)
        assert game.record()["hands"] == HANDS
        assert game.problems() == []


@pytest.mark.rule("P7")
def test_points_by_what_brought_them_are_of_every_kind() -> None:
    sheets = [random_game(3, seed, make=OldTown).score_sheet() for seed in range(10)]
    assert (np.sum(sheets, axis=(0, 1)) > 0).all()


@pytest.mark.rule("S1")
def test_ninety_tokens_are_accounted_for_and_sets_never_grow() -> None:
    for seed in range(6):
        before = np.full(18, 0xFFFF)
        for game in walk(OldTown(2 + seed % 3, seed, lone_confirm=seed % 2 == 1), seed):
            sizes = [5 if there is None else len(there) for there in game.position()["buildings"].values()]
            assert sum(game.scores) + sum(size for size in sizes if size > 1) == 90
            sets = game.state[0].sets.astype(int)
            assert (before & sets == sets).all()
            before = np.where(sets == 0, before, sets)


def test_what_all_seats_know_together_stays_when_no_seat_looks() -> None:
    game, rng = random_game(2, 3, moves=30, make=OldTown), np.random.default_rng(0)
    hands = [seat["hand"] for seat in game.position()["seats"]]
    others = [game.sample_unseen(None, rng) for _ in range(20)]
    assert all([seat["hand"] for seat in other.position()["seats"]] == hands for other in others)
    assert len({tuple(other.position()["common"]) for other in others}) > 10


# Positions


@every_number
def test_a_position_is_read_back(players: int) -> None:
    for lone_confirm in (False, True):
        for game in walk(OldTown(players, 3, lone_confirm=lone_confirm), 3):
            again = OldTown.from_position(json.loads(json.dumps(game.position())))
            assert again.position() == game.position()
            assert again.legal_moves.words() == game.legal_moves.words()
            assert again.problems() == []


@every_number
def test_a_changed_position_is_refused_in_a_sentence_or_can_be_played_to_its_end(players: int) -> None:
    chance, refused, played = random.Random(players), 0, 0
    for number, before in enumerate(walk(OldTown(players, players, lone_confirm=players == 3), players)):
        for _ in range(40 if number % 8 == 0 else 0):
            try:
                game = OldTown.from_position(mutated(before.position(), chance))
            except SettingError as error:
                refused += len(str(error).splitlines()) == 1
                continue
            for each in walk(game, 0):
                assert each.problems() == []
            played += 1
    assert refused > 150
    assert played > 3


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (["to_move"], 3, "to_move must be a whole number from 0 to 2, or None, not 3"),
        (["to_move"], 1, "to_move is not the seat whose turn it is"),
        (["draws"], 1, "cards are due in phase draw only"),
        (["passes"], 3, "passes do not agree with the end"),
        (["phase"], "lunch", "phase must be one of setup, take, main, show, remove, draw, over, not 'lunch'"),
        (["seats", 1, "score"], 77, "tokens of unknown buildings are .*, not 90"),
        (["seats", 1, "mine"], ["bank", "bank"], "seats.1.mine must be a list of 0 to 2 different values"),
        (["buildings", "bank"], [], "buildings.bank must be a list of 1 to 5 different values"),
        (["buildings", "tavern"], None, "buildings.tavern is no building of the deck"),
        (["seats", 1, "hand", 0], 1, r"card 1 lies in two places: seats\.0\.hand and seats\.1\.hand"),
        (["view"], 0, "full position, whose view is null"),
    ],
)
def test_what_is_wrong_with_a_position_is_named(path: list[Any], value: Any, sentence: str) -> None:
    game = OldTown(3, 5, first=0, hands=HANDS)
    while game.phase.word != "main":
        game.push(game.legal_moves.words()[0])
    position = copy.deepcopy(game.position())
    holder: Any = position
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(SettingError, match=sentence):
        OldTown.from_position(position)


def test_no_field_of_a_position_may_be_missing_and_it_is_an_object() -> None:
    position = OldTown(2, 5).position()
    for name in position:
        with pytest.raises(SettingError, match=name):
            OldTown.from_position({key: value for key, value in position.items() if key != name})
    for full in (None, [], "main", 3):
        with pytest.raises(SettingError, match="a position is an object, not"):
            OldTown.from_position(full)  # type: ignore[arg-type]
