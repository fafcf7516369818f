"""The naive twin of OddVille's engine: a second implementation of RULES.md, slow and plain, for tests only."""

from .cards import CardSet, load_cards
from .engine import NaiveGame

__all__ = ["CardSet", "NaiveGame", "load_cards"]
