"""Observations: named pieces, one after the other, in one flat vector.

It holds what the observer may know (OLDTOWN.md, "Who knows what") and nothing else. Seats are "me first": 0 is the
observer, the others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. Cards are described by
what they do, so that a policy can play another deck. `features` ends with the cards played so far, as a perfect memory
has them; `memoryless` leaves them out. `summary` (float32) tells what the rules compute.
"""

from oddville_env.core.parts.pieces import Encoder, Piece
from oddville_env.oldtown.observation.encoder import ENCODINGS, Encoding, encoder_of, make_encoder

__all__ = ["ENCODINGS", "Encoder", "Encoding", "Piece", "encoder_of", "make_encoder"]
