"""Invariants: they hold in random games, and damage in a state is found."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddville_env import Game
from oddville_env.core.compiled.arrays import copied
from oddville_env.oddville.invariants import first_impossible
from oddville_env.oddville.rules.state import Phase, fields
from support.helpers import random_game, steady, walk

seeds = st.integers(0, 2**64)
every_game = pytest.mark.parametrize("players", [2, 3, 4])
every_table = pytest.mark.parametrize("table", [(17, 9), (5, 3)], ids=str)
few = settings(steady, max_examples=3)


def in_every_game(test: Callable[..., None]) -> Callable[..., None]:
    """A test of a few seeds with every number of players on every table."""
    decorated: Callable[..., None] = every_game(every_table(few(given(seed=seeds)(test))))
    return decorated


@in_every_game
def test_every_state_is_possible_and_has_a_legal_move_until_the_game_is_over(
    players: int, table: tuple[int, int], seed: int
) -> None:
    states = []
    for game in walk(Game(players, seed, table=table), seed):
        states.append(copied(game.state))
        assert game.mask.any() != game.is_over
        assert game.state[0].legal_count == game.mask.sum()
        assert (game.to_move is None) == game.is_over
    assert first_impossible(game.box, np.concatenate(states)) is None


@in_every_game
def test_every_position_accounts_for_all_cards_workers_and_characters_and_keeps_the_limits(
    players: int, table: tuple[int, int], seed: int
) -> None:
    for game in walk(Game(players, seed, table=table), seed):
        position = game.position()
        assert_nothing_is_lost(position)
        assert_limits(position)


def assert_nothing_is_lost(position: dict[str, Any]) -> None:
    seats, city = position["seats"], position["city"]
    shown = [*position["row"], *(b["card"] for b in city), *(card for seat in seats for card in seat["held"])]
    assert len(shown) == len(set(shown))
    assert len(shown) + position["deck"] + sum(seat["coins"] for seat in seats) == 64
    placed = Counter(b["owner"] for b in city) + Counter(position["square"].values())
    placed.update(seat for slots in position["board"].values() for slot in slots for seat in slot)
    assert all(placed[number] + seat["supply"] == 9 for number, seat in enumerate(seats))
    characters = [name for seat in seats for name in seat["characters"]]
    piled = sum(pile["size"] for pile in position["piles"].values())
    assert len(set(characters)) + piled == 4 * (len(seats) - 1)


def assert_limits(position: dict[str, Any]) -> None:
    """[L1 L2 L3 S3 T3 T6 B2 B8] As the position format tells them."""
    phase, columns, lines = position["phase"], *position["table"]
    for number, seat in enumerate(position["seats"]):
        assert 0 <= seat["coins"] <= 5
        assert seat["hand"]
        assert (len(seat["held"]) == 3) == (phase == "discard" and number == position["to_move"])
    assert all(len(slot) <= 1 for slots in position["board"].values() for slot in slots[:-1])
    cells = [(0, 0), *((b["column"], b["line"]) for b in position["city"])]
    assert len(set(cells)) == len(cells)
    assert all(abs(column) <= columns // 2 and 0 <= line < lines for column, line in cells)
    for number, (column, line) in enumerate(cells[1:], 1):
        beside = {(column + 1, line), (column - 1, line), (column, line + 1), (column, line - 1)}
        assert beside & set(cells[:number])
    assert position["round"] <= position["max_rounds"]
    assert (phase == "bonus" or position["resume"] == "bonus") or not position["pending"]
    assert (phase == "extra" or position["resume"] == "extra") == (position["worker"] is not None)
    assert (phase == "discard") == (position["resume"] is not None)
    if position["to_move"] not in (position["active"], None):
        assert "builder" in position["seats"][position["to_move"]]["characters"]


@every_game
@few
@given(seed=seeds)
def test_every_field_lies_in_its_range(players: int, seed: int) -> None:
    game = Game(players, seed)
    table = fields(len(game.state[0].ground), game.box.layout.slots)
    for step in walk(game, seed):
        for field in table:
            values = step.state[field.name]
            assert field.low <= values.min() <= values.max() <= field.high, field.name


@in_every_game
def test_every_game_ends_by_its_trigger_or_at_its_last_round(players: int, table: tuple[int, int], seed: int) -> None:
    game = random_game(players, seed, table=table, max_rounds=40)
    outcome, position = game.outcome, game.position()

    assert outcome is not None
    if outcome.truncated:
        assert (position["round"], outcome.trigger) == (40, None)
    else:
        owners = Counter([b["owner"] for b in position["city"]] + list(position["square"].values()))
        assert owners[outcome.trigger] >= 6
        assert all(count < 8 for owner, count in owners.items() if owner is not None)


@every_game
def test_a_game_on_a_table_without_room_is_played_to_its_last_round(players: int) -> None:
    game = Game(players, 0, table=(1, 1), max_rounds=15)
    kinds = {move.word.split(":")[0] for step in walk(game) for move in step.legal_moves}
    assert "build" not in kinds
    assert game.problems() == []
    assert (game.phase, game.outcome and game.outcome.truncated) == (Phase.OVER, True)


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
