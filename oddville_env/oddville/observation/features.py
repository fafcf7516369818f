"""The encodings `features` and `ids`.

`features` describes cards by what they do, so that a policy can play another card set. Of the known cards that lie face
down again it tells the deck's top and each seat's last coin. `ids` has all cards as small integers, for networks that
embed: a card is its id + 1, UNKNOWN where it lies face down and was never seen, 0 where there is none.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, put
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.observation.common import cells, copy, put_common, put_owner, relative
from oddville_env.oddville.rules.box import CARD, LOT_FROM, LOT_TO
from oddville_env.oddville.rules.state import BUILDINGS, HELD, MOST_COINS, ROW, SEATS, SIDES

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
