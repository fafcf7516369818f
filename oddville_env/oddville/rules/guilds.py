"""Chapter G: the favour of a guild is its pile's top character."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING

from . import chance
from .state import CHARACTERS


@kernel
def show_top(game, guild):
    """[S4 K2] The top character of a pile is visible."""
    if game.pile_size[guild] > 0:
        game.character_seen[game.pile[guild, game.pile_size[guild] - 1]] = True


@kernel
def return_characters(box, game, guild):
    """[G2 G4] Every seat gives its characters of the guild back; they are shuffled into a new pile."""
    for character in range(CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            game.owner[character] = NOBODY
            game.pile[guild, game.pile_size[guild]] = character
            game.pile_size[guild] += 1
    chance.shuffle_pile(box, game, guild)


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
