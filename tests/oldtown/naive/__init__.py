"""The naive twin of Old Town's engine: a second implementation of the rules, slow and plain, for tests only."""

from .deck import Deck
from .engine import NaiveGame, replay
from .puzzle import Puzzle, clues_too_many, is_good
from .random_play import busy, deal, even, random_game
from .solo import NaiveSolo

__all__ = [
    "Deck",
    "NaiveGame",
    "NaiveSolo",
    "Puzzle",
    "busy",
    "clues_too_many",
    "deal",
    "even",
    "is_good",
    "random_game",
    "replay",
]
