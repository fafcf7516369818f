"""The components as they are printed, in plain values for pages of any language."""

from functools import lru_cache
from typing import Any

from oddville_env.oddville import describe
from oddville_env.oddville.cards import NOTHING, Bonus, Character, Counts, Resource, Suit
from oddville_env.oddville.rules.box import Box


@lru_cache(maxsize=8)
def facts(box: Box) -> dict[str, dict[str, Any]]:
    """All building cards by id and all characters by their words."""
    return {
        "cards": {str(card): _building(box, card) for card in range(len(box.cards.suit))},
        "characters": {figure.word: _character(box, figure) for figure in Character},
    }


def _building(box: Box, card: int) -> dict[str, Any]:
    cards = box.cards
    counts, costs = int(cards.counts[card]), [int(amount) for amount in cards.cost[card]]
    return {
        "suit": Suit(int(cards.suit[card])).word,
        "base": int(cards.base[card]),
        "per": int(cards.per[card]),
        "counts": None if counts == NOTHING else Counts(counts).word,
        "shield": int(cards.shield[card]),
        "cost": {kind.word: costs[kind] for kind in Resource if costs[kind]},
        "bonus": Bonus(int(cards.bonus[card])).word,
        "streets": describe.streets(cards, card).replace("-", ""),
        "text": describe.building(cards, card),
    }


def _character(box: Box, figure: Character) -> dict[str, Any]:
    return {
        "guild": Suit(int(box.cards.guild[figure])).word,
        "points": int(box.cards.points[figure]),
        "title": describe.title(figure),
        "power": describe.power(figure),
    }
