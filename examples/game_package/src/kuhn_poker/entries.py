"""The doors of compiled code for Python: each takes boxes and games as arrays of records, and an index."""

from oddville_env.core.jit import kernel
from oddville_env.core.parts.perft import line_counter

from . import rules


@kernel
def shuffle(boxes, games, index, seed):
    """Deal a game from a seed (uint64)."""
    rules.shuffle(boxes[0], games[index], seed)


@kernel
def lay_table(boxes, games, index, mask):
    """Begin a game that was dealt, and mark its legal moves [A]. Returns the seat to move."""
    rules.lay_table(boxes[0], games[index])
    rules.legal(boxes[0], games[index], mask)
    return games[index].to_move


@kernel
def legal(boxes, games, index, mask):
    """Mark the legal moves [A]."""
    rules.legal(boxes[0], games[index], mask)


@kernel
def step(boxes, games, index, action, mask):
    """Play a legal move and mark the next ones. Returns the seat to move, NOBODY at the end."""
    rules.step(boxes[0], games[index], action, mask)
    return games[index].to_move


@kernel
def sample_unseen(boxes, games, index, seat, seed):
    """Deal anew, from a seed (uint64), what a seat cannot know."""
    rules.sample_unseen(boxes, games, index, seat, seed)


@kernel
def canonicalize_hidden(boxes, games, index, seat):
    """Blank what a seat cannot know."""
    rules.canonicalize_hidden(games[index], seat)


@kernel
def canonical_copies(boxes, games, tables, out):
    """The games at tables [T], as their seats to move know them: out [T]."""
    for place in range(tables.size):
        out[place] = games[tables[place]]
        rules.canonicalize_hidden(out[place], out[place].to_move)


perft = line_counter(rules.step)
