"""The network as it plays: numpy alone, in float64, so that no move depends on which positions are scored together."""

import numpy as np

from oddville_agents.oldtown.policy.buildings import Sizes, building_numbers, numbers_read, terms_of
from oddville_agents.policies.networks import ScoreFunction, Weights
from oddville_env.core.parts.pieces import FULL, Encoder

ROOTS = np.sqrt(np.arange(FULL + 1.0))
"""Of every number that an observation can hold."""


def play(encoder: Encoder, sizes: Sizes, weights: Weights) -> ScoreFunction:
    """The scores by the weights of a `network.BuildingsNetwork`."""
    precise = {name: weight.astype(np.float64) for name, weight in weights.items()}
    read, known, (first, second) = numbers_read(encoder), building_numbers(encoder), terms_of(encoder.layout)

    def layer(name: str, numbers: np.ndarray) -> np.ndarray:
        product: np.ndarray = numbers @ precise[f"{name}.weight"].T + precise[f"{name}.bias"]
        return product

    def two_layers(name: str, numbers: np.ndarray) -> np.ndarray:
        hidden = np.maximum(layer(f"{name}.0", numbers), 0)
        found: np.ndarray = np.maximum(layer(f"{name}.2", hidden), 0)
        return found

    def scores(observations: np.ndarray) -> np.ndarray:
        numbers, games = ROOTS[observations], len(observations)
        buildings = two_layers("building", numbers[:, known])
        asked = layer("asked", buildings).reshape(games, -1)
        cards = layer("cards", buildings.reshape(games, -1))
        answers = np.concatenate([asked, cards, np.zeros((games, 1))], axis=1)
        moves = layer("moves", two_layers("body", numbers[:, read]))
        moves += answers[:, first] + answers[:, second]
        return moves

    return scores
