"""The encoding: own card, turn, and moves so far."""

from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Encoder, Form, Piece, encoder_of

from .rules import CARDS, LOOPS, MOST_MOVES, write
from .settings import LAYOUT, Box

PIECES = (
    Piece("card", (1,), CARDS, "own card + 1"),
    Piece("turn", (1,), 1, "the observer is to move"),
    Piece("moves", (MOST_MOVES,), 2, "each move + 1, 0 for none yet"),
)
FORMS = {"features": Form(lambda layout: PIECES, write, encoding_loops(LOOPS, write))}
ENCODINGS = tuple(FORMS)


def make_encoder(box: Box, encoding: str) -> Encoder:
    """Return the encoder. Raises SettingError for an unknown encoding."""
    return encoder_of(FORMS, encoding, LAYOUT)
