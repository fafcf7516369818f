"""A network that reads a puzzle: every building and lot is a cell, which hears from its row, its column and C cards.

The same weights are used in every round, so that what is found out can travel. `forward` is numpy alone; the trainer
runs the same sums in torch.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.oldtown.solo.clues import Clues
from oddville_env.oldtown.cards.words import BUILDINGS, C_CARDS, FIRST_CARD, LOTS, CardType
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.puzzle import MOST_MINE

ROUNDS = 6
WIDTH = 12  # numbers of a cell
INPUTS = 5  # of a cell: may stand here, stands here, is of the town, one by the lots left, is an own building
HEARD = 7 * WIDTH + INPUTS  # itself, row and column by mean and maximum, C cards in both directions, its inputs
SHAPES = {
    "first": (INPUTS, WIDTH), "first_bias": (WIDTH,),
    "round": (HEARD, WIDTH), "round_bias": (WIDTH,),
    "last": (WIDTH,),
}  # fmt: skip
IMPOSSIBLE = -1e4


class Table(NamedTuple):
    """The C cards of the deck: the building that each names, and the pairs as float [18, 16, 16]."""

    named: np.ndarray
    pairs: np.ndarray


def table() -> Table:
    """The C cards of the deck that comes with the package."""
    box, first = make_box(2).record[0], FIRST_CARD[CardType.C]
    cards = slice(first, first + C_CARDS)
    pairs = box.pairs[cards, 0][:, :, None] >> np.arange(LOTS) & 1
    return Table(box.named[cards].astype(np.int64), pairs.astype(np.float32))


def inputs_of(clues: Clues) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A puzzle as arrays: cells [18, 16, INPUTS], its C cards [18], its own buildings' numbers [MOST_MINE].

    An own building that there is not has the number BUILDINGS.
    """
    cells = np.zeros((BUILDINGS, LOTS, INPUTS), np.float32)
    cells[..., 0], cells[..., 1] = clues.sets, clues.standing
    cells[..., 2] = clues.town[:, None]
    cells[..., 3] = (1 / np.maximum(clues.sets.sum(1), 1))[:, None]
    cells[..., 4] = clues.mine[:, None]
    cards = np.isin(np.arange(C_CARDS) + FIRST_CARD[CardType.C], clues.cards).astype(np.float32)
    mine = np.full(MOST_MINE, BUILDINGS, np.int64)
    owned = np.flatnonzero(clues.mine)
    mine[: len(owned)] = owned
    return cells, cards, mine


def forward(tensors: Mapping[str, Any], clues: Clues, cards_of: Table) -> np.ndarray:
    """How likely each building stands on each lot, as log odds: float [18, 16]."""
    cells, cards, mine = inputs_of(clues)
    state = np.tanh(cells @ tensors["first"] + tensors["first_bias"])
    for _ in range(ROUNDS):
        heard = [state, *_lines(state), *_clues(state, cards, mine, cards_of), cells]
        state = np.tanh(np.concatenate(heard, axis=-1) @ tensors["round"] + tensors["round_bias"])
    odds: np.ndarray = np.where(cells[..., 0] > 0, state @ tensors["last"], IMPOSSIBLE)
    return odds


def _lines(state: np.ndarray) -> list[np.ndarray]:
    """What a cell hears from its row and its column: mean and maximum of each."""
    lines = [state.mean(1, keepdims=True), state.max(1, keepdims=True)]
    lines += [state.mean(0, keepdims=True), state.max(0, keepdims=True)]
    return [np.broadcast_to(line, state.shape) for line in lines]


def _clues(state: np.ndarray, cards: np.ndarray, mine: np.ndarray, cards_of: Table) -> list[np.ndarray]:
    """What a named building hears from the own ones through its C card, and an own one from all named ones."""
    owned = np.concatenate([state, np.zeros_like(state[:1])])[mine]
    there = mine < BUILDINGS
    told = np.einsum("clm,kmd->ckld", cards_of.pairs, owned)
    told = np.where(there[:, None, None], told, -1.0).max(1) * cards[:, None, None]
    to_named = np.zeros_like(state)
    np.add.at(to_named, cards_of.named, told)
    back = np.einsum("clm,cld->md", cards_of.pairs * cards[:, None, None], state[cards_of.named])
    to_own = np.zeros_like(state)
    to_own[mine[there]] = back
    return [to_named, to_own]
