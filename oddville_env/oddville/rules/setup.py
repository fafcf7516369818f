"""Chapter S: a new game. First everything random is shuffled, then the table is laid."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oddville.cards.words import NOBODY, NOTHING

from . import building, guilds, workers
from .actions import Kind, allow
from .state import BUILDINGS, CHARACTERS, GUILDS, IN_GUILD, RESOURCES, ROW, SEATS, SQUARE, Stream, event_of, reset


@kernel
def shuffle(box, game, seed):
    """[S4 S5 S6] The deck, the piles and the first seat, all from the seed."""
    game.seed = seed
    for card in range(BUILDINGS):
        game.deck[card] = card
    chance.shuffle(game.deck, BUILDINGS, seed, event_of(Stream.DECK, 0))
    game.first = chance.draw(seed, event_of(Stream.FIRST, 0), 0, box.players)
    for guild in range(GUILDS):
        size = 0
        for character in range(CHARACTERS):
            if box.guild[character] == guild:
                game.pile[guild, size] = character
                size += 1
        chance.shuffle(game.pile[guild], IN_GUILD, seed, event_of(Stream.PILE, guild))


@kernel
def lay_table(box, game):
    """[S1-S6] Lay out a game whose deck, piles (top last) and first seat are set.

    [S1 S3] Worker cards 1-4 are in hand, 9 workers in supply and none on the board: the start values of `FIELDS`.
    """
    reset(game)
    building.place(box, game, SQUARE, box.middle, NOBODY)  # S2 B8
    lay_piles(box, game)
    lay_row(box, game)
    game.active = game.to_move = (game.first - 1) % box.players  # S6: the last seat chooses a resource first


@kernel
def lay_piles(box, game):
    """[S4] With 3 players one character of each guild is removed, with 2 two: the lowest of a shuffled pile."""
    size = box.players - 1
    for guild in range(GUILDS):
        for at in range(IN_GUILD):
            kept = at + IN_GUILD - size
            game.pile[guild, at] = game.pile[guild, kept] if at < size else NOTHING
        game.pile_size[guild] = size
        guilds.show_top(game, guild)


@kernel
def lay_row(box, game):
    """[S5] The first six cards drawn make the row, the first at position 1."""
    game.deck_size = BUILDINGS
    for card in range(BUILDINGS):
        game.unseen[box.suit[card]] += 1
    for position in range(ROW):
        workers.fill_row(box, game)
        game.row[position] = game.row[ROW - 1]


@kernel
def chosen(game, resource):
    """[S6] Another seat chose the resource before."""
    for seat in range(SEATS):
        if game.stock[seat, resource] > 0:
            return True
    return False


@kernel
def legal_setup(box, game, mask):
    """[S6] A resource that no seat chose before."""
    for resource in range(RESOURCES):
        if not chosen(game, resource):
            allow(box, game, mask, Kind.SETUP, resource)
