"""Entry points of the compiled rules for Python: each takes boxes and games as arrays of records, and an index."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.entries import make_entries

from . import rules


@kernel
def sample_unseen(boxes, games, index, seat, seed):
    """Deal anew, from a seed (uint64), what a seat cannot know."""
    rules.sample_unseen(boxes, games, index, seat, seed)


@kernel
def canonicalize_hidden(boxes, games, index, seat):
    """Blank what a seat cannot know."""
    rules.canonicalize_hidden(games[index], seat)


shuffle, lay_table, legal, step, perft, canonical_copies = make_entries(
    rules.shuffle, rules.lay_table, rules.legal, rules.step, canonicalize_hidden
)
