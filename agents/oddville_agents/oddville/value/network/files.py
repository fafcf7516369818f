"""The value network's inputs, architectures and files.

Inputs are named groups of numbers, `OWN` for every seat, `SHARED` for the table, in the order of `features.py`;
training scales them. All code that computes with a network (numba, torch, ONNX) takes its sizes from here.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from oddville_agents.networks.value_files import Group, ValueFiles, digest_of, size_of
from oddville_env.oddville.cards.words import Counts
from oddville_env.oddville.rules.state import (
    BONUSES,
    CHARACTERS,
    GUILDS,
    HELD,
    LAST_WORKER,
    MOST_COINS,
    MOST_HELD,
    RESOURCES,
    ROW,
    SEATS,
    SUITS,
    WORKER_CARDS,
    Phase,
)

PROJECTS = HELD + ROW  # held buildings and the row's
BEST = 2  # projects that are described, of the held ones and of the row's
PROJECT = 8 + RESOURCES  # numbers that describe one
THROUGH = LAST_WORKER + 1  # workers in the city, at most

OWN = (
    Group("formula", 12, "log odds, score, expected gain, and its terms: projects, the first, the second, worker "
          "cards, coins, spare workers, powers of characters, characters called back, what is pending"),
    Group("clock", 3 + SEATS, "own turns until the end, turns to the sixth worker, the part to come, turns to wait"),
    Group("held", BEST * PROJECT, "the best held projects: there, discounted value, value, turns, next character, "
          "price, workers, per, missing resources"),
    Group("row", BEST * PROJECT, "the row's best projects, alike"),
    Group("hand", WORKER_CARDS + 2, "worker cards, how many, coins to recover"),
    Group("stock", 2 * RESOURCES + 2, "workers on each resource, those on its upper slot, supply, whether it is empty"),
    Group("coins", MOST_COINS, "at least 1, at least 2, ..."),
    Group("settled", THROUGH, "workers in the city: at least 1, at least 2, ..."),
    Group("holding", MOST_HELD, "held buildings: at least 1, at least 2"),
    Group("characters", CHARACTERS, "which ones the seat has"),
    Group("city", len(Counts) + 2, "points for each further card that own formulas count, own cards and their value"),
    Group("marks", 5, "has the turn, is to move, was first, is the trigger, is on the square"),
    Group("phase", len(Phase) + 1, "of the seat to move: the phase, and whether it must discard"),
    Group("turn", 4, "of the seat that has the turn: recovered, flipped, swapped, built"),
    Group("pending", BONUSES, "of the seat to move: bonuses not yet resolved"),
)  # fmt: skip
SHARED = (
    Group("board", 2 * RESOURCES, "price of each resource's cheapest slot, how many of the dear ones are free"),
    Group("city", 2 + SUITS, "cards in the city, cells to build on, cards of each suit"),
    Group("deck", SUITS, "unseen cards of each suit"),
    Group("offer", SUITS + RESOURCES, "the row's suits and costs"),
    Group("piles", GUILDS + CHARACTERS, "how many characters each has, and which ones lie on top"),
    Group("time", 4, "rounds, turns of all seats until the end, the part to come, whether the end is near"),
)

OWN_SIZE, SHARED_SIZE = size_of(OWN), size_of(SHARED)
DIGEST = digest_of(OWN + SHARED)


class Architecture(NamedTuple):
    """The widths of the hidden layers; the first one is a multiple of `forward.STEP`."""

    first: int
    second: int

    @property
    def tensors(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its tensors, by their names in files."""
        return {
            "own": (OWN_SIZE, 2 * self.first),  # for the seat itself, and for its rivals
            "shared": (SHARED_SIZE, self.first),
            "first_bias": (self.first,),
            "second": (self.first, self.second),
            "second_bias": (self.second,),
            "third": (self.second,),
        }


ARCHITECTURES = {"64-32": Architecture(64, 32)}
"""By the names that plans and files give them; the first one is meant where none is named."""
USUAL = next(iter(ARCHITECTURES))


def architecture_of(tensors: Mapping[str, np.ndarray]) -> Architecture:
    """The architecture of a network's tensors."""
    return Architecture(*tensors["second"].shape)


def widest(networks: Sequence[Mapping[str, np.ndarray]]) -> Architecture:
    """The narrowest architecture that has room for all of these networks."""
    widths = [architecture_of(tensors) for tensors in networks] or [ARCHITECTURES[USUAL]]
    return Architecture(*map(max, zip(*widths, strict=True)))


def widened(tensors: Mapping[str, np.ndarray], to: Architecture) -> dict[str, np.ndarray]:
    """A network in a wider architecture: its further numbers are zeros, so that it says the same."""
    halves = np.split(tensors["own"], 2, axis=1)
    own = np.concatenate([_filled(half, (OWN_SIZE, to.first)) for half in halves], axis=1)
    return {name: own if name == "own" else _filled(tensors[name], shape) for name, shape in to.tensors.items()}


def _filled(tensor: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return np.pad(tensor, [(0, size - now) for size, now in zip(shape, tensor.shape, strict=True)])


LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FORMULA = "formula"
"""The name of no network."""
FILES = ValueFiles("oddville-value", DIGEST, {name: each.tensors for name, each in ARCHITECTURES.items()}, LEARNED)
read_network, write_network = FILES.read, FILES.write


def network_of(name: str) -> dict[str, np.ndarray] | None:
    """The tensors that `learned` or a file means; None for `formula`. Raises NetworkError."""
    return None if name == FORMULA else FILES.named(name)
