"""The naive twin of OddVille's engine: a second implementation of RULES.md, slow and plain, for tests only."""

from .cards import CardSet, load_cards
from .engine import NaiveGame, replay
from .random_play import deal, eager, random_game

__all__ = ["CardSet", "NaiveGame", "deal", "eager", "load_cards", "random_game", "replay"]
