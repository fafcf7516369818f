"""A game begins in a position that can come up, or a sentence says what is wrong with it."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from oddville_env.core.errors import SettingError
from oddville_env.oldtown.game import OldTown
from support.town import walk

WRONG = (None, -5, -1, 0, 1, 2, 3, 4, 5, 16, 17, 60, 61, 99, 2**70, 1.0, float("nan"), True, "", "x", "main", "bank")
MOST_PLACES = 15
LISTS = ([], [1], [1, 1], [0], [61], [-1], [None], ["x"], ["bank"], ["bank", "bank"], {}, {"hand": [1]}, [[1]])


def positions(players: int, seed: int, each: int) -> Iterator[dict[str, Any]]:
    """Some of the positions of a random game, one of every phase among them."""
    phases: set[str] = set()
    for number, game in enumerate(walk(OldTown(players, seed, lone_confirm=seed % 2 == 1), seed)):
        if number % each == 0 or game.phase.word not in phases:
            phases.add(game.phase.word)
            yield game.position()


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a position holds anything: paths of keys and numbers."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_of(each, (*path, key))


def mutations(position: dict[str, Any], rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """The position with something else, too little, too much or something twice at each of its places."""
    paths = list(places_of(position))
    for number in rng.permutation(len(paths))[:MOST_PLACES]:
        *_, last = path = paths[number]
        old: Any = position
        for key in path:
            old = old[key]
        changed = [value for value in rng.permutation(np.array([*WRONG, *LISTS], object))[:4] if type(value) is not str]
        changed += [str(rng.choice(["x", "bank", "doc", "main", "take", "show", "remove", "draw", "over", "complete"]))]
        if isinstance(old, list):
            changed += [old[:-1], [*old, *old[:1]], [*old, int(rng.integers(1, 61))], [*old, "hotel"], old[::-1]]
        if type(old) is int:
            changed += [old + 1, old - 1]
        for value in changed:
            yield f"{path}: {value!r}", with_at(position, path, value)
        without = copy.deepcopy(position)
        holder = without
        for key in path[:-1]:
            holder = holder[key]
        del holder[last]
        yield f"{path}: nothing", without


def with_at(position: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The position with a value at a place."""
    changed = copy.deepcopy(position)
    holder: Any = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_changed_position_is_refused_in_a_sentence_or_can_be_played_to_its_end(players: int) -> None:
    rng, asked, refused, played = np.random.default_rng(players), 0, 0, 0
    for position in positions(players, players, 40):
        for what, changed in mutations(position, rng):
            asked += 1
            try:
                game = OldTown.from_position(changed)
            except SettingError as error:
                refused += len(str(error).splitlines()) == 1
                continue
            for number, _ in enumerate(walk(game, 0)):
                if number % 8 == 0:
                    assert game.problems() == [], what
            assert game.problems() == [], what
            played += 1
    assert refused + played == asked
    assert refused > 400
    assert played > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_position_that_can_come_up_is_read_back(players: int) -> None:
    for position in positions(players, 3, 5):
        assert OldTown.from_position(json.loads(json.dumps(position))).position() == position


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("to_move",), 3, "to_move must be a whole number from 0 to 2, or None, not 3"),
        (("to_move",), -3, "to_move must be a whole number"),
        (("to_move",), 1, "to_move is not the seat whose turn it is"),
        (("first",), 99, "first must be a whole number from 0 to 2, not 99"),
        (("draws",), -5, "draws must be a whole number from 0 to 2, not -5"),
        (("draws",), 1, "cards are due in phase draw only"),
        (("passes",), 3, "passes do not agree with the end"),
        (("phase",), "lunch", "phase must be one of setup, take, main, show, remove, draw, over, not 'lunch'"),
        (("seats", 1, "score"), 77, "tokens of unknown buildings are .*, not 90"),
        (("seats", 1, "mine"), ["bank", "bank"], "seats.1.mine must be a list of 0 to 2 different values"),
        (("buildings", "bank"), [], "buildings.bank must be a list of 1 to 5 different values"),
        (("buildings", "tavern"), None, "buildings.tavern is no building of the deck"),
        (("played",), [61], "played must be a list"),
        (("common",), [], "hands, stacks and played cards are"),
        (("view",), 0, "full position, whose view is null"),
        (("players",), 5, "players must be a whole number from 2 to 4, not 5"),
        (("lone_confirm",), 1, "lone_confirm must be true or false, not 1"),
    ],
)
def test_what_is_wrong_with_a_position_is_named(path: tuple[Any, ...], value: Any, told: str) -> None:
    game = OldTown(3, 5, first=0)
    while game.phase.word != "main":
        game.push(game.legal_moves.words()[0])
    with pytest.raises(SettingError, match=told):
        OldTown.from_position(with_at(game.position(), path, value))


@pytest.mark.parametrize("full", [None, [], "main", 3])
def test_what_is_no_object_is_no_position(full: Any) -> None:
    with pytest.raises(SettingError, match="a position is an object, not"):
        OldTown.from_position(full)


def test_a_card_lies_in_one_place_and_no_field_is_missing() -> None:
    position = OldTown(2, 5).position()
    position["common"][0] = position["seats"][1]["hand"][0]
    with pytest.raises(SettingError, match=r"lies in two places: common and seats\.1\.hand"):
        OldTown.from_position(position)
    for name in OldTown(2, 5).position():
        less = OldTown(2, 5).position()
        del less[name]
        with pytest.raises(SettingError, match=f"{name}"):
            OldTown.from_position(less)
