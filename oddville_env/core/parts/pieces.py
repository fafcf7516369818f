"""What a learner sees: named pieces, one after the other, in one flat vector of uint8.

A writer of pieces puts its numbers from `at` on into the vector out [N], which is zero before, and returns where it
ended.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

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


def size_of(pieces: Sequence[Piece]) -> int:
    """N: how many numbers a vector of these pieces has."""
    return sum(piece.size for piece in pieces)


def high_of(pieces: Sequence[Piece]) -> np.ndarray:
    """The largest value of every number: uint8 [N]."""
    return np.concatenate([np.full(piece.size, piece.high, np.uint8) for piece in pieces])


def views_of(pieces: Sequence[Piece], observation: np.ndarray) -> Mapping[str, np.ndarray]:
    """Named pieces of a vector [..., N], as views of its memory with the piece's shape."""
    ends = np.cumsum([piece.size for piece in pieces])
    parts = np.split(observation, ends[:-1], axis=-1)
    lead = observation.shape[:-1]
    return {piece.name: part.reshape(*lead, *piece.shape) for piece, part in zip(pieces, parts, strict=True)}


@kernel
def put(out, at, number):
    """One number; returns where the next one goes."""
    out[at] = min(number, FULL)
    return at + 1
