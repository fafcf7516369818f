"""The encoding `features`: cards described by what they do, so that a policy can play another card set.

Of the known cards that lie face down again it tells the deck's top and each seat's last coin.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, put
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.observation.common import cells, copy, put_common, put_owner
from oddville_env.oddville.rules.box import CARD, LOT_FROM, LOT_TO
from oddville_env.oddville.rules.state import HELD, ROW, SEATS, SIDES

LOT = LOT_TO - LOT_FROM + SEATS + 1
"""Numbers that describe a card of the city: suit, per, counts, shield, bonus, owner (me first), its value now."""
DESCRIBED = ROW + SEATS * HELD + SEATS + 1
"""Cards that are described one by one: the row's, those held, each seat's last coin and the deck's top."""

CARDS = (
    Piece("row", (ROW, CARD), FULL, "the face-up building cards, position 1 first"),
    Piece("held", (SEATS, HELD, CARD), FULL, "each seat's held buildings, oldest first"),
    Piece("last_coin", (SEATS, CARD), FULL, "each seat's coin gained last, if it was ever seen"),
    Piece("deck_top", (CARD,), FULL, "the deck's top card, if it was ever seen"),
)


def features(columns: int, lines: int) -> tuple[Piece, ...]:
    """The pieces of this encoding alone, for a table of this size."""
    return (
        *CARDS,
        Piece("city", (lines, columns, LOT), FULL, "the city's cards"),
        Piece("sides", (lines, columns, 2 * SIDES), 1, "streets N E S W and houses N E S W: a card's own, or what an "
              "empty cell's neighbours turn to it"),
    )  # fmt: skip


@kernel
def write_features(boxes, games, index, me, out):
    """Write the encoding `features` of a game as seat `me` sees it: out [N] uint8."""
    out[:] = 0
    rewrite_features(boxes, games, index, me, 0, out)


@kernel
def update_features(boxes, games, index, me, memory, out):
    """The same over the last observation of the same game, if any: memory.known is the size of the city in it."""
    if memory[index].known == 0:
        write_features(boxes, games, index, me, out)
    else:
        rewrite_features(boxes, games, index, me, memory[index].known, out)
    memory[index].known = games[index].city_size


@kernel
def rewrite_features(boxes, games, index, me, shown, out):
    """The same where out holds what some seat saw of this game when its city had so many cards.

    The maps are most of the vector, and a city only grows: of its older cards only owners, me first, and values change.
    """
    box, game = boxes[0], games[index]
    out[: out.size - DESCRIBED * CARD - cells(box) * (LOT + 2 * SIDES)] = 0
    at = put_common(box, game, me, out)
    for position in range(ROW):
        at = put_card(box, game.row[position], out, at)
    coins = at + SEATS * HELD * CARD
    for place in range(box.players):
        seat = (me + place) % box.players
        for held in range(HELD):
            at = put_card(box, game.held[seat, held], out, at)
        put_card(box, if_seen(game, last_coin(game, seat)), out, coins + place * CARD)
    at = coins + SEATS * CARD
    at = put_card(box, if_seen(game, game.deck[game.deck_top]), out, at)
    for entry in range(game.city_size):
        put_lot(box, game, entry, me, entry < shown, out, at + int(game.city_cell[entry]) * LOT)
    if shown < game.city_size:
        put_sides(box, game, out, at + cells(box) * LOT)


@kernel
def put_card(box, card, out, at):
    """[CARD] numbers of a card by what it does; zeros where there is none, as NOTHING is described so."""
    copy(box.described[card], out[at : at + CARD])
    return at + CARD


@kernel
def if_seen(game, card):
    """[K1] A card that has once lain face up is known for ever after."""
    return card if card != NOTHING and game.card_seen[card] else NOTHING


@kernel
def last_coin(game, seat):
    """The coin gained last, NOTHING where there is none."""
    return game.coin[seat, max(game.coins[seat] - 1, 0)]


@kernel
def put_lot(box, game, entry, me, shown, out, at):
    """[LOT] numbers of a card of the city; of one that is shown already only what can change."""
    if not shown:
        copy(box.described[game.city_card[entry], LOT_FROM:LOT_TO], out[at : at + LOT_TO - LOT_FROM])
    at = put_owner(box, game.city_owner[entry], me, out, at + LOT_TO - LOT_FROM)
    put(out, at, game.value[entry])


@kernel
def put_sides(box, game, out, at):
    """Piece sides: streets and houses of every card, and what they turn to the frontier."""
    for entry in range(game.city_size):
        cell, card = int(game.city_cell[entry]), game.city_card[entry]
        for side in range(SIDES):
            out[at + cell * 2 * SIDES + side] = box.streets[card, side]
            out[at + cell * 2 * SIDES + SIDES + side] = 1 - box.streets[card, side]
    for place in range(game.frontier_size):
        cell = int(game.frontier[place])
        for bit in range(2 * SIDES):
            out[at + cell * 2 * SIDES + bit] = (game.facing[cell] >> bit) & 1
