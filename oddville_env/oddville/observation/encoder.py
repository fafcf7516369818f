"""The encodings, and what each is for one layout of the table."""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.jit import kernel
from oddville_env.core.parts.pieces import Encoder, Piece, Writer
from oddville_env.oddville.observation.common import common
from oddville_env.oddville.observation.features import features, rewrite_features, write_features
from oddville_env.oddville.observation.ids import ids, write_ids
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import Box

Encoding = Literal["features", "ids"]

_OWN: dict[Encoding, tuple[Callable[[int, int], tuple[Piece, ...]], Writer]] = {
    "features": (features, write_features),
    "ids": (ids, write_ids),
}
"""The pieces that an encoding has beside the common ones, and the compiled function that writes its vector."""
ENCODINGS: tuple[str, ...] = tuple(_OWN)
FEATURES = ENCODINGS.index("features")


@lru_cache(maxsize=64)
def encoder_of(encoding: Encoding, layout: Layout) -> Encoder:
    """The encoder for a layout."""
    own, write = _OWN[encoding]
    pieces = (*common(layout.slots), *own(layout.columns, layout.lines))
    return Encoder(pieces, encoding, layout, ENCODINGS.index(encoding), write)


def make_encoder(box: Box, encoding: str) -> Encoder:
    """The encoder for a box; raises SettingError for an unknown encoding."""
    if encoding not in get_args(Encoding):
        raise SettingError(f"encoding must be one of {', '.join(get_args(Encoding))}, not {shown(encoding)}")
    return encoder_of(encoding, box.layout)


def observe(box: Box, games: np.ndarray, index: int, seat: int, encoding: Encoding, out: np.ndarray) -> np.ndarray:
    """Write what a seat sees of a game into out, uint8 [N], and return it. Raises SettingError for no such seat."""
    whole_number("seat", seat, 0, box.players - 1)
    encoder_of(encoding, box.layout).write(box.record, games, index, seat, out)
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
