"""What a learner sees: named pieces, one after the other, in one flat vector of uint8.

It holds what the observer may know (OLDTOWN.md, "Who knows what") and nothing else. Seats are "me first": 0 is the
observer, the others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. Cards are described by
what they do, so that a policy can play another deck. With `memory` the cards played so far are told as well, at the end
of the vector, as a perfect memory has them.
"""

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

import numpy as np

from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS
from oddville_env.oldtown.encoding import CLUES, FULL, MARKS, PHASES, SIZES, write_features
from oddville_env.oldtown.rules.box import CARD, Box
from oddville_env.oldtown.rules.state import SEATS
from oddville_env.oldtown.settings import whole_number


class Piece(NamedTuple):
    """A named part of the observation; its numbers lie in 0..high."""

    name: str
    shape: tuple[int, ...]
    high: int
    text: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


PIECES = (
    Piece("phase", (PHASES,), 1, "one-hot: setup, take, main, show, remove, draw, over"),
    Piece("players", (SEATS,), 1, "one-hot: how many play, 1 to 4"),
    Piece("lone_confirm", (1,), 1, "a confirming card may be played by itself"),
    Piece("clock", (4,), FULL, "turn, cards of the common stack, cards still to draw, passes in a row"),
    Piece("marks", (SEATS, MARKS), 1, "each seat: takes part, is to move, was first"),
    Piece("seats", (SEATS, SIZES), FULL, "each seat: score, cards in hand, cards of its own stack"),
    Piece("mine", (SEATS, BUILDINGS), 1, "each seat's own buildings"),
    Piece("supply", (BUILDINGS,), 1, "buildings in supply"),
    Piece("unknown", (BUILDINGS,), 1, "buildings not on the board"),
    Piece("tokens", (BUILDINGS, LOTS), 1, "the lots of each building that has tokens"),
    Piece("standing", (BUILDINGS, LOTS), 1, "the lot of each building that stands"),
    Piece("hand", (CARDS,), 1, "the observer's cards by their numbers"),
    Piece("shown", (CARDS,), 1, "one-hot: the first card of a pair"),
    Piece("clues", (CLUES, CARD), 1, "the observer's cards, lowest first: type A C B, building, its lots (of a C card: "
          "those that have a partner), the own building's lots of a C card that have one"),
    Piece("played", (CARDS,), 1, "cards played or shown so far; only with memory"),
)  # fmt: skip


class Encoder(NamedTuple):
    """The layout with or without memory: its pieces, the vector's size N and its bounds."""

    memory: bool = True

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The named parts of the vector, in order."""
        return PIECES if self.memory else PIECES[:-1]

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


def observe(
    box: Box, games: np.ndarray, index: int, seat: int, out: np.ndarray | None = None, memory: bool = True
) -> np.ndarray:
    """Write what a seat sees of a game into out, uint8 [N], and return it. Raises SettingError for no such seat."""
    whole_number("seat", seat, 0, box.players - 1)
    out = np.zeros(Encoder(memory).size, np.uint8) if out is None else out
    write_features(box.record, games, index, seat, memory, out)
    return out
