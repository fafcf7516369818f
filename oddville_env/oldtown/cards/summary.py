"""A deck in plain numbers, so that whoever typed in a box can count the real cards against it."""

from collections import Counter

from oddville_env.oldtown.cards.deck import Deck
from oddville_env.oldtown.cards.words import LOTS, NOTHING, CardType


def summary(deck: Deck) -> dict[str, dict[str, int]]:
    """The number of cards of each type, building and lot, and of each number of pairs."""
    named = Counter(deck.keys[card.building] for card in deck.cards if card.building != NOTHING)
    lots = Counter(lot for card in deck.cards for lot in card.lots)
    pairs = Counter(len(card.pairs) for card in deck.cards if card.type == CardType.C)
    return {
        "type": {kind.name: sum(card.type == kind for card in deck.cards) for kind in CardType},
        "building": {key: named[key] for key in deck.keys},
        "lot": {str(lot + 1): lots[lot] for lot in range(LOTS)},
        "pairs": {str(number): pairs[number] for number in sorted(pairs)},
    }
