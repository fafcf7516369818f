"""Observations: named pieces, one after the other, in one flat vector.

An observation holds what is public (RULES.md, "Who knows what") and nothing else. Seats are "me first": 0 is the
observer, the others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. A piece stands beside
the kernel that writes it: `common` has those of `features` and `ids` (uint8), `summary` (float32) its own. `FORMS` has
a row for each encoding.
"""

from typing import Literal

import numpy as np

from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Encoder, Form, Piece, encoders
from oddville_env.oddville.loops import LOOPS
from oddville_env.oddville.observation.common import common_pieces
from oddville_env.oddville.observation.entities import ENTITIES, WIDTH, write_entities
from oddville_env.oddville.observation.features import features, update_features, write_features
from oddville_env.oddville.observation.ids import ids, write_ids
from oddville_env.oddville.observation.sites import SITES
from oddville_env.oddville.observation.summary import SUMMARY, update_summary, write_summary

__all__ = ["ENCODINGS", "FORMS", "Encoder", "Encoding", "Piece", "encoder_of", "make_encoder"]

Encoding = Literal["features", "ids", "summary", "entities"]


FORMS: dict[str, Form] = {
    "features": Form(
        lambda layout: (*common_pieces(layout.slots), *features(layout.columns, layout.lines)),
        write_features,
        encoding_loops(LOOPS, write_features, update_features),
    ),
    "ids": Form(
        lambda layout: (*common_pieces(layout.slots), *ids(layout.columns, layout.lines)),
        write_ids,
        encoding_loops(LOOPS, write_ids),
    ),
    "summary": Form(
        lambda layout: SUMMARY, write_summary, encoding_loops(LOOPS, write_summary, update_summary, SITES), np.float32
    ),
    "entities": Form(lambda layout: ENTITIES, write_entities, encoding_loops(LOOPS, write_entities), np.float32, WIDTH),
}
"""The encodings by name, the default first. A further row is a further encoding for agents and environments."""
ENCODINGS = tuple(FORMS)
encoder_of, make_encoder = encoders(FORMS)
"""(encoding, layout) -> the encoder, and (box, encoding) -> the encoder; raise SettingError for an unknown encoding."""
