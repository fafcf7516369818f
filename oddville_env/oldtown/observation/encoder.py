"""The encodings: with the memory of cards that were played, and without."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, get_args

import numpy as np

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.jit import kernel
from oddville_env.core.parts.pieces import Piece, high_of, size_of, views_of
from oddville_env.oldtown.observation.features import PIECES, PLAYED, write_features, write_memoryless
from oddville_env.oldtown.rules.actions import Layout
from oddville_env.oldtown.rules.box import Box

Encoding = Literal["features", "memoryless"]

Writer = Callable[[np.ndarray, np.ndarray, int, int, np.ndarray], None]
"""(boxes, games, index, seat, out uint8 [N]): write what a seat sees of a game."""

_OWN: dict[Encoding, tuple[tuple[Piece, ...], Writer]] = {
    "features": ((*PIECES, *PLAYED), write_features),
    "memoryless": (PIECES, write_memoryless),
}
"""The pieces of an encoding, and the compiled function that writes its vector."""
ENCODINGS: tuple[str, ...] = tuple(_OWN)
FEATURES = ENCODINGS.index("features")


class Encoder(NamedTuple):
    """An encoding for one deck: its pieces, the vector's size N and its bounds."""

    encoding: Encoding
    layout: Layout

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The named parts of the vector, in order."""
        return _OWN[self.encoding][0]

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
        raise SettingError(f"encoding must be one of {', '.join(get_args(Encoding))}, not {shown(encoding)}")
    return Encoder(encoding, box.layout)  # type: ignore[arg-type]


@kernel
def observe_one(boxes, games, index, seat, encoding, shown, out):
    """Write what a seat sees in the encoding asked for; nothing of what the vector showed before is used."""
    if encoding == FEATURES:
        write_features(boxes, games, index, seat, out)
    else:
        write_memoryless(boxes, games, index, seat, out)
