"""The rulebook's words as small integers: what the deck may say, and how compiled code says it."""

from enum import IntEnum

NOBODY = NOTHING = -1

# Sizes that the rules name (not the cards): they are numbers of OLDTOWN.md.
LOTS = 16  # S1
BUILDINGS = 18  # S1
CARDS = 60  # S2
A_CARDS, C_CARDS, B_CARDS = 18, 18, 24  # S2
A_LOTS = 4  # S2
B_LOTS = (7, 8)  # S2


class CardType(IntEnum):
    """[S2] In the order of the cards' numbers."""

    A, C, B = range(3)


FIRST_CARD = {CardType.A: 0, CardType.C: A_CARDS, CardType.B: A_CARDS + C_CARDS}
"""[S2] The index (number less one) of each type's first card."""
CARDS_OF = {CardType.A: A_CARDS, CardType.C: C_CARDS, CardType.B: B_CARDS}
"""[S2] The number of cards of each type."""
LETTERS = {"a": CardType.A, "b": CardType.B, "c": CardType.C}
"""The types as puzzles and moves name them."""

TYPE_OF = tuple(kind for kind in CardType for _ in range(CARDS_OF[kind]))
"""[S2] The type of every card by its index."""
