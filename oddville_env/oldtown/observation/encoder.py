"""The encodings: with the memory of cards that were played, and without."""

from functools import cache
from typing import Literal, get_args

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.jit import kernel
from oddville_env.core.parts.pieces import Encoder, Piece, Writer
from oddville_env.oldtown.observation.features import PIECES, PLAYED, write_features, write_memoryless
from oddville_env.oldtown.rules.actions import Layout
from oddville_env.oldtown.rules.box import Box

Encoding = Literal["features", "memoryless"]

_OWN: dict[Encoding, tuple[tuple[Piece, ...], Writer]] = {
    "features": ((*PIECES, *PLAYED), write_features),
    "memoryless": (PIECES, write_memoryless),
}
"""The pieces of an encoding, and the compiled function that writes its vector."""
ENCODINGS: tuple[str, ...] = tuple(_OWN)
FEATURES = ENCODINGS.index("features")


@cache
def encoder_of(encoding: Encoding, layout: Layout) -> Encoder:
    """The encoder for a layout."""
    pieces, write = _OWN[encoding]
    return Encoder(pieces, encoding, layout, ENCODINGS.index(encoding), write)


def make_encoder(box: Box, encoding: str) -> Encoder:
    """The encoder for a box; raises SettingError for an unknown encoding."""
    if encoding not in get_args(Encoding):
        raise SettingError(f"encoding must be one of {', '.join(get_args(Encoding))}, not {shown(encoding)}")
    return encoder_of(encoding, box.layout)


@kernel
def observe_one(boxes, games, index, seat, encoding, shown, out):
    """Write what a seat sees in the encoding asked for; nothing of what the vector showed before is used."""
    if encoding == FEATURES:
        write_features(boxes, games, index, seat, out)
    else:
        write_memoryless(boxes, games, index, seat, out)
