"""Damage in a state is found, and told in sentences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.oddville.rules.state import Phase
from support.cases import rows
from support.helpers import walk

Damage = Callable[[np.record], None]


def plant(name: str, value: Any, *at: Any) -> Damage:
    """Write into a field of the state; a value and a place may be functions of it."""

    def write(state: np.record) -> None:
        new, *spot = (each(state) if callable(each) else each for each in (value, *at))
        if at:
            state[name][tuple(spot)] = new
        else:
            state[name] = new

    return write


def exchange(name: str, at: int, other: str, there: int) -> Damage:
    def write(state: np.record) -> None:
        state[name][at], state[other][there] = int(state[other][there]), int(state[name][at])

    return write


def exchange_characters(state: np.record) -> None:
    one, other = np.flatnonzero(state.pile_size)[:2]
    state.pile[[one, other], 0] = state.pile[[other, one], 0]


def full(state: np.record) -> int:
    return int(np.flatnonzero(state.pile_size)[0])


DAMAGE = {
    "coins": (plant("coins", 6, 0), "coins is not within 0..5"),
    "phase": (plant("phase", 8), "phase is not within 0..7"),
    "nobody": (plant("to_move", 4), "to_move is not within -1..3"),
    "city": (plant("city_size", 0), "city_size is not within 1..23"),
    "row": (plant("row", 64, 3), "row is not within -1..63"),
    "a card twice": (plant("row", lambda state: state.row[1], 0), "lies in 2 places"),
    "a card less": (plant("row", lambda state: state.row[1], 0), "lies in 0 places"),
    "supply": (plant("supply", 9, 0), "seat 0 has "),
    "stock": (plant("stock", 9, 1, 2), "seat 1 has "),
    "owner": (plant("city_owner", lambda state: (state.city_owner[1] + 1) % 3, 1), "workers in the city, but "),
    "a character twice": (plant("owner", 0, lambda state: state.pile[full(state), 0]), "is in two places"),
    "a character less": (plant("pile_size", lambda state: state.pile_size[full(state)] - 1, full), "s are in the game"),
    "another guild": (exchange_characters, "'s pile"),
    "ground": (plant("ground", -1, 8), "the ground does not show the city's entries"),
    "frontier": (
        plant("frontier_size", lambda state: state.frontier_size - 1),
        "the frontier is not what lies beside the city",
    ),
    "square": (plant("facing", 0, 8), "the square or a card of the city is not where it should be"),
    "street to houses": (exchange("city_card", 1, "row", 0), "meets houses of card "),
    "no card": (plant("row", -1, 0), ""),
    "deck": (plant("deck_top", 0), ""),
    "cell": (plant("city_cell", 30_000, 2), ""),
    "value": (plant("value", 99, 1), ""),
    "count": (plant("legal_count", 2), ""),
    "facing": (plant("facing", 0, lambda state: state.frontier[0]), ""),
    "T3: an empty hand": (plant("hand", 0, 0), ""),
    "over while a seat is to move": (plant("phase", Phase.OVER), ""),
    "a discard where no seat holds three": (plant("phase", Phase.DISCARD), ""),
    "a seat that does not play is to move": (plant("to_move", 3), ""),
    "a seat that does not play is first": (plant("first", 3), ""),
    "a trigger without six workers": (plant("trigger", 1), ""),
    "no discard to resume from": (plant("resume", Phase.BONUS), ""),
    "a round too many": (plant("rounds", 101), ""),
}


@pytest.mark.parametrize(("damage", "sentence"), rows(DAMAGE))
def test_damage_in_the_state_is_found(damage: Damage, sentence: str) -> None:
    game = in_the_middle()
    assert game.problems() == []
    damage(game.state[0])
    assert any(sentence in problem for problem in game.problems()), game.problems()


def in_the_middle() -> Game:
    """A game of three in phase main, with a city and two piles."""
    for game in walk(Game(3, 11), 11):
        if game.phase == Phase.MAIN and game.state[0].city_size > 3 and (game.state[0].pile_size > 0).sum() > 1:
            return game
    raise AssertionError("there is no such state")
