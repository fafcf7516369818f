"""What a learner sees: named pieces, one after the other, in one flat vector of uint8.

What is public is in it (RULES.md, "Who knows what"), and nothing else. Seats are "me first": 0 is the observer, the
others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. `features` describes cards by what
they do, so that a policy can play another card set; of the known cards that lie face down again it tells the deck's top
and each seat's last coin. `ids` tells them all, as small integers, for networks that embed.
"""

from collections.abc import Callable, Mapping
from functools import cache
from math import prod
from typing import Literal, NamedTuple, get_args

import numpy as np

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.oddville.encoding import FULL, LOT, MARKS, PHASES, UNKNOWN, write_features, write_ids
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import CARD, Box
from oddville_env.oddville.rules.state import (
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
)

ENCODINGS: tuple[str, ...] = ("features", "ids")

Encoding = Literal["features", "ids"]

Writer = Callable[[np.ndarray, np.ndarray, int, int, np.ndarray], None]
"""(boxes, games, index, seat, out uint8 [N]): write what a seat sees of a game."""


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
        Piece("marks", (SEATS, MARKS), 1, "each seat: takes part, has the turn, is to move, was first, is the trigger"),
        Piece("seats", (SEATS, MARKS), FULL, "each seat: coins, supply, workers in the city, held buildings, score"),
        Piece("hand", (SEATS, WORKER_CARDS), 1, "worker cards not yet played"),
        Piece("stock", (SEATS, RESOURCES), WORKERS, "workers on each resource, all slots"),
        Piece("slots", (RESOURCES, slots, SEATS), WORKERS, "whose workers are on each slot, the upper one last"),
        Piece("square", (RESOURCES, SEATS), 1, "whose worker stands on each field of the square"),
        Piece("characters", (SEATS, CHARACTERS), 1, "who has each character"),
        Piece("tops", (CHARACTERS,), 1, "characters on top of their pile"),
        Piece("piles", (GUILDS,), IN_GUILD, "characters in each pile"),
        Piece("met", (CHARACTERS,), 1, "characters that have lain on top or before a seat"),
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
    def write(self) -> Writer:
        """The compiled function that writes the vector."""
        return write_features if self.encoding == "features" else write_ids

    @property
    def code(self) -> int:
        """The number that compiled loops know the encoding by."""
        return ENCODINGS.index(self.encoding)

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
    """Write what a seat sees of a game into out, uint8 [N], and return it. Raises SettingError for no such seat."""
    whole_number("seat", seat, 0, box.players - 1)
    Encoder(encoding, box.layout).write(box.record, games, index, seat, out)
    return out
