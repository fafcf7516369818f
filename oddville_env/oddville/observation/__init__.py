"""Observations: named pieces, one after the other, in one flat vector.

What is public is in it (RULES.md, "Who knows what"), and nothing else. Seats are "me first": 0 is the observer, the
others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. A piece stands beside the compiled
function that writes it: `common` has those of `features` and `ids` (uint8), these two their own; `summary` (float32)
has a form of its own.
"""

from oddville_env.core.parts.pieces import Encoder, Piece
from oddville_env.oddville.observation.encoder import ENCODINGS, Encoding, encoder_of, make_encoder, observe

__all__ = ["ENCODINGS", "Encoder", "Encoding", "Piece", "encoder_of", "make_encoder", "observe"]
