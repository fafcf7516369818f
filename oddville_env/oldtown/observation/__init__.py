"""Observations: named pieces, one after the other, in one flat vector.

An observation holds what the observer may know (OLDTOWN.md, "Who knows what") and nothing else. Seats are "me first":
0 is the observer, the others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. Cards are
described by what they do, so that a policy can play another deck. `features` ends with the cards played so far, as a
perfect memory has them; `memoryless` leaves them out. `summary` (float32) tells what the rules compute. `FORMS` has a
row for each encoding.
"""

from typing import Literal

import numpy as np

from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Encoder, Form, Piece, encoders
from oddville_env.oldtown.loops import LOOPS
from oddville_env.oldtown.observation.entities import ENTITIES, WIDTH, update_entities, write_entities
from oddville_env.oldtown.observation.features import PIECES, PLAYED, write_features, write_memoryless
from oddville_env.oldtown.observation.summary import JUDGED, SUMMARY, step, update_summary, write_summary

__all__ = ["ENCODINGS", "FORMS", "Encoder", "Encoding", "Piece", "encoder_of", "make_encoder"]

Encoding = Literal["features", "memoryless", "summary", "entities"]

FORMS: dict[str, Form] = {
    "features": Form(lambda layout: (*PIECES, *PLAYED), write_features, encoding_loops(LOOPS, write_features)),
    "memoryless": Form(lambda layout: PIECES, write_memoryless, encoding_loops(LOOPS, write_memoryless)),
    "summary": Form(
        lambda layout: SUMMARY,
        write_summary,
        encoding_loops(LOOPS, write_summary, update_summary, JUDGED, step),
        np.float32,
    ),
    "entities": Form(
        lambda layout: ENTITIES,
        write_entities,
        encoding_loops(LOOPS, write_entities, update_entities, JUDGED, step),
        np.float32,
        WIDTH,
    ),
}
"""The encodings by name, the default first. A further row is a further encoding for agents and environments."""
ENCODINGS = tuple(FORMS)
encoder_of, make_encoder = encoders(FORMS)
"""(encoding, layout) -> the encoder, and (box, encoding) -> the encoder; raise SettingError for an unknown encoding."""
