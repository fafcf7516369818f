"""The encoding `ids`: all cards as small integers, for networks that embed.

A card is its id + 1, UNKNOWN where it lies face down and was never seen, 0 where there is none.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import Piece, put
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.observation.common import cells, put_common, relative
from oddville_env.oddville.rules.state import BUILDINGS, HELD, MOST_COINS, ROW, SEATS

UNKNOWN = BUILDINGS + 1


def ids(columns: int, lines: int) -> tuple[Piece, ...]:
    """The pieces of this encoding alone, for a table of this size."""
    return (
        Piece("row", (ROW,), BUILDINGS, "the face-up building cards, position 1 first"),
        Piece("held", (SEATS, HELD), BUILDINGS, "each seat's held buildings, oldest first"),
        Piece("coin", (SEATS, MOST_COINS), UNKNOWN, "each seat's coins, the last gained last"),
        Piece("deck", (BUILDINGS,), UNKNOWN, "the deck, top first"),
        Piece("city", (lines, columns), UNKNOWN, "the city's cards; 65 is the square"),
        Piece("owner", (lines, columns), SEATS, "the owner of each card of the city: 1 is the observer"),
    )


@kernel
def write_ids(boxes, games, index, me, out):
    """Write the encoding `ids` of a game as seat `me` sees it: out [N] uint8."""
    box, game = boxes[0], games[index]
    out[:] = 0
    at = put_common(box, game, me, out)
    for position in range(ROW):
        at = put(out, at, game.row[position] + 1)
    for place in range(box.players):
        seat = (me + place) % box.players
        for held in range(HELD):
            out[at + place * HELD + held] = game.held[seat, held] + 1
        for coin in range(MOST_COINS):
            out[at + (SEATS * HELD) + place * MOST_COINS + coin] = card_id(game, game.coin[seat, coin])
    at += SEATS * (HELD + MOST_COINS)
    for place in range(game.deck_size):
        out[at + place] = card_id(game, game.deck[(game.deck_top + place) % BUILDINGS])
    at += BUILDINGS
    for entry in range(game.city_size):
        cell, owner = int(game.city_cell[entry]), game.city_owner[entry]
        out[at + cell] = game.city_card[entry] + 1
        if owner != NOBODY:
            out[at + cells(box) + cell] = relative(box, owner, me) + 1


@kernel
def card_id(game, card):
    """A card as a small integer: its id + 1, UNKNOWN where it was never seen, 0 where there is none."""
    if card == NOTHING:
        return 0
    return card + 1 if game.card_seen[card] else UNKNOWN
