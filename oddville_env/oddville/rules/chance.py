"""The events that chance is drawn for, and the draws of chapter G."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.chance import draw as draw
from oddville_env.core.parts.chance import shuffle as shuffle
from oddville_env.oddville.cards.words import NOTHING

from .state import GUILDS, IN_GUILD, STREAMS, Stream


@kernel
def event_of(stream, index):
    """The number of the index-th event of a stream."""
    return index * STREAMS + stream


@kernel
def is_given(box, game, guild):
    """The order of this guild's next pile was given (a record that is replayed, a real table)."""
    return game.next_pile[0] != NOTHING and box.guild[game.next_pile[0]] == guild


@kernel
def shuffle_pile(box, game, guild):
    """[G2] A guild's pile in random order, or in the order that was given for it."""
    size = game.pile_size[guild]
    if is_given(box, game, guild):
        for at in range(size):
            game.pile[guild, size - 1 - at] = game.next_pile[at]
        for at in range(IN_GUILD):
            game.next_pile[at] = NOTHING
    else:
        event = event_of(Stream.RESHUFFLE, game.reshuffles[guild] * GUILDS + guild)
        shuffle(game.pile[guild], size, game.seed, event)
    game.reshuffles[guild] += 1
