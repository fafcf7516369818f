"""Drawn card sets: other cards than the base set's, under its constraints."""

from pathlib import Path

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.oddville.cards import base_cards, draw_cards, load_cards, summary, write_cards

BASE = base_cards()
SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drawn_set_is_made_up_as_the_base_set_is(seed: int) -> None:
    drawn = draw_cards(seed)
    assert summary(drawn) == summary(BASE)
    for name in ("base", "per", "counts", "shield", "points", "worker_coins", "worker_prices"):
        assert (getattr(drawn, name) == getattr(BASE, name)).all()
    assert (drawn.cost.sum(1) == BASE.cost.sum(1)).all()
    assert drawn.cost.max() <= BASE.cost.max()
    assert sorted(map(tuple, drawn.streets)) == sorted(map(tuple, BASE.streets))
    assert (np.bincount(drawn.guild) == 3).all()
    assert drawn.slots == BASE.slots


def test_seeds_draw_different_sets_and_equal_seeds_equal_ones() -> None:
    drawn = [draw_cards(seed) for seed in SEEDS]
    assert len({cards.digest for cards in [BASE, *drawn]}) == len(SEEDS) + 1
    assert draw_cards(3) == drawn[3]
    changed = (drawn[3].cost != BASE.cost).any(1)
    assert changed.mean() > 0.5


@pytest.mark.parametrize("cards", [BASE, draw_cards(7)], ids=repr)
def test_a_set_is_read_as_it_was_written(tmp_path: Path, cards: object) -> None:
    write_cards(cards, tmp_path / "box")
    assert load_cards(tmp_path / "box") == cards


def test_a_drawn_set_can_be_played() -> None:
    game = Game(seed=1, cards=draw_cards(5))
    rng = np.random.default_rng(0)
    while not game.is_over:
        game.push(int(rng.choice(np.flatnonzero(game.mask))))
    assert game.outcome is not None
