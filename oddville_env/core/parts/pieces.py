"""What a learner sees: named pieces, one after the other, in one flat vector of uint8.

A writer of pieces puts its numbers from `at` on into the vector out [N], which is zero before, and returns where it
ended.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.jit import kernel

FULL = 255  # the largest number that the vector can hold; larger ones are cut to it


class Piece(NamedTuple):
    """A named part of the observation; its numbers lie in 0..high. Letters of shapes are the sizes of the law."""

    name: str
    shape: tuple[int, ...]
    high: int
    text: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


Writer = Callable[[np.ndarray, np.ndarray, int, int, np.ndarray], None]
"""(boxes, games, index, seat, out uint8 [N]): write what a seat sees of a game."""


@dataclass(frozen=True)
class PieceVector:
    """A vector of pieces, one after the other: its size N, its bounds, and the pieces as views of it."""

    pieces: tuple[Piece, ...] = field(repr=False)

    @cached_property
    def size(self) -> int:
        """N: how many numbers the vector has."""
        return sum(piece.size for piece in self.pieces)

    @cached_property
    def high(self) -> np.ndarray:
        """The largest value of every number: uint8 [N]."""
        return np.concatenate([np.full(piece.size, piece.high, np.uint8) for piece in self.pieces])

    def views(self, observation: np.ndarray) -> Mapping[str, np.ndarray]:
        """Named pieces of a vector [..., N], as views of its memory with the piece's shape."""
        ends = np.cumsum([piece.size for piece in self.pieces])
        parts = np.split(observation, ends[:-1], axis=-1)
        lead = observation.shape[:-1]
        named = zip(self.pieces, parts, strict=True)
        return {piece.name: part.reshape(*lead, *piece.shape) for piece, part in named}


@dataclass(frozen=True)
class Encoder(PieceVector):
    """An encoding for one layout of a game: its pieces, and the compiled function that writes the vector.

    code: the number that compiled loops know the encoding by.
    """

    encoding: str
    layout: Any
    code: int
    write: Writer = field(repr=False)


@kernel
def put(out, at, number):
    """One number; returns where the next one goes."""
    out[at] = min(number, FULL)
    return at + 1
