"""The card sets that a run learns with: `base`, `drawn:SEED`, `drawn:FIRST-LAST`, or folders."""

from functools import cache

from oddville_env.oddville.cards import CardSet, base_cards, load_cards


@cache
def card_sets(names: tuple[str, ...]) -> list[CardSet]:
    """The sets, in order; raises CardError."""
    return [base_cards() if name == "base" else load_cards(name) for name in names]
