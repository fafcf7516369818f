"""The components as they are printed, in plain values for pages of any language."""

from functools import lru_cache
from typing import Any

from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import NOTHING
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.svg.palette import BUILDING_COLOURS


@lru_cache(maxsize=8)
def facts(box: Box) -> dict[str, dict[str, Any]]:
    """All cards by number, and names and colours of all buildings by their keys."""
    deck = box.deck
    return {
        "cards": {str(number): _card(deck, number) for number in range(1, len(deck.cards) + 1)},
        "names": {
            building.key: {"name": building.name, **BUILDING_COLOURS[number]._asdict()}
            for number, building in enumerate(deck.buildings)
        },
    }


def _card(deck: Deck, number: int) -> dict[str, Any]:
    card = deck.cards[number - 1]
    return {
        "type": card.type.name.lower(),
        "building": None if card.building == NOTHING else deck.keys[card.building],
        "lots": [lot + 1 for lot in card.lots],
        "relation": card.text,
        "text": describe.clue(deck, number),
    }
