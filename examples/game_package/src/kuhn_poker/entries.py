"""Entry points of the compiled rules for Python: each takes boxes and games as arrays of records, and an index."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.entries import line_counter, make_entries

from . import rules

shuffle, lay_table, legal, step = make_entries(rules.shuffle, rules.lay_table, rules.legal, rules.step)


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
    """Write canonical copies of the games at tables [T], as their seats to move know them, into out [T]."""
    for place in range(tables.size):
        out[place] = games[tables[place]]
        rules.canonicalize_hidden(out[place], out[place].to_move)


perft = line_counter(rules.step)
