"""Card sets: what is printed on the components, read from five csv tables and checked."""

from oddville_env.oddville.cards.drawn import draw_cards
from oddville_env.oddville.cards.loader import BASE, NAMED, CardSet, base_cards, load_cards, summary, write_cards
from oddville_env.oddville.cards.sheet import CardError, Problem
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Bonus, Character, Counts, Resource, Side, Suit

__all__ = [
    "BASE",
    "NAMED",
    "NOBODY",
    "NOTHING",
    "Bonus",
    "CardError",
    "CardSet",
    "Character",
    "Counts",
    "Problem",
    "Resource",
    "Side",
    "Suit",
    "base_cards",
    "draw_cards",
    "load_cards",
    "summary",
    "write_cards",
]
