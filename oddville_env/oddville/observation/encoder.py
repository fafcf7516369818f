"""The encodings, and what each is for one layout of the table."""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from oddville_env.core.checked.settings import whole_number
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.parts.pieces import Encoder, Piece, Writer
from oddville_env.oddville.observation.common import common
from oddville_env.oddville.observation.features import features, rewrite_features, write_features
from oddville_env.oddville.observation.ids import ids, write_ids
from oddville_env.oddville.observation.summary import SUMMARY, write_summary
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import Box

Encoding = Literal["features", "ids", "summary"]


class _Form(NamedTuple):
    """The pieces of an encoding for a layout, the compiled function that writes its vector, and what of."""

    pieces: Callable[[Layout], tuple[Piece, ...]]
    write: Writer
    dtype: type[np.uint8] | type[np.float32] = np.uint8


_OWN: dict[Encoding, _Form] = {
    "features": _Form(lambda of: (*common(of.slots), *features(of.columns, of.lines)), write_features),
    "ids": _Form(lambda of: (*common(of.slots), *ids(of.columns, of.lines)), write_ids),
    "summary": _Form(lambda _: SUMMARY, write_summary, np.float32),
}
ENCODINGS: tuple[str, ...] = tuple(_OWN)
FEATURES = ENCODINGS.index("features")


@lru_cache(maxsize=64)
def encoder_of(encoding: Encoding, layout: Layout) -> Encoder:
    """The encoder for a layout."""
    form = _OWN[encoding]
    return Encoder(form.pieces(layout), encoding, layout, ENCODINGS.index(encoding), form.write, dtype=form.dtype)


def make_encoder(box: Box, encoding: str) -> Encoder:
    """The encoder for a box; raises SettingError for an unknown encoding."""
    if encoding not in get_args(Encoding):
        raise SettingError(f"encoding must be one of {', '.join(get_args(Encoding))}, not {shown(encoding)}")
    return encoder_of(encoding, box.layout)


def observe(box: Box, games: np.ndarray, index: int, seat: int, encoding: Encoding, out: np.ndarray) -> np.ndarray:
    """Write what a seat sees of a game into out [N] and return it. Raises SettingError for no such seat."""
    whole_number("seat", seat, 0, box.players - 1)
    encoder_of(encoding, box.layout).write(box.record, games, index, seat, out)
    return out


@kernel
def observe_one(boxes, games, index, seat, encoding, shown, out):
    """Write what a seat sees in `features` or `ids`, over what was seen of another game or of this one."""
    if encoding != FEATURES:
        write_ids(boxes, games, index, seat, out)
    elif shown[index] == 0:
        write_features(boxes, games, index, seat, out)
    else:
        rewrite_features(boxes, games, index, seat, shown[index], out)
    shown[index] = games[index].city_size


@kernel
def observe_summary(boxes, games, index, seat, encoding, shown, out):
    """Write what a seat sees in the encoding `summary`; nothing of what the vector showed before is used."""
    write_summary(boxes, games, index, seat, out)
