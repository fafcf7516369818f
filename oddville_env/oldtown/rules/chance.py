"""The events that chance is drawn for."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.chance import draw as draw
from oddville_env.core.parts.chance import shuffle as shuffle

from .state import STREAMS


@kernel
def event_of(stream, index):
    """The number of the index-th event of a stream."""
    return index * STREAMS + stream


FINE = 2**32  # parts of 1 that a drawn number in 0..1 is made of


@kernel
def part(seed, event, index):
    """A random number in 0..1: draw `index` of an event."""
    return draw(seed, event, index, FINE) / FINE
