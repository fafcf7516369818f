"""The naive twin of Old Town's engine: a second implementation of the rules, slow and plain, for tests only."""

from .deck import DECK
from .engine import NaiveGame
from .puzzle import Puzzle
from .solo import NaiveSolo

__all__ = ["DECK", "NaiveGame", "NaiveSolo", "Puzzle"]
