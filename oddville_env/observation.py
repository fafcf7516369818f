"""What a learner sees: named pieces, one after the other, in one flat vector of uint8.

Everything public is in it (RULES.md, "Who knows what"), nothing else. Seats are "me first": 0 is the observer, the
others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. `features` describes cards by what
they do, so that a policy can play another card set; `ids` names them by small integers, for networks that embed.
"""

from collections.abc import Mapping
from functools import cache
from math import prod
from typing import Literal, NamedTuple, get_args

import numpy as np

from oddville_env.cards.words import NOBODY, NOTHING, Bonus, Counts
from oddville_env.errors import SettingError
from oddville_env.rules import scoring, workers
from oddville_env.rules._jit import kernel
from oddville_env.rules.actions import Layout
from oddville_env.rules.box import Box
from oddville_env.rules.state import (
    BONUSES,
    BUILDINGS,
    CHARACTERS,
    GUILDS,
    HELD,
    IN_GUILD,
    MOST_COINS,
    RESOURCES,
    ROW,
    SEATS,
    SIDES,
    SUITS,
    WORKER_CARDS,
    WORKERS,
    Phase,
)

Encoding = Literal["features", "ids"]

FULL = 255  # the largest number a cell of the vector can say; larger ones are told as this
PHASES = len(Phase)
KINDS_OF_BONUS = len(Bonus)
FORMULAS = len(Counts)
CARD = 1 + RESOURCES + SUITS + 2 + FORMULAS + 1 + KINDS_OF_BONUS + SIDES
"""Numbers that describe a card: present, cost, suit, base, per, counts, shield, bonus, streets."""
LOT = SUITS + 1 + FORMULAS + 1 + KINDS_OF_BONUS + SEATS + 1
"""Numbers that describe a card of the city: suit, per, counts, shield, bonus, owner (me first), its value now."""
UNKNOWN = BUILDINGS + 1
"""The id of a card that lies face down and was never seen; other cards are their id + 1, and 0 is no card."""


class Piece(NamedTuple):
    """A named part of the observation; its numbers lie in 0..high. Letters of shapes are the sizes of RULES.md."""

    name: str
    shape: tuple[int, ...]
    high: int
    text: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def _common(slots: int) -> tuple[Piece, ...]:
    """Pieces of both encodings."""
    return (
        Piece("phase", (PHASES,), 1, "one-hot: setup, main, extra, bonus, discard, end, builder, over"),
        Piece("resume", (PHASES,), 1, "one-hot: the phase that a discard returns to; zeros if there is none"),
        Piece("players", (SEATS,), 1, "one-hot: how many play, 1 to 4"),
        Piece("clock", (4,), FULL, "round, rounds left, cards in the deck, cards in the city"),
        Piece("turn", (4,), 1, "this turn has recovered, flipped, swapped, built"),
        Piece("worker", (WORKER_CARDS,), 1, "one-hot: the worker card that an extra resource comes from"),
        Piece("pending", (BONUSES,), 5, "bonuses not yet resolved, by kind"),
        Piece("marks", (SEATS, 5), 1, "each seat: takes part, has the turn, is to move, was first, is the trigger"),
        Piece("seats", (SEATS, 5), FULL, "each seat: coins, supply, workers in the city, held buildings, score"),
        Piece("hand", (SEATS, WORKER_CARDS), 1, "worker cards not yet played"),
        Piece("stock", (SEATS, RESOURCES), WORKERS, "workers on each resource, all slots"),
        Piece("slots", (RESOURCES, slots, SEATS), WORKERS, "whose workers are on each slot, the upper one last"),
        Piece("square", (RESOURCES, SEATS), 1, "whose worker stands on each field of the square"),
        Piece("characters", (SEATS, CHARACTERS), 1, "who has each character"),
        Piece("tops", (CHARACTERS,), 1, "characters on top of their pile"),
        Piece("piles", (GUILDS,), IN_GUILD, "characters in each pile"),
        Piece("unseen", (SUITS,), BUILDINGS, "cards of each suit that have never lain face up"),
        Piece("take_price", (RESOURCES,), FULL, "coins that the observer would pay for each resource"),
        Piece("coins_shown", (WORKER_CARDS,), FULL, "coins that each worker card would bring the observer"),
        Piece("takes", (WORKER_CARDS, RESOURCES), 1, "resources that each worker card shows"),
        Piece("price", (WORKER_CARDS, ROW), FULL, "coins for each position of the row with each worker card"),
        Piece("points", (CHARACTERS,), FULL, "what each character is worth at the end"),
    )


def _features(columns: int, lines: int) -> tuple[Piece, ...]:
    """Pieces of the encoding `features`."""
    return (
        Piece("row", (ROW, CARD), FULL, "the face-up building cards, position 1 first"),
        Piece("held", (SEATS, HELD, CARD), FULL, "each seat's held buildings, oldest first"),
        Piece("last_coin", (SEATS, CARD), FULL, "each seat's coin gained last, if it was ever seen"),
        Piece("deck_top", (CARD,), FULL, "the deck's top card, if it was ever seen"),
        Piece("city", (lines, columns, LOT), FULL, "the city's cards"),
        Piece("sides", (lines, columns, 2 * SIDES), 1, "streets N E S W and houses N E S W: a card's own, or what an "
              "empty cell's neighbours turn to it"),
    )  # fmt: skip


def _ids(columns: int, lines: int) -> tuple[Piece, ...]:
    """Pieces of the encoding `ids`: a card is its id + 1, 65 where it is unknown, 0 where there is none."""
    return (
        Piece("row", (ROW,), BUILDINGS, "the face-up building cards, position 1 first"),
        Piece("held", (SEATS, HELD), BUILDINGS, "each seat's held buildings, oldest first"),
        Piece("coin", (SEATS, MOST_COINS), UNKNOWN, "each seat's coins, the last gained last"),
        Piece("deck", (BUILDINGS,), UNKNOWN, "the deck, top first"),
        Piece("city", (lines, columns), UNKNOWN, "the city's cards; 65 is the square"),
        Piece("owner", (lines, columns), SEATS, "who owns each card of the city: 1 is the observer"),
    )


@cache
def pieces(encoding: Encoding, columns: int, lines: int, slots: int) -> tuple[Piece, ...]:
    """PIECES of an encoding, in the order of the vector."""
    own = _features if encoding == "features" else _ids
    return (*_common(slots), *own(columns, lines))


class Encoder(NamedTuple):
    """An encoding for one layout of the table: its pieces, the vector's size N and its bounds."""

    encoding: Encoding
    layout: Layout

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The named parts of the vector, in order."""
        return pieces(self.encoding, *self.layout)

    @property
    def size(self) -> int:
        """N: how many numbers the vector has."""
        return sum(piece.size for piece in self.pieces)

    @property
    def high(self) -> np.ndarray:
        """The largest value of every number: uint8 [N]."""
        return np.concatenate([np.full(piece.size, piece.high, np.uint8) for piece in self.pieces])

    def views(self, observation: np.ndarray) -> Mapping[str, np.ndarray]:
        """Named pieces of a vector [..., N], as views of its memory with the piece's shape."""
        ends = np.cumsum([piece.size for piece in self.pieces])
        parts = np.split(observation, ends[:-1], axis=-1)
        lead = observation.shape[:-1]
        return {piece.name: part.reshape(*lead, *piece.shape) for piece, part in zip(self.pieces, parts, strict=True)}


def make_encoder(box: Box, encoding: str) -> Encoder:
    """The encoder for a box; raises SettingError for an unknown encoding."""
    if encoding not in get_args(Encoding):
        raise SettingError(f"encoding must be one of {', '.join(get_args(Encoding))}, not {encoding!r}")
    return Encoder(encoding, box.layout)  # type: ignore[arg-type]


def observe(box: Box, games: np.ndarray, index: int, seat: int, encoding: Encoding, out: np.ndarray) -> np.ndarray:
    """Write what a seat sees of a game into out, uint8 [N], and return it."""
    write = write_features if encoding == "features" else write_ids
    write(box.record, games, index, seat, out)
    return out


@kernel
def relative(box, seat, me):
    """Seats as the observer counts them: 0 is me, then clockwise."""
    return (seat - me) % box.players


@kernel
def put(out, at, number):
    """One number; returns where the next one goes."""
    out[at] = min(number, FULL)
    return at + 1


@kernel
def put_one_hot(out, at, number, size):
    """A one in the number's place, or none where it is NOTHING."""
    if number != NOTHING:
        out[at + number] = 1
    return at + size


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
    marks, seats = at, at + SEATS * 5
    hand = seats + SEATS * 5
    stock = hand + SEATS * WORKER_CARDS
    for place in range(box.players):
        seat = (me + place) % box.players
        out[marks + place * 5] = 1
        out[marks + place * 5 + 1] = seat == game.active
        out[marks + place * 5 + 2] = seat == game.to_move
        out[marks + place * 5 + 3] = seat == game.first
        out[marks + place * 5 + 4] = seat == game.trigger
        at = put(out, seats + place * 5, game.coins[seat])
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
    """Pieces slots and square."""
    slots = game.lodger.shape[1]
    for resource in range(RESOURCES):
        for slot in range(slots):
            for seat in range(box.players):
                if slot < box.upper_slot:
                    out[at + relative(box, seat, me)] = game.lodger[resource, slot] == seat
                elif slot == box.upper_slot:
                    out[at + relative(box, seat, me)] = game.upper[resource, seat]
            at += SEATS
    for resource in range(RESOURCES):
        if game.on_square[resource] != NOBODY:
            out[at + relative(box, game.on_square[resource], me)] = 1
        at += SEATS
    return at


@kernel
def put_characters(box, game, me, out, at):
    """Pieces characters to piles."""
    for character in range(CHARACTERS):
        if game.owner[character] != NOBODY:
            out[at + relative(box, game.owner[character], me) * CHARACTERS + character] = 1
    at += SEATS * CHARACTERS
    for guild in range(GUILDS):
        if game.pile_size[guild] > 0:
            out[at + game.pile[guild, game.pile_size[guild] - 1]] = 1
    at += CHARACTERS
    for guild in range(GUILDS):
        at = put(out, at, game.pile_size[guild])
    return at


@kernel
def put_cards_left(box, game, out, at):
    """Piece unseen."""
    for card in range(BUILDINGS):
        if not game.card_seen[card]:
            out[at + box.suit[card]] += 1
    return at + SUITS


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
            at = put(out, at, box.price[worker, position])
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
    at = put_cards_left(box, game, out, at)
    return put_prices(box, game, me, out, at)


@kernel
def put_card(box, card, out, at):
    """[CARD] numbers of a card by what it does; zeros where there is none."""
    if card == NOTHING:
        return at + CARD
    at = put(out, at, 1)
    for resource in range(RESOURCES):
        at = put(out, at, box.cost[card, resource])
    at = put_one_hot(out, at, box.suit[card], SUITS)
    at = put(out, at, box.base_value[card])
    at = put(out, at, box.per[card])
    at = put_one_hot(out, at, box.counts[card], FORMULAS)
    at = put(out, at, box.shield[card])
    at = put_one_hot(out, at, box.bonus[card], KINDS_OF_BONUS)
    for side in range(SIDES):
        at = put(out, at, box.streets[card, side])
    return at


@kernel
def put_lot(box, game, entry, me, out, at):
    """[LOT] numbers of a card of the city."""
    card = game.city_card[entry]
    at = put_one_hot(out, at, box.suit[card], SUITS)
    at = put(out, at, box.per[card])
    at = put_one_hot(out, at, box.counts[card], FORMULAS)
    at = put(out, at, box.shield[card])
    at = put_one_hot(out, at, box.bonus[card], KINDS_OF_BONUS)
    if game.city_owner[entry] != NOBODY:
        out[at + relative(box, game.city_owner[entry], me)] = 1
    put(out, at + SEATS, scoring.building_value(box, game, entry))


@kernel
def put_sides(box, game, out, at):
    """Piece sides: streets and houses of every card, and what they turn to the frontier."""
    for entry in range(game.city_size):
        cell, card = game.city_cell[entry], game.city_card[entry]
        for side in range(SIDES):
            out[at + cell * 2 * SIDES + (0 if box.streets[card, side] else SIDES) + side] = 1
    for place in range(game.frontier_size):
        cell = game.frontier[place]
        for bit in range(2 * SIDES):
            out[at + cell * 2 * SIDES + bit] = (game.facing[cell] >> bit) & 1


@kernel
def if_seen(game, card):
    """[K1] A card that has once lain face up is known for ever after."""
    return card if card != NOTHING and game.card_seen[card] else NOTHING


@kernel
def last_coin(game, seat):
    """The coin gained last, NOTHING where there is none."""
    return game.coin[seat, game.coins[seat] - 1] if game.coins[seat] > 0 else NOTHING


@kernel
def write_features(boxes, games, index, me, out):
    """Write the encoding `features` of a game as seat `me` sees it: out [N] uint8."""
    box, game = boxes[0], games[index]
    out[:] = 0
    at = put_common(box, game, me, out)
    for position in range(ROW):
        at = put_card(box, game.row[position], out, at)
    for place in range(SEATS):
        seat = (me + place) % box.players
        for index_held in range(HELD):
            card = game.held[seat, index_held] if place < box.players else NOTHING
            at = put_card(box, card, out, at)
    for place in range(SEATS):
        card = last_coin(game, (me + place) % box.players) if place < box.players else NOTHING
        at = put_card(box, if_seen(game, card), out, at)
    at = put_card(box, if_seen(game, game.deck[game.deck_top]), out, at)
    for entry in range(game.city_size):
        put_lot(box, game, entry, me, out, at + game.city_cell[entry] * LOT)
    put_sides(box, game, out, at + box.columns * box.lines * LOT)


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
        cell, owner = game.city_cell[entry], game.city_owner[entry]
        out[at + cell] = game.city_card[entry] + 1
        if owner != NOBODY:
            out[at + box.columns * box.lines + cell] = relative(box, owner, me) + 1
