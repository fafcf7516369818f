"""The encodings, and what each is for one layout of the table."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.core.jit import kernel
from oddville_env.core.parts.pieces import Piece, high_of, size_of, views_of
from oddville_env.oddville.observation.common import common
from oddville_env.oddville.observation.features import features, rewrite_features, write_features
from oddville_env.oddville.observation.ids import ids, write_ids
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import Box

Encoding = Literal["features", "ids"]

Writer = Callable[[np.ndarray, np.ndarray, int, int, np.ndarray], None]
"""(boxes, games, index, seat, out uint8 [N]): write what a seat sees of a game."""

_OWN: dict[Encoding, tuple[Callable[[int, int], tuple[Piece, ...]], Writer]] = {
    "features": (features, write_features),
    "ids": (ids, write_ids),
}
"""The pieces that an encoding has beside the common ones, and the compiled function that writes its vector."""
ENCODINGS: tuple[str, ...] = tuple(_OWN)
FEATURES = ENCODINGS.index("features")


@cache
def _pieces(encoding: Encoding, layout: Layout) -> tuple[Piece, ...]:
    own, _ = _OWN[encoding]
    return (*common(layout.slots), *own(layout.columns, layout.lines))


class Encoder(NamedTuple):
    """An encoding for one layout of the table: its pieces, the vector's size N and its bounds."""

    encoding: Encoding
    layout: Layout

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The named parts of the vector, in order."""
        return _pieces(self.encoding, self.layout)

    @property
    def write(self) -> Writer:
        """The compiled function that writes the vector."""
        return _OWN[self.encoding][1]

    @property
    def code(self) -> int:
        """The number that compiled loops know the encoding by."""
        return ENCODINGS.index(self.encoding)

    @property
    def size(self) -> int:
        """N: how many numbers the vector has."""
        return size_of(self.pieces)

    @property
    def high(self) -> np.ndarray:
        """The largest value of every number: uint8 [N]."""
        return high_of(self.pieces)

    def views(self, observation: np.ndarray) -> Mapping[str, np.ndarray]:
        """Named pieces of a vector [..., N], as views of its memory with the piece's shape."""
        return views_of(self.pieces, observation)


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


@kernel
def observe_one(boxes, games, index, seat, encoding, shown, out):
    """Write what a seat sees in the encoding asked for, over what was seen of another game or of this one."""
    if encoding != FEATURES:
        write_ids(boxes, games, index, seat, out)
    elif shown[index] == 0:
        write_features(boxes, games, index, seat, out)
    else:
        rewrite_features(boxes, games, index, seat, shown[index], out)
    shown[index] = games[index].city_size
