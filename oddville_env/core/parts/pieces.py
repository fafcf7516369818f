"""Observations: named pieces, one after the other, in one flat vector of uint8 or float32.

A writer of pieces puts its numbers from `at` on into the vector out [N], which is zero before, and returns where it
ended. Where all pieces are rows of the same width D, the vector is shown as rows [T, D].
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.parts.loops import MEMORY, EncodingLoops, Loops, encoding_loops

FULL = 255  # the largest number that the vector can hold; larger ones are cut to it


class Piece(NamedTuple):
    """A named part of the observation; its numbers lie in low..high. Letters of shapes are the sizes of the law.

    unit: in a vector of float32, what its numbers are divided by, after they were cut to their bounds; several units
    are those of the last axis.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    text: str
    low: int = 0
    unit: int | tuple[int, ...] = 1

    @property
    def size(self) -> int:
        """The number of its numbers, the product of its shape."""
        return prod(self.shape)

    @property
    def units(self) -> np.ndarray:
        """The divisors of its numbers: float32, of its shape."""
        return np.broadcast_to(np.asarray(self.unit, np.float32), self.shape)


Writer = Callable[[np.ndarray, np.ndarray, int, int, np.ndarray], None]
"""(boxes, games, index, seat, out [N]): write what a seat sees of a game."""


@dataclass(frozen=True)
class PieceVector:
    """A vector of pieces, one after the other: its size N, its bounds, and the pieces as views of it.

    width: D, if it is shown as rows; 0 if it is flat.
    """

    pieces: tuple[Piece, ...] = field(repr=False)
    dtype: type[np.uint8] | type[np.float32] = field(default=np.uint8, kw_only=True)
    width: int = field(default=0, kw_only=True)

    @cached_property
    def size(self) -> int:
        """N: how many numbers the vector has."""
        return sum(piece.size for piece in self.pieces)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape in which it is shown: (N,), or (T, D)."""
        return (self.size // self.width, self.width) if self.width else (self.size,)

    @cached_property
    def high(self) -> np.ndarray:
        """The largest value of every number, in its shape."""
        _, high, unit = scales(self.pieces)
        highest: np.ndarray = (high / unit).astype(self.dtype).reshape(self.shape)
        return highest

    @cached_property
    def low(self) -> np.ndarray:
        """The smallest value of every number, in its shape."""
        low, _, unit = scales(self.pieces)
        lowest: np.ndarray = (low / unit).astype(self.dtype).reshape(self.shape)
        return lowest

    def views(self, observation: np.ndarray) -> Mapping[str, np.ndarray]:
        """Named pieces of a vector [..., N], or of rows [..., T, D], as views of its memory with the piece's shape."""
        ends = np.cumsum([piece.size for piece in self.pieces])
        lead = observation.shape[: observation.ndim - len(self.shape)]
        parts = np.split(observation.reshape(*lead, self.size), ends[:-1], axis=-1)
        named = zip(self.pieces, parts, strict=True)
        return {piece.name: part.reshape(*lead, *piece.shape) for piece, part in named}


@dataclass(frozen=True)
class Encoder(PieceVector):
    """An encoding for one layout of a game: its pieces, and the compiled functions that write its vectors."""

    encoding: str
    layout: Any
    write: Writer = field(repr=False)
    loops: EncodingLoops = field(repr=False)

    def observation(self, boxes: np.ndarray, games: np.ndarray, index: int, seat: int) -> np.ndarray:
        """Returns what a seat sees of one of the games, in a new array of the encoder's shape."""
        vector = np.empty(self.size, self.dtype)
        self.write(boxes, games, index, seat, vector)
        return vector.reshape(self.shape)


class Form(NamedTuple):
    """What an encoding is for every layout of a game.

    pieces: layout -> its pieces. write: the kernel that writes one vector. loops: those that `encoding_loops` makes of
    it. dtype: uint8, or float32 for numbers with units. width: D of an encoding of rows, 0 for a flat one.
    """

    pieces: Callable[[Any], tuple[Piece, ...]]
    write: Writer
    loops: EncodingLoops
    dtype: type[np.uint8] | type[np.float32] = np.uint8
    width: int = 0


def encoder_of(forms: Mapping[str, Form], encoding: str, layout: Any) -> Encoder:
    """Returns the encoder of an encoding for a layout; raises SettingError for a name that forms lacks."""
    if not isinstance(encoding, str) or encoding not in forms:
        raise SettingError(f"encoding must be one of {', '.join(forms)}, not {shown(encoding)}")
    return encoder_of_form(encoding, forms[encoding], layout)


def encoders(forms: Mapping[str, Form]) -> tuple[Callable[[str, Any], Encoder], Callable[[Any, str], Encoder]]:
    """Returns (encoding, layout) -> the encoder, and (box, encoding) -> the encoder, of a game's forms."""
    return partial(encoder_of, forms), lambda box, encoding: encoder_of(forms, encoding, box.layout)


@lru_cache(maxsize=64)
def encoder_of_form(encoding: str, form: Form, layout: Any) -> Encoder:
    """Returns the encoder of a form for a layout, under the name of an encoding.

    Raises SettingError where a piece of a form with a width has another shape than [T, width].
    """
    pieces = form.pieces(layout)
    for piece in pieces:
        if form.width and (len(piece.shape) != 2 or piece.shape[1] != form.width):
            expected = f"piece {shown(piece.name)} must be rows [T, {form.width}]"
            raise SettingError(f"encoding {shown(encoding)}: {expected}, not of shape {piece.shape}")
    return Encoder(pieces, encoding, layout, form.write, form.loops, dtype=form.dtype, width=form.width)


def scales(pieces: Sequence[Piece]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(low, high, unit), each float32 [N]: how the numbers of a vector of float32 are cut and divided."""
    low = np.concatenate([np.full(piece.size, piece.low, np.float32) for piece in pieces])
    high = np.concatenate([np.full(piece.size, piece.high, np.float32) for piece in pieces])
    return low, high, np.concatenate([piece.units.ravel() for piece in pieces])


@kernel
def scale(out, low, high, unit):
    """Cut the numbers of a vector to their bounds and divide them: out float32 [N]."""
    for index in range(out.size):
        out[index] = min(max(out[index], low[index]), high[index]) / unit[index]


def scaled_writers(
    pieces: Sequence[Piece], put_pieces: Callable[..., Any], memory: np.dtype = MEMORY
) -> tuple[Writer, Callable[..., Any]]:
    """The kernels `write` and `update` of a vector of float32, by a game's put_pieces(box, game, me, memory, out)."""
    low, high, unit = scales(pieces)

    @kernel
    def put_scaled(box, game, me, kept, out):
        """Write what seat `me` sees of a game, whatever was there before: out [N] float32."""
        out[:] = 0
        put_pieces(box, game, me, kept, out)
        scale(out, low, high, unit)

    @kernel
    def write_scaled(boxes, games, index, me, out):
        """The same, of a game of which nothing is kept."""
        kept = np.zeros(1, memory)
        put_scaled(boxes[0], games[index], me, kept[0], out)

    @kernel
    def update_scaled(boxes, games, index, me, memory, out):
        """The same with what is kept of each game."""
        put_scaled(boxes[0], games[index], me, memory[index], out)

    return write_scaled, update_scaled


def state_encoders(
    seen: Form, hidden: tuple[Piece, ...], put_hidden: Callable[..., Any], loops: Loops
) -> Callable[[Any], Encoder]:
    """Returns box -> the encoder of the global state: what seat 0 sees, then put_hidden(box, game, out, at)."""
    size, write_seen = sum(piece.size for piece in hidden), seen.write

    @kernel
    def write_state(boxes, games, index, me, out):
        """Write the global state of a game: out [N] uint8; seats stand in their absolute order, whatever `me` is."""
        end = out.size - size
        write_seen(boxes, games, index, 0, out[:end])
        out[end:] = 0
        put_hidden(boxes[0], games[index], out, end)

    form = Form(lambda layout: (*seen.pieces(layout), *hidden), write_state, encoding_loops(loops, write_state))
    return lambda box: encoder_of_form("state", form, box.layout)


def lead_piece(seats: int) -> Piece:
    """The piece `lead` of so many seats."""
    return Piece("lead", (seats,), FULL, "each seat's score less the best other's, if the game ended now", -FULL, 20)


def lead_writer(seats: int, score: Callable[..., Any]) -> Any:
    """The kernel that writes the piece `lead` of so many seats, by a game's kernel score(box, game, seat)."""

    @kernel
    def put_leads(box, game, me, out, at):
        """Each seat's score less the best other's, in the observer's order."""
        leader, best, second = -1, -FULL, -FULL
        for step in range(box.players):
            points = score(box, game, (me + step) % box.players)
            out[at + step] = points
            if points > best:
                leader, best, second = step, points, best
            else:
                second = max(second, points)
        for step in range(box.players):
            out[at + step] = min(out[at + step] - (second if step == leader else best), FULL)
        return at + seats

    return put_leads


@kernel
def put(out, at, number):
    """One number; returns where the next one goes."""
    out[at] = min(number, FULL)
    return at + 1


PRESENT, KIND, SEAT = 0, 1, 2
"""Columns of all rows: that it is there, the number of its kind from 1, and from SEAT on a one for each seat that has
it, the observer first."""


class Rows(NamedTuple):
    """The rows of one kind: how many, what their numbers are divided by, by column (1 elsewhere), and a text."""

    number: int
    text: str
    units: Mapping[int, int] = {}


def row_pieces(width: int, kinds: Mapping[str, Rows]) -> tuple[Piece, ...]:
    """A piece [rows, D] for each kind by its name; D is the width."""
    return tuple(
        Piece(name, (rows.number, width), FULL, rows.text, -FULL, tuple(rows.units.get(at, 1) for at in range(width)))
        for name, rows in kinds.items()
    )


def starts(kinds: Mapping[str, Rows]) -> tuple[int, ...]:
    """The first row of each kind."""
    numbers = [rows.number for rows in kinds.values()]
    return tuple(sum(numbers[:kind]) for kind in range(len(numbers)))


def row_writer(width: int) -> Any:
    """The kernel row_of(out, number, kind) of an encoding: it begins a row of out [N], and returns it as [D]."""

    @kernel
    def row_of(out, number, kind):
        """A row that is there."""
        row = out[number * width : (number + 1) * width]
        row[PRESENT], row[KIND] = 1, kind + 1
        return row

    return row_of


def spread(first: int, *units: int) -> dict[int, int]:
    """Units of neighbouring columns, the first of them at `first`."""
    return dict(enumerate(units, first))
