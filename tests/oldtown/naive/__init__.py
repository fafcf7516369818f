"""The naive twin of Old Town's engine: a second implementation of the rules, slow and plain, for tests only."""

from .deck import DECK
from .engine import NaiveGame
from .puzzle import Puzzle, clues_too_many
from .random_play import busy, even, random_game
from .solo import NaiveSolo

__all__ = ["DECK", "NaiveGame", "NaiveSolo", "Puzzle", "busy", "clues_too_many", "even", "random_game"]
