"""The encodings: with the memory of cards that were played, without, and what the rules compute."""

from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.parts.pieces import Encoder, Piece, Writer
from oddville_env.oldtown.observation.features import PIECES, PLAYED, write_features, write_memoryless
from oddville_env.oldtown.observation.summary import SUMMARY, write_summary
from oddville_env.oldtown.rules.actions import Layout
from oddville_env.oldtown.rules.box import Box

Encoding = Literal["features", "memoryless", "summary"]


class _Form(NamedTuple):
    """The pieces of an encoding, the compiled function that writes its vector, and what of."""

    pieces: tuple[Piece, ...]
    write: Writer
    dtype: type[np.uint8] | type[np.float32] = np.uint8


_OWN: dict[Encoding, _Form] = {
    "features": _Form((*PIECES, *PLAYED), write_features),
    "memoryless": _Form(PIECES, write_memoryless),
    "summary": _Form(SUMMARY, write_summary, np.float32),
}
ENCODINGS: tuple[str, ...] = tuple(_OWN)
FEATURES = ENCODINGS.index("features")


@cache
def encoder_of(encoding: Encoding, layout: Layout) -> Encoder:
    """The encoder for a layout."""
    form = _OWN[encoding]
    return Encoder(form.pieces, encoding, layout, ENCODINGS.index(encoding), form.write, dtype=form.dtype)


def make_encoder(box: Box, encoding: str) -> Encoder:
    """The encoder for a box; raises SettingError for an unknown encoding."""
    if encoding not in get_args(Encoding):
        raise SettingError(f"encoding must be one of {', '.join(get_args(Encoding))}, not {shown(encoding)}")
    return encoder_of(encoding, box.layout)


@kernel
def observe_one(boxes, games, index, seat, encoding, shown, out):
    """Write what a seat sees in `features` or `memoryless`; nothing of what the vector showed before is used."""
    if encoding == FEATURES:
        write_features(boxes, games, index, seat, out)
    else:
        write_memoryless(boxes, games, index, seat, out)


@kernel
def observe_summary(boxes, games, index, seat, encoding, shown, out):
    """Write what a seat sees in the encoding `summary`; nothing of what the vector showed before is used."""
    write_summary(boxes, games, index, seat, out)
