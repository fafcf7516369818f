"""A card set in plain numbers, so that whoever typed in a box can count the real cards against it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from oddville_env.oddville.cards.loader import CardSet
from oddville_env.oddville.cards.words import NOTHING, Bonus, Counts, Resource, Suit


def summary(cards: CardSet) -> dict[str, dict[str, int]]:
    """The number of buildings of each suit, formula, bonus, cost and number of streets.

    `cost` counts buildings by how many resources they take, `resources` adds up what all of them take of each.
    """
    return {
        "suit": {suit.word: int(np.sum(cards.suit == suit)) for suit in Suit},
        "counts": {
            **{counts.word: int(np.sum(cards.counts == counts)) for counts in Counts},
            "nothing": int(np.sum(cards.counts == NOTHING)),
        },
        "bonus": {bonus.word: int(np.sum(cards.bonus == bonus)) for bonus in Bonus},
        "cost": _sizes(cards.cost.sum(axis=1)),
        "resources": {resource.word: int(cards.cost[:, resource].sum()) for resource in Resource},
        "streets": _sizes(cards.streets.sum(axis=1)),
    }


def _sizes(sizes: npt.NDArray[np.integer[Any]]) -> dict[str, int]:
    """Each number, from 1 to the largest, with how often it comes up."""
    return {str(size): int(np.sum(sizes == size)) for size in range(1, int(sizes.max()) + 1)}
