"""The value network that corrects the formula: its inputs, its compiled pass, and its files.

Inputs are named groups of numbers, `OWN` for every seat, `SHARED` for the table, in the order of `features.py`;
training scales them. All code that computes with a network (numba, torch, ONNX) takes its sizes from here.

A seat's first hidden layer sums what the network makes of the seat, of the table, and of all rivals alike, so one table
of weights serves any number of players, and each seat's numbers are multiplied once.

    hidden(seat) = relu(bias + shared @ table + own[seat] @ self + sum of own[rival] @ rival)
    correction(seat) = relu(hidden(seat) @ second + ...) @ third

Every sum is taken in the order of the inputs. Positions behind the moves from one position differ little: only what
differs from the first of them, the base, is multiplied, which changes the last bits and depends on these moves alone.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.tensors import Group, ValueFiles, digest_of, size_of
from oddville_env.core.compiled.arrays import BITS, bits_from, count_bits, overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import Counts
from oddville_env.oddville.rules import state

PROJECTS = state.HELD + state.ROW  # held buildings and the row's
BEST = 2  # projects that are described, of the held ones and of the row's
PROJECT = 8 + state.RESOURCES  # numbers that describe one
THROUGH = state.LAST_WORKER + 1  # workers in the city, at most

OWN = (
    Group("formula", 12, "log odds, score, expected gain, and its terms: projects, the first, the second, worker "
          "cards, coins, spare workers, powers of characters, characters called back, what is pending"),
    Group("clock", 3 + state.SEATS, "own turns until the end, turns to the sixth worker, the part to come, turns "
          "to wait"),
    Group("held", BEST * PROJECT, "the best held projects: there, discounted value, value, turns, next character, "
          "price, workers, per, missing resources"),
    Group("row", BEST * PROJECT, "the row's best projects, alike"),
    Group("hand", state.WORKER_CARDS + 2, "worker cards, how many, coins to recover"),
    Group("stock", 2 * state.RESOURCES + 2, "workers on each resource, those on its upper slot, supply, whether it "
          "is empty"),
    Group("coins", state.MOST_COINS, "at least 1, at least 2, ..."),
    Group("settled", THROUGH, "workers in the city: at least 1, at least 2, ..."),
    Group("holding", state.MOST_HELD, "held buildings: at least 1, at least 2"),
    Group("characters", state.CHARACTERS, "which ones the seat has"),
    Group("city", len(Counts) + 2, "points for each further card that own formulas count, own cards and their value"),
    Group("marks", 5, "has the turn, is to move, was first, is the trigger, is on the square"),
    Group("phase", len(state.Phase) + 1, "of the seat to move: the phase, and whether it must discard"),
    Group("turn", 4, "of the seat that has the turn: recovered, flipped, swapped, built"),
    Group("pending", state.BONUSES, "of the seat to move: bonuses not yet resolved"),
)  # fmt: skip
SHARED = (
    Group("board", 2 * state.RESOURCES, "price of each resource's cheapest slot, how many of the dear ones are free"),
    Group("city", 2 + state.SUITS, "cards in the city, cells to build on, cards of each suit"),
    Group("deck", state.SUITS, "unseen cards of each suit"),
    Group("offer", state.SUITS + state.RESOURCES, "the row's suits and costs"),
    Group("piles", state.GUILDS + state.CHARACTERS, "how many characters each has, and which ones lie on top"),
    Group("time", 4, "rounds, turns of all seats until the end, the part to come, whether the end is near"),
)

OWN_SIZE, SHARED_SIZE = size_of(OWN), size_of(SHARED)
DIGEST = digest_of(OWN + SHARED)


class Architecture(NamedTuple):
    """The widths of the hidden layers; the first one is a multiple of STEP."""

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
"""The network of version 1 of `champion`, by the preset `champion`."""
LEARNED_3 = LEARNED.with_name("learned_3.safetensors")
"""The network that `champion` and `search` play by, by the preset `night`."""
FORMULA = "formula"  # the name of no network
FILES = ValueFiles(
    "oddville-value", DIGEST, {name: each.tensors for name, each in ARCHITECTURES.items()}, LEARNED, LEARNED_3
)
read_network, write_network = FILES.read, FILES.write


def network_of(name: str) -> dict[str, np.ndarray] | None:
    """The tensors of one of the networks above or of a file; None for `formula`. Raises NetworkError."""
    return None if name == FORMULA else FILES.named(name)


STEP = 4  # rows that are multiplied at once


def network_fields(architecture: Architecture) -> list[tuple[Any, ...]]:
    """The fields of a record that holds a network and its scratch; what is multiplied comes first."""
    assert architecture.first % STEP == 0, f"the first layer's width must be a multiple of {STEP}"
    most = max(OWN_SIZE, SHARED_SIZE)
    return [
        *((f"net_{name}", "f4", shape) for name, shape in architecture.tensors.items()),
        ("made_own", "f4", (state.SEATS, 2 * architecture.first)),  # scratch
        ("made_shared", "f4", (architecture.first,)),
        ("base_made_own", "f4", (state.SEATS, 2 * architecture.first)),
        ("base_made_shared", "f4", (architecture.first,)),
        ("first", "f4", (architecture.first,)),
        ("second", "f4", (state.SEATS, architecture.second)),
        ("units", "i8", (architecture.first,)),  # the rows of net_second: 0, 1, 2, ...
        ("differences", "f4", (most,)),  # from the base
        ("marks", "i1", (-(-most // BITS) * BITS,)),  # 1 where there is one
        ("rows", "i8", (most + STEP,)),  # where they are, and how large
        ("changes", "f4", (most + STEP,)),
        ("totals", "f4", (state.SEATS,)),
        ("has_base", "?"),  # there is a position that others are compared with
        ("base_own", "f4", (state.SEATS, OWN_SIZE)),  # what was seen there, and made of it
        ("base_shared", "f4", (SHARED_SIZE,)),
    ]


@kernel
def find_changes(numbers, base, scratch):
    """Note where numbers differ from the base, and by how much; returns how many are noted, always whole steps."""
    differences, marks, rows, changes = scratch.differences, scratch.marks, scratch.rows, scratch.changes
    for at in range(numbers.size):
        differences[at] = numbers[at] - base[at]
        marks[at] = differences[at] != np.float32(0)
    marks[numbers.size :] = 0
    found = 0
    for start in range(0, numbers.size, BITS):
        bits = bits_from(marks, start)
        while bits != 0:
            below = bits - np.uint64(1)
            rows[found] = start + count_bits(~bits & below)
            changes[found] = differences[rows[found]]
            found += 1
            bits &= below
    while found % STEP != 0:
        rows[found], changes[found] = 0, np.float32(0)
        found += 1
    return found


@kernel
def multiply(count, rows, changes, table, made):
    """Add to `made` what some changes times rows of the table bring: STEP at once, so that it is vectorized."""
    for at in range(0, count, STEP):
        row_0, row_1, row_2, row_3 = rows[at], rows[at + 1], rows[at + 2], rows[at + 3]
        by_0, by_1, by_2, by_3 = changes[at], changes[at + 1], changes[at + 2], changes[at + 3]
        for unit in range(made.size):
            total = made[unit] + by_0 * table[row_0, unit]
            total += by_1 * table[row_1, unit]
            total += by_2 * table[row_2, unit]
            made[unit] = total + by_3 * table[row_3, unit]


@kernel
def clear_base(evaluator):
    """There is no base: all its numbers are 0."""
    evaluator.has_base = False
    evaluator.base_own[:] = np.float32(0)
    evaluator.base_shared[:] = np.float32(0)
    evaluator.base_made_own[:] = np.float32(0)
    overwrite(evaluator.base_made_shared, evaluator.net_first_bias)


@kernel
def set_base(evaluator):
    """The base is the position that was looked at last."""
    evaluator.has_base = True
    overwrite(evaluator.base_own, evaluator.own)
    overwrite(evaluator.base_shared, evaluator.shared)
    overwrite(evaluator.base_made_own, evaluator.made_own)
    overwrite(evaluator.base_made_shared, evaluator.made_shared)


@kernel
def correct(box, evaluator, out):
    """Add the network's corrections to log odds out [P] float64, by what `features.look` has written."""
    overwrite(evaluator.made_own, evaluator.base_made_own)
    overwrite(evaluator.made_shared, evaluator.base_made_shared)
    found = find_changes(evaluator.shared, evaluator.base_shared, evaluator)
    multiply(found, evaluator.rows, evaluator.changes, evaluator.net_shared, evaluator.made_shared)
    for seat in range(box.players):
        found = find_changes(evaluator.own[seat], evaluator.base_own[seat], evaluator)
        multiply(found, evaluator.rows, evaluator.changes, evaluator.net_own, evaluator.made_own[seat])
    for seat in range(box.players):
        make_second(box, seat, evaluator)
    totals, second, third = evaluator.totals, evaluator.second, evaluator.net_third
    totals[:] = np.float32(0)
    for unit in range(third.size):
        for seat in range(state.SEATS):  # all at once, as each sum waits for the term before
            totals[seat] += max(second[seat, unit], np.float32(0)) * third[unit]
    for seat in range(box.players):
        out[seat] += totals[seat]


@kernel
def make_second(box, seat, evaluator):
    """Write a seat's second hidden layer, by what the first layer made of all seats."""
    first, second = evaluator.first, evaluator.second[seat]
    for unit in range(first.size):
        first[unit] = evaluator.made_shared[unit] + evaluator.made_own[seat, unit]
    for rival in range(box.players):
        if rival != seat:
            for unit in range(first.size):
                first[unit] += evaluator.made_own[rival, first.size + unit]
    overwrite(second, evaluator.net_second_bias)
    for unit in range(first.size):
        first[unit] = max(first[unit], np.float32(0))
    multiply(first.size, evaluator.units, first, evaluator.net_second, second)
