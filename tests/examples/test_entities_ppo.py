"""The example of attention over entities: moves follow the rows that they name; command line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.games import NAMES
from support.helpers import assert_example_wins_games, example_module

torch = pytest.importorskip("torch", reason="the example needs the extra train")

KINDS = {"oddville": ("row", "cells"), "oldtown": ("cards", "lots")}
"""Kinds of rows that are put in another order."""
NAMED = {
    "take:3:clay": [("workers", 2), ("resources", 1)],
    "buy:2:6": [("workers", 1), ("row", 5)],
    "build:2:6,0": [("held", 1), ("", 6 + 8)],
    "return:crystal@2": [("resources", 3)],
    "play:37:saloon": [("cards", 36), ("buildings", 9)],
    "play:20:casino": [("cards", 19), ("buildings", 10)],
    "remove:judge@10": [("buildings", 12), ("lots", 9)],
    "show:37": [("cards", 36)],
}
"""By move: the rows that it names, within their kinds; a cell counts line by line from the top left one."""


@pytest.fixture(params=KINDS)
def game(request: pytest.FixtureRequest) -> Any:
    """A game's name, its games in the middle, a fresh policy, and what the seats to move see."""
    example = example_module("entities_ppo")
    torch.manual_seed(0)
    games = example.selfplay_ppo.make_games(request.param, "entities")
    games.reset(1)
    sampler = games.sampler()
    for _ in range(25):
        seen, *_ = games.step(sampler.sample(games.batch))
    return request.param, games, example.make_policy(request.param, games), seen[:32]


def answer(policy: Any, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits of all moves, and values."""
    with torch.no_grad():
        choice, value = policy(torch.from_numpy(seen), torch.ones(len(seen), len(policy.named), dtype=torch.bool))
    return choice.logits.numpy(), value.numpy()


def first_row(policy: Any, kind: str) -> int:
    sizes = policy.naming.sizes
    return sum(sizes[each] for each in list(sizes)[: list(sizes).index(kind)])


def test_rows_of_a_kind_in_another_order_exchange_the_moves_that_name_them_and_nothing_else(game: Any) -> None:
    name, games, policy, seen = game
    logits, values = answer(policy, seen)
    for kind in KINDS[name]:
        moved = seen.copy()
        rows, first = games.encoder.views(moved)[kind], first_row(policy, kind)
        order = np.random.default_rng(1).permutation(rows.shape[1])
        rows[:] = rows[:, order]
        row, head = np.divmod(policy.naming.scores, policy.naming.heads)
        mine = (first <= row) & (row < first + len(order))
        row[mine] = first + np.argsort(order)[row[mine] - first]  # where each row stands now; a cell tells its place
        policy.named.copy_(torch.from_numpy(row * policy.naming.heads + head))
        found, same = answer(policy, moved)
        policy.named.copy_(torch.from_numpy(policy.naming.scores))
        assert same == pytest.approx(values, abs=1e-4), kind
        assert found == pytest.approx(logits, abs=1e-4), kind


def test_moves_name_the_rows_of_their_words(game: Any) -> None:
    name, games, policy, _ = game
    (make,) = (each for each, called in NAMES.items() if called == name)
    words, naming = make(2).notation.words(games.batch.box.layout), policy.naming
    for word in NAMED.keys() & set(words):
        rows = [score // naming.heads for score in naming.scores[words.index(word), 1:] if score < naming.nothing]
        cells = [score - naming.rows * naming.heads for score in naming.scores[words.index(word), 1:]]
        expected = [first_row(policy, kind) + row if kind else naming.rows for kind, row in NAMED[word]]
        assert [min(row, naming.rows) for row in rows] == expected, word
        assert all(cells[place] == row for place, (kind, row) in enumerate(NAMED[word]) if not kind), word
    assert len(NAMED.keys() & set(words)) == 4


@pytest.mark.parametrize("game", KINDS)
def test_example_runs_from_the_command_line(game: str, tmp_path: Path) -> None:
    assert_example_wins_games("entities_ppo", game, minutes="0.005", folder=tmp_path)
