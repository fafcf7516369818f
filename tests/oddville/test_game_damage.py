"""Damage in a state is found."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.oddville.rules.state import Phase
from support.helpers import walk

# Damage


def plant(name: str, value: Any, at: Any = ...) -> Callable[[np.record], None]:
    """Write into a field of the state."""

    def write(state: np.record) -> None:
        if at is ...:
            state[name] = value
        else:
            state[name][at] = value

    return write


def swap_city_owner(state: np.record) -> None:
    state.city_owner[1] = (state.city_owner[1] + 1) % 3


def forget_facing(state: np.record) -> None:
    state.facing[state.frontier[0]] = 0


def forget_frontier(state: np.record) -> None:
    state.frontier_size -= 1


def double_character(state: np.record) -> None:
    state.owner[state.pile[np.flatnonzero(state.pile_size)[0], 0]] = 0


def lose_character(state: np.record) -> None:
    state.pile_size[np.flatnonzero(state.pile_size)[0]] -= 1


def other_guilds_pile(state: np.record) -> None:
    first, second = np.flatnonzero(state.pile_size)[:2]
    state.pile[first, 0], state.pile[second, 0] = state.pile[second, 0], state.pile[first, 0]


def double_card(state: np.record) -> None:
    state.row[0] = state.row[1]


def street_to_houses(state: np.record) -> None:
    state.city_card[1], state.row[0] = state.row[0], state.city_card[1]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (plant("coins", 6, 0), "coins is not within 0..5"),
        (plant("phase", 8), "phase is not within 0..7"),
        (plant("to_move", 4), "to_move is not within -1..3"),
        (plant("supply", -1, 2), "supply is not within 0..9"),
        (plant("pending", 9, 3), "pending is not within 0..5"),
        (plant("city_size", 0), "city_size is not within 1..23"),
        (plant("row", 64, 3), "row is not within -1..63"),
        (double_card, "lies in 2 places"),
        (double_card, "lies in 0 places"),
        (plant("supply", 9, 0), "seat 0 has "),
        (plant("stock", 9, (1, 2)), "seat 1 has "),
        (plant("settled", 5, 1), "seat 1 has "),
        (plant("on_square", 1, 2), "seat 1 has "),
        (swap_city_owner, "workers in the city, but "),
        (double_character, "is in two places"),
        (lose_character, " characters are in the game, not "),
        (other_guilds_pile, "'s pile"),
        (plant("ground", -1, 8), "the ground does not show the city's entries"),
        (forget_frontier, "the frontier is not what lies beside the city"),
        (plant("facing", 0, 8), "the square or a card of the city is not where it should be"),
        (street_to_houses, "meets houses of card "),
    ],
)
def test_damage_in_the_state_is_found(damage: Callable[[np.record], None], sentence: str) -> None:
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


@pytest.mark.parametrize(
    "damage",
    [
        plant("row", -1, 0),
        plant("deck_top", 0),
        plant("city_cell", 30_000, 2),
        plant("value", 99, 1),
        plant("legal_count", 2),
        forget_facing,
        plant("hand", 0, 0),  # an empty hand, T3
        plant("phase", Phase.OVER),  # somebody is to move
        plant("phase", Phase.DISCARD),  # nobody holds three
        plant("to_move", 3),  # three play
        plant("first", 3),
        plant("trigger", 1),  # nobody has six workers in the city
        plant("resume", Phase.BONUS),  # no discard
        plant("rounds", 101),  # of 100
    ],
    ids=["row", "deck_top", "city_cell", "value", "legal_count", "facing", "hand", "over", "discard", "to_move",
         "first", "trigger", "resume", "rounds"],
)  # fmt: skip
def test_every_impossible_state_is_told_in_sentences(damage: Callable[[np.record], None]) -> None:
    game = in_the_middle()

    damage(game.state[0])

    assert game.problems() != []
