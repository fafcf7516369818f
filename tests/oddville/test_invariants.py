"""What holds after every step of random games."""

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
