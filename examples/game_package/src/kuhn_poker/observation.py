"""What a learner sees: the own card, whose turn it is, and what was done."""

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.parts.pieces import Encoder, Piece

from .rules import CARDS, MOST_MOVES, write
from .settings import LAYOUT, Box

ENCODINGS = ("features",)
PIECES = (
    Piece("card", (1,), CARDS, "the own card + 1"),
    Piece("turn", (1,), 1, "the observer is to move"),
    Piece("moves", (MOST_MOVES,), 2, "each move + 1, 0 where there was none yet"),
)
ENCODER = Encoder(PIECES, ENCODINGS[0], LAYOUT, 0, write)


def make_encoder(box: Box, encoding: str) -> Encoder:
    """The encoder; raises SettingError for an unknown encoding."""
    if encoding not in ENCODINGS:
        raise SettingError(f"encoding must be one of {', '.join(ENCODINGS)}, not {shown(encoding)}")
    return ENCODER
