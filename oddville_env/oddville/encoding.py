"""How the pieces of an observation are written: compiled, in the order of `observation.PIECES`, one function a piece.

A writer puts its numbers from `at` on into the vector out [N] uint8, which is zero before, and returns where it ended.
"""

from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import scoring, workers
from oddville_env.oddville.rules.box import CARD, LOT_FROM, LOT_TO
from oddville_env.oddville.rules.state import (
    BONUSES,
    BUILDINGS,
    CHARACTERS,
    GUILDS,
    HELD,
    MOST_COINS,
    RESOURCES,
    ROW,
    SEATS,
    SIDES,
    SUITS,
    WORKER_CARDS,
    Phase,
)

MARKS = 5  # numbers of a seat in each of the pieces marks and seats
FULL = 255  # the largest number a cell of the vector can say; larger ones are told as this
PHASES = len(Phase)
LOT = LOT_TO - LOT_FROM + SEATS + 1
"""Numbers that describe a card of the city: suit, per, counts, shield, bonus, owner (me first), its value now."""
DESCRIBED = ROW + SEATS * HELD + SEATS + 1
"""Cards that are described one by one: the row's, those held, each seat's last coin and the deck's top."""
UNKNOWN = BUILDINGS + 1
"""The id of a card that lies face down and was never seen; other cards are their id + 1, and 0 is no card."""


@kernel
def relative(box, seat, me):
    """Seats as the observer counts them: 0 is me, then clockwise."""
    return int(seat - me) if seat >= me else int(seat - me + box.players)


@kernel
def cells(box):
    """How many cells the table has."""
    return int(box.columns) * int(box.lines)


@kernel
def put(out, at, number):
    """One number; returns where the next one goes."""
    out[at] = min(number, FULL)
    return at + 1


@kernel
def put_one_hot(out, at, number, size):
    """A one in the number's place, or none where it is NOTHING."""
    if number != NOTHING:
        out[at + int(number)] = 1
    return at + size


@kernel
def put_owner(box, seat, me, out, at):
    """[SEATS] a one in the seat's place, none where it is NOBODY; without a branch, as nobody could foresee it."""
    place = NOBODY if seat == NOBODY else relative(box, seat, me)
    for each in range(SEATS):
        out[at + each] = each == place
    return at + SEATS


@kernel
def put_turn(box, game, out, at):
    """Pieces phase to pending."""
    at = put_one_hot(out, at, game.phase, PHASES)
    at = put_one_hot(out, at, game.resume, PHASES)
    at = put_one_hot(out, at, box.players - 1, SEATS)
    at = put(out, at, game.rounds)
    at = put(out, at, box.max_rounds - game.rounds)
    at = put(out, at, game.deck_size)
    at = put(out, at, game.city_size)
    at = put(out, at, game.recovered)
    at = put(out, at, game.flipped)
    at = put(out, at, game.swapped)
    at = put(out, at, game.built)
    at = put_one_hot(out, at, game.worker, WORKER_CARDS)
    for bonus in range(BONUSES):
        at = put(out, at, game.pending[bonus])
    return at


@kernel
def put_seats(box, game, me, out, at):
    """Pieces marks to stock, every seat in the observer's order."""
    marks, seats = at, at + SEATS * MARKS
    hand = seats + SEATS * MARKS
    stock = hand + SEATS * WORKER_CARDS
    for place in range(box.players):
        seat = (me + place) % box.players
        out[marks + place * MARKS] = 1
        out[marks + place * MARKS + 1] = seat == game.active
        out[marks + place * MARKS + 2] = seat == game.to_move
        out[marks + place * MARKS + 3] = seat == game.first
        out[marks + place * MARKS + 4] = seat == game.trigger
        at = put(out, seats + place * MARKS, game.coins[seat])
        at = put(out, at, game.supply[seat])
        at = put(out, at, game.settled[seat])
        at = put(out, at, game.holding[seat])
        at = put(out, at, scoring.score(box, game, seat))
        for worker in range(WORKER_CARDS):
            out[hand + place * WORKER_CARDS + worker] = game.hand[seat, worker]
        for resource in range(RESOURCES):
            out[stock + place * RESOURCES + resource] = game.stock[seat, resource]
    return stock + SEATS * RESOURCES


@kernel
def put_board(box, game, me, out, at):
    """Pieces slots and square; the upper slot stands last, however many others there are."""
    upper = game.lodger.shape[1] - 1
    for resource in range(RESOURCES):
        for slot in range(box.upper_slot):
            put_owner(box, game.lodger[resource, slot], me, out, at + slot * SEATS)
        for seat in range(box.players):
            out[at + upper * SEATS + relative(box, seat, me)] = game.upper[resource, seat]
        at += (upper + 1) * SEATS
    for resource in range(RESOURCES):
        at = put_owner(box, game.on_square[resource], me, out, at)
    return at


@kernel
def put_characters(box, game, me, out, at):
    """Pieces characters to met."""
    for place in range(box.players):
        seat = (me + place) % box.players
        for character in range(CHARACTERS):
            out[at + place * CHARACTERS + character] = game.owner[character] == seat
    at += SEATS * CHARACTERS
    for guild in range(GUILDS):
        if game.pile_size[guild] > 0:
            put_one_hot(out, at, game.pile[guild, game.pile_size[guild] - 1], CHARACTERS)
    at += CHARACTERS
    for guild in range(GUILDS):
        at = put(out, at, game.pile_size[guild])
    for character in range(CHARACTERS):
        at = put(out, at, game.character_seen[character])
    return at


@kernel
def put_unseen(game, out, at):
    """Piece unseen."""
    for suit in range(SUITS):
        at = put(out, at, game.unseen[suit])
    return at


@kernel
def put_prices(box, game, me, out, at):
    """Pieces take_price to points: what the components say, as the observer may use them."""
    for resource in range(RESOURCES):
        at = put(out, at, workers.take_price(box, game, me, resource))
    for worker in range(WORKER_CARDS):
        at = put(out, at, workers.coins_shown(box, game, me, worker))
    for worker in range(WORKER_CARDS):
        for resource in range(RESOURCES):
            at = put(out, at, box.takes[worker, resource])
    for worker in range(WORKER_CARDS):
        for position in range(ROW):
            at = put(out, at, workers.row_price(box, worker, position))
    for character in range(CHARACTERS):
        at = put(out, at, box.points[character])
    return at


@kernel
def put_common(box, game, me, out):
    """The pieces of both encodings."""
    at = put_turn(box, game, out, 0)
    at = put_seats(box, game, me, out, at)
    at = put_board(box, game, me, out, at)
    at = put_characters(box, game, me, out, at)
    at = put_unseen(game, out, at)
    return put_prices(box, game, me, out, at)


@kernel
def put_card(box, card, out, at):
    """[CARD] numbers of a card by what it does; zeros where there is none, as NOTHING is described so."""
    copy(box.described[card], out[at : at + CARD])
    return at + CARD


@kernel
def copy(numbers, out):
    """Numbers side by side: plain indices from 0 are what the compiler turns into wide moves."""
    for place in range(out.size):
        out[place] = numbers[place]


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


@kernel
def if_seen(game, card):
    """[K1] A card that has once lain face up is known for ever after."""
    return card if card != NOTHING and game.card_seen[card] else NOTHING


@kernel
def last_coin(game, seat):
    """The coin gained last, NOTHING where there is none."""
    return game.coin[seat, max(game.coins[seat] - 1, 0)]


@kernel
def write_features(boxes, games, index, me, out):
    """Write the encoding `features` of a game as seat `me` sees it: out [N] uint8."""
    out[:] = 0
    rewrite_features(boxes, games, index, me, 0, out)


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
def card_id(game, card):
    """A card as a small integer: its id + 1, UNKNOWN where it was never seen, 0 where there is none."""
    if card == NOTHING:
        return 0
    return card + 1 if game.card_seen[card] else UNKNOWN


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
