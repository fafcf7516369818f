"""Numbers and masks for all writers of pieces.

A writer puts its numbers from `at` on into the vector out [N], which is zero before, and returns where it ended.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules.state import SEATS


@kernel
def relative(box, seat, me):
    """Seats as the observer counts them: 0 is me, then clockwise."""
    return int(seat - me) if seat >= me else int(seat - me + box.players)


@kernel
def cells(box):
    """The number of cells of the table."""
    return int(box.columns) * int(box.lines)


@kernel
def put_one_hot(out, at, number, size):
    """A one in the number's place, or none where it is NOTHING."""
    if number != NOTHING:
        out[at + int(number)] = 1
    return at + size


@kernel
def put_owner(box, seat, me, out, at):
    """[SEATS] a one in the seat's place, none for NOBODY; without a branch, which would be mispredicted."""
    place = NOBODY if seat == NOBODY else relative(box, seat, me)
    for each in range(SEATS):
        out[at + each] = each == place
    return at + SEATS


@kernel
def copy(numbers, out):
    """Numbers side by side: plain indices from 0 are what the compiler turns into wide moves."""
    for place in range(out.size):
        out[place] = numbers[place]
