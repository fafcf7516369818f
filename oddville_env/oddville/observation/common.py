"""The pieces of `features` and `ids`, each group beside the kernel that writes it.

A writer puts its numbers from `at` on into the vector out [N], which is zero before, and returns where it ended.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, put
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import scoring, state, workers
from oddville_env.oddville.rules.box import PRINTED
from oddville_env.oddville.rules.state import CHARACTERS, RESOURCES, SEATS, WORKER_CARDS


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


PHASES = len(state.Phase)
MARKS = 5  # numbers of a seat in each of the pieces marks and seats
SCORE = SEATS * MARKS + MARKS - 1  # from the first mark to the first seat's score

TURN = (
    Piece("phase", (PHASES,), 1, "one-hot: setup, main, extra, bonus, discard, end, builder, over"),
    Piece("resume", (PHASES,), 1, "one-hot: the phase that a discard returns to; zeros if there is none"),
    Piece("players", (SEATS,), 1, "one-hot: how many play, 1 to 4"),
    Piece("clock", (4,), FULL, "round, rounds left, cards in the deck, cards in the city"),
    Piece("turn", (4,), 1, "this turn has recovered, flipped, swapped, built"),
    Piece("worker", (WORKER_CARDS,), 1, "one-hot: the worker card that an extra resource comes from"),
    Piece("pending", (state.BONUSES,), 5, "bonuses not yet resolved, by kind"),
)


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
    for bonus in range(state.BONUSES):
        at = put(out, at, game.pending[bonus])
    return at


OF_SEATS = (
    Piece("marks", (SEATS, MARKS), 1, "each seat: takes part, has the turn, is to move, was first, is the trigger"),
    Piece("seats", (SEATS, MARKS), FULL, "each seat: coins, supply, workers in the city, held buildings, score"),
    Piece("hand", (SEATS, WORKER_CARDS), 1, "worker cards not yet played"),
    Piece("stock", (SEATS, RESOURCES), state.WORKERS, "workers on each resource, all slots"),
)


@kernel
def put_seats(box, game, me, out, at):
    """Pieces marks to stock without the scores, every seat in the observer's order."""
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
        put(out, at, game.holding[seat])
        for worker in range(WORKER_CARDS):
            out[hand + place * WORKER_CARDS + worker] = game.hand[seat, worker]
        for resource in range(RESOURCES):
            out[stock + place * RESOURCES + resource] = game.stock[seat, resource]
    return stock + SEATS * RESOURCES


SQUARE = Piece("square", (RESOURCES, SEATS), 1, "whose worker stands on each field of the square")


def board(slots: int) -> tuple[Piece, ...]:
    """The pieces of a board with so many slots."""
    text = "whose workers are on each slot, the upper one last"
    return Piece("slots", (RESOURCES, slots, SEATS), state.WORKERS, text), SQUARE


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


OF_CHARACTERS = (
    Piece("characters", (SEATS, CHARACTERS), 1, "the characters of each seat"),
    Piece("tops", (CHARACTERS,), 1, "characters on top of their pile"),
    Piece("piles", (state.GUILDS,), state.IN_GUILD, "characters in each pile"),
    Piece("met", (CHARACTERS,), 1, "characters that have lain on top or before a seat"),
)


@kernel
def put_characters(box, game, me, out, at):
    """Pieces characters to met."""
    for place in range(box.players):
        seat = (me + place) % box.players
        for character in range(CHARACTERS):
            out[at + place * CHARACTERS + character] = game.owner[character] == seat
    at += SEATS * CHARACTERS
    for guild in range(state.GUILDS):
        if game.pile_size[guild] > 0:
            put_one_hot(out, at, game.pile[guild, game.pile_size[guild] - 1], CHARACTERS)
    at += CHARACTERS
    for guild in range(state.GUILDS):
        at = put(out, at, game.pile_size[guild])
    for character in range(CHARACTERS):
        at = put(out, at, game.character_seen[character])
    return at


UNSEEN = (Piece("unseen", (state.SUITS,), state.BUILDINGS, "cards of each suit that have never lain face up"),)


@kernel
def put_unseen(game, out, at):
    """Piece unseen."""
    for suit in range(state.SUITS):
        at = put(out, at, game.unseen[suit])
    return at


OFFERS = (
    Piece("take_price", (RESOURCES,), FULL, "coins that the observer would pay for each resource"),
    Piece("coins_shown", (WORKER_CARDS,), FULL, "coins that each worker card would bring the observer"),
)


@kernel
def put_offers(box, game, me, out, at):
    """OFFERS."""
    for resource in range(RESOURCES):
        at = put(out, at, workers.take_price(box, game, me, resource))
    for worker in range(WORKER_CARDS):
        at = put(out, at, workers.coins_shown(box, game, me, worker))
    return at


PRICES = (
    *OFFERS,
    Piece("takes", (WORKER_CARDS, RESOURCES), 1, "resources that each worker card shows"),
    Piece("price", (WORKER_CARDS, state.ROW), FULL, "coins for each position of the row with each worker card"),
    Piece("points", (CHARACTERS,), FULL, "what each character is worth at the end"),
)


def common_pieces(slots: int) -> tuple[Piece, ...]:
    """All of them, in the order of the vector."""
    return *TURN, *OF_SEATS, *board(slots), *OF_CHARACTERS, *UNSEEN, *PRICES


@kernel
def put_common(box, game, me, out):
    """The pieces of `features` and `ids`."""
    at = put_turn(box, game, out, 0)
    for place in range(box.players):
        put(out, at + SCORE + place * MARKS, scoring.score(box, game, (me + place) % box.players))
    at = put_seats(box, game, me, out, at)
    at = put_board(box, game, me, out, at)
    at = put_characters(box, game, me, out, at)
    at = put_unseen(game, out, at)
    at = put_offers(box, game, me, out, at)
    copy(box.printed, out[at : at + PRINTED])
    return at + PRINTED
