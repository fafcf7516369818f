"""Chapter G: the favour of a guild is its pile's top character."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.chance import shuffle
from oddville_env.oddville.cards.words import NOBODY, NOTHING

from .state import CHARACTERS, GUILDS, IN_GUILD, Stream, event_of


@kernel
def show_top(game, guild):
    """[S4 K2] The top character of a pile is visible."""
    if game.pile_size[guild] > 0:
        game.character_seen[game.pile[guild, game.pile_size[guild] - 1]] = True


@kernel
def shuffle_pile(box, game, guild):
    """[G2] A guild's pile in random order, or in the order that was given for it (by a record, for a real table)."""
    size = game.pile_size[guild]
    if game.next_pile[0] != NOTHING and box.guild[game.next_pile[0]] == guild:
        for at in range(size):
            game.pile[guild, size - 1 - at] = game.next_pile[at]
        for at in range(IN_GUILD):
            game.next_pile[at] = NOTHING
    else:
        event = event_of(Stream.RESHUFFLE, game.reshuffles[guild] * GUILDS + guild)
        shuffle(game.pile[guild], size, game.seed, event)
    game.reshuffles[guild] += 1


@kernel
def return_characters(box, game, guild):
    """[G2 G4] Every seat gives its characters of the guild back; they are shuffled into a new pile."""
    for character in range(CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            game.owner[character] = NOBODY
            game.pile[guild, game.pile_size[guild]] = character
            game.pile_size[guild] += 1
    shuffle_pile(box, game, guild)


@kernel
def favour(box, game, seat, guild):
    """[G1 G2] The seat takes the top character, of a new pile where the old one is empty."""
    if game.pile_size[guild] == 0:
        return_characters(box, game, guild)
        show_top(game, guild)
    game.pile_size[guild] -= 1
    character = game.pile[guild, game.pile_size[guild]]
    game.pile[guild, game.pile_size[guild]] = NOTHING
    game.owner[character] = seat
    show_top(game, guild)


@kernel
def write_new_pile(box, game, guild, pile):
    """[G2] A new pile as it was, top first, when only its top one has been taken: pile [3], NOTHING behind."""
    pile[:] = NOTHING
    for character in range(CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            pile[0] = character
    size = game.pile_size[guild]
    for at in range(size):
        pile[size - at] = game.pile[guild, at]
