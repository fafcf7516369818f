"""New card sets drawn at random, as well balanced as the base set: the same values, dealt out anew.

What stays: workers, board and square; of every building its value (`base`, `per`, `counts`, shield) and how many
resources it costs; over the whole set the size of each guild, how often each bonus and each pattern of streets occurs,
and how much of each resource is asked for; what each character is worth, and three characters a guild.
What is drawn: which resources a building costs, at most two of the same; its bonus and its streets; the guilds of the
cards that count rows or columns; which guild a character belongs to.
"""

from dataclasses import replace

import numpy as np

from oddville_env.oddville.cards.loader import CardSet, base_cards
from oddville_env.oddville.cards.words import Counts, Resource

MOST_OF_ONE = 2  # of a resource in one cost, as in the base set


def draw_cards(seed: int) -> CardSet:
    """The card set of a seed; equal seeds draw equal sets."""
    base, rng = base_cards(), np.random.default_rng(seed)
    return replace(
        base,
        name=f"drawn-{seed}",
        suit=_suits(base, rng),
        cost=_costs(base, rng),
        bonus=rng.permutation(base.bonus),
        streets=rng.permutation(base.streets),
        guild=rng.permutation(base.guild),
    )


def _suits(base: CardSet, rng: np.random.Generator) -> np.ndarray:
    """Cards that count rows or columns are dealt their guilds anew, each guild as many as before."""
    suit = base.suit.copy()
    lines = np.flatnonzero((base.counts == Counts.ROW) | (base.counts == Counts.COLUMN))
    suit[lines] = rng.permutation(suit[lines])
    return suit


def _costs(base: CardSet, rng: np.random.Generator) -> np.ndarray:
    """All resources of all costs are shuffled, then those of cards that ask too much of one are dealt again."""
    sizes = base.cost.sum(1)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    tokens = rng.permutation(np.repeat(np.tile(np.arange(len(Resource)), len(sizes)), base.cost.reshape(-1)))
    while True:
        cost = np.zeros_like(base.cost)
        np.add.at(cost, (owners, tokens), 1)
        wrong = cost.max(1) > MOST_OF_ONE
        if not wrong.any():
            return cost
        places = np.flatnonzero(wrong[owners])
        some = np.union1d(places, rng.choice(len(tokens), len(places), replace=False))
        tokens[some] = rng.permutation(tokens[some])
