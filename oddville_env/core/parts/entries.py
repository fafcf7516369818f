"""Entry points of a game's compiled rules for Python: each takes boxes and games as arrays of records, and an index.

Passing one record costs ten times more than passing the array that it lies in.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from oddville_env.core.checked import whole_number
from oddville_env.core.compiled.jit import kernel

Rule = Callable[..., Any]
"""A compiled function of one record."""


def make_entries(
    shuffle_one: Rule, lay_one: Rule, legal_one: Rule, step_one: Rule, canonicalize_hidden: Rule
) -> tuple[Rule, ...]:
    """Returns the entry points shuffle, lay_table, legal, step, perft and canonical_copies of a game's rules.

    These take (box, game, seed), (box, game), (box, game, mask), (box, game, action, mask); the last one is an entry
    point itself: (boxes, games, index, seat).
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

    @kernel
    def canonical_copies(boxes, games, tables, out):
        """The games at tables [T], each with what its seat to move cannot know in one fixed order: out [T]."""
        for at in range(tables.size):
            out[at] = games[tables[at]]
            canonicalize_hidden(boxes, out, at, out[at].to_move)

    return shuffle, lay_table, legal, step, _line_counter(step_one), canonical_copies


DEEPEST = 100


def count_lines(game: Any, depth: int) -> int:
    """The number of lines of `depth` legal moves that begin here, with the hidden order as it is; a game that ends
    before is not counted. Raises SettingError."""
    whole_number("depth", depth, 0, DEEPEST)
    if depth == 0:
        return 1
    games = np.zeros(depth + 1, game.box.games)
    masks = np.zeros((depth + 1, game.box.layout.size), np.bool_)
    games[0], masks[0] = game.state[0], game.mask
    return int(game.game_type.entries.perft(game.box.record, games, masks, 0))


def _line_counter(step):
    """The kernel that counts the lines of a game, which plays by this step."""

    @kernel
    def perft(boxes, games, masks, at):
        """The number of lines of legal moves that lead from games[at] to the last of games [D], as it was dealt.

        masks [D, A] bool holds the legal moves of games[at] at `at`; everything behind it is overwritten.
        """
        lines = 0
        for action in range(masks.shape[1]):
            if masks[at, action]:
                if at + 1 == games.size - 1:
                    lines += 1
                else:
                    games[at + 1] = games[at]
                    step(boxes[0], games[at + 1], action, masks[at + 1])
                    lines += perft(boxes, games, masks, at + 1)
        return lines

    return perft
