"""Entry points of a game's compiled rules for Python: each takes boxes and games as arrays of records, and an index.

Passing one record costs ten times more than passing the array that it lies in.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from oddville_env.core.compiled.jit import kernel

Rule = Callable[..., Any]
"""A compiled function of one record."""


class Entries(NamedTuple):
    """The entry points that every game has, over kernels of its own."""

    shuffle: Rule
    lay_table: Rule
    legal: Rule
    step: Rule


def make_entries(shuffle_one: Rule, lay_one: Rule, legal_one: Rule, step_one: Rule) -> Entries:
    """Returns the entry points of a game's rules.

    They take (box, game, seed), (box, game), (box, game, mask) and (box, game, action, mask).
    """

    @kernel
    def shuffle(boxes, games, index, seed):
        """Put everything random in an order that the seed (uint64) decides."""
        shuffle_one(boxes[0], games[index], seed)

    @kernel
    def lay_table(boxes, games, index, mask):
        """Lay out a shuffled game and mark its legal moves: mask [A] bool. Returns the seat to move."""
        lay_one(boxes[0], games[index])
        legal_one(boxes[0], games[index], mask)
        return games[index].to_move

    @kernel
    def legal(boxes, games, index, mask):
        """All legal moves of a game: mask [A] bool."""
        legal_one(boxes[0], games[index], mask)

    @kernel
    def step(boxes, games, index, action, mask):
        """Play one legal move and mark the next ones: mask [A] bool. Returns the seat to move, NOBODY at the end."""
        step_one(boxes[0], games[index], action, mask)
        return games[index].to_move

    return Entries(shuffle, lay_table, legal, step)
