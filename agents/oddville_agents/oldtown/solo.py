"""Agents for puzzles: `policy`, one pass of belief propagation a move, and `solver`, which finds a solution.

`make_agent("solver", "oldtown.solo")`. Belief propagation is loopy (Pearl 1988; Murphy, Weiss and Jordan 1999), over
the lots of a puzzle's buildings:

    odds(building, lot) = crowd x log P(no other building there) - vacancy x log(sum of beliefs there)
                        + named and own x the log chances that its C cards give the lot
    belief = softmax over the building's lots of its odds, then inertia x the belief of the round before is mixed in

The five weights were fitted to solutions. One pass of ROUNDS rounds, no search.
"""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from oddville_agents.agent import Agent, ObservationAgent
from oddville_agents.player import AgentError
from oddville_agents.roster import Option, Roster
from oddville_env.core.checked import check, number, text
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.disk.reading import JsonFormat, kept_by_file
from oddville_env.core.errors import GameError, SettingError
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS, CardType
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.deduction.search import UNLIMITED, search
from oddville_env.oldtown.deduction.solver import sets_of_mine
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.game import MISTAKES, PIECES, OldTownSolo, observe

ENDS = np.cumsum([piece.size for piece in PIECES])
ROUNDS = 24
SMALLEST = 1e-9  # of a chance that is not excluded
WEIGHT_NAMES = ("crowd", "vacancy", "named", "own", "inertia")
"""The weights of messages: other buildings on a lot; a lot must be taken; a C card that names the building; one that
may mean it as own building; the belief of the round before."""


class Clues(NamedTuple):
    """A puzzle as it stands.

    town: its buildings, bool [18]. sets: the lots that A and B cards, standing buildings and wrong words leave to each
    building, bool [18, 16]. standing: those that are built, bool [18, 16]. cards: its C cards, int [N]. mine: the own
    buildings, bool [18]; none where they are not named. mine_count: how many they are.
    """

    town: np.ndarray
    sets: np.ndarray
    standing: np.ndarray
    cards: np.ndarray
    mine: np.ndarray
    mine_count: int


def read_clues(observation: np.ndarray) -> Clues:
    """Return the clues of an observation, uint8 [N]."""
    parts = np.split(observation, ENDS[:-1])
    seen = {piece.name: part.reshape(piece.shape) for piece, part in zip(PIECES, parts, strict=True)}
    described = seen["clues"].astype(bool)
    kinds, named, lots, _ = np.split(described, np.cumsum([len(CardType), BUILDINGS, LOTS]), axis=1)
    town, standing = seen["town"].astype(bool), seen["standing"].astype(bool)
    sets = town[:, None] & ~seen["wrong"].astype(bool)
    for card in np.flatnonzero(kinds[:, CardType.A] | kinds[:, CardType.B]).tolist():
        sets[named[card].argmax()] &= lots[card]
    sets[:, standing.any(0)] = False
    sets[standing.any(1)] = standing[standing.any(1)]
    cards = np.flatnonzero(kinds[:, CardType.C])
    return Clues(town, sets, standing, cards, seen["mine"].astype(bool), int(seen["mine_count"].argmax()) + 1)


def beliefs(weights: np.ndarray, clues: Clues, box: Box) -> np.ndarray:
    """The belief that each building stands on each lot: float [18, 16]; weights [5] as WEIGHT_NAMES lists them."""
    mine = clues.mine.astype(np.float64)
    if not clues.mine.any():
        mine = clues.town * clues.mine_count / clues.town.sum()
    found = np.zeros((BUILDINGS, LOTS))
    propagate(box.record, weights, clues.sets, clues.cards, mine, found)
    return found


@kernel
def propagate(boxes, weights, sets, cards, mine, found):
    """Beliefs after all rounds into found [18, 16]: sets bool [18, 16], cards int [N], mine [18] chances."""
    odds = np.zeros((BUILDINGS, LOTS))
    normalise(sets, odds, found)
    before = found.copy()
    for _ in range(ROUNDS):
        odds[:] = 0.0
        add_lots(weights, sets, before, odds)
        for card in cards:
            add_card(weights, boxes[0].named[card], boxes[0].pairs[card, 0], mine, before, odds)
        normalise(sets, odds, found)
        for building in range(BUILDINGS):
            for lot in range(LOTS):
                found[building, lot] += weights[4] * (before[building, lot] - found[building, lot])
        overwrite(before, found)


@kernel
def normalise(sets, odds, found):
    """Beliefs of each building from its log odds: they sum to 1 over its set."""
    for building in range(BUILDINGS):
        most, total = -np.inf, 0.0
        for lot in range(LOTS):
            if sets[building, lot]:
                most = max(most, odds[building, lot])
        for lot in range(LOTS):
            found[building, lot] = math.exp(odds[building, lot] - most) if sets[building, lot] else 0.0
            total += found[building, lot]
        for lot in range(LOTS):
            found[building, lot] /= max(total, SMALLEST)


@kernel
def add_lots(weights, sets, before, odds):
    """Add the messages of lots to odds: other buildings stand there, and one must."""
    for lot in range(LOTS):
        free, wanted = 0.0, SMALLEST
        for building in range(BUILDINGS):
            free += math.log(max(1.0 - before[building, lot], SMALLEST))
            wanted += before[building, lot]
        for building in range(BUILDINGS):
            others = free - math.log(max(1.0 - before[building, lot], SMALLEST))
            odds[building, lot] += weights[0] * others - weights[1] * math.log(wanted)


@kernel
def add_card(weights, named, pairs, mine, before, odds):
    """Add the messages of a C card to odds: it is true for one of the own buildings, which tells of both its ends."""
    for lot in range(LOTS):
        fails = 1.0
        for own in range(BUILDINGS):
            if mine[own] > 0 and own != named:
                fails *= 1.0 - mine[own] * fitting(pairs[lot], before, own)
        odds[named, lot] += weights[2] * math.log(max(1.0 - fails, SMALLEST))
    for own in range(BUILDINGS):
        if mine[own] > 0 and own != named:
            helped = 1.0 - mine[own] * (1.0 - others_fit(named, own, pairs, mine, before))
            for lot in range(LOTS):
                partner = 0.0
                for other in range(LOTS):
                    partner += before[named, other] * (pairs[other] >> lot & 1)
                odds[own, lot] += weights[3] * math.log(max(helped + (1.0 - helped) * partner, SMALLEST))


@kernel
def fitting(lots, before, building):
    """The belief that a building stands on one of some lots."""
    total = 0.0
    for lot in range(LOTS):
        if lots >> lot & 1:
            total += before[building, lot]
    return min(total, 1.0)


@kernel
def others_fit(named, but, pairs, mine, before):
    """The belief that a C card is true for another own building than one of them."""
    fails = 1.0
    for own in range(BUILDINGS):
        if mine[own] > 0 and own != named and own != but:
            chance = 0.0
            for lot in range(LOTS):
                chance += before[named, lot] * fitting(pairs[lot], before, own)
            fails *= 1.0 - mine[own] * min(chance, 1.0)
    return 1.0 - fails


LEARNED = Path(__file__).parent / "solo_policy.json"
MOST = 100.0  # of any number
WEIGHTS_TEXT = "its numbers: a `.json` file; default: those of the package"


class PolicyError(GameError):
    """A file that holds no policy for puzzles."""


FILE = JsonFormat("oldtown-solo-policy", 1, "policy for puzzles", PolicyError)


class PolicyAgent(ObservationAgent):
    """Builds the likeliest building by its beliefs."""

    name = "policy"

    def __init__(self, weights: Annotated[str, Option(text(), WEIGHTS_TEXT)] = "") -> None:
        self._weights, self._box = weights_of(Path(weights) if weights else LEARNED), make_box(2)

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """Return the likeliest legal word."""
        sure = beliefs(self._weights, read_clues(observation), self._box)
        return int(np.where(mask, sure.ravel(), -np.inf).argmax())


@kept_by_file
def weights_of(path: Path) -> np.ndarray:
    """Return the weights [5] of a file, as WEIGHT_NAMES lists them. Raises PolicyError."""
    plain: dict[str, Any] = FILE.read(path)
    weights = plain.get("weights")
    if not isinstance(weights, dict):
        raise PolicyError(f"{path}: weights must name {', '.join(WEIGHT_NAMES)}")
    check(weights, dict.fromkeys(WEIGHT_NAMES, number(-MOST, MOST)), PolicyError)
    return np.array([weights[name] for name in WEIGHT_NAMES], np.float64)


def write_policy(path: Path, weights: np.ndarray, made: dict[str, Any]) -> None:
    """Write weights [5] to a file, with how they were made."""
    FILE.write(path, {"made": made, "weights": dict(zip(WEIGHT_NAMES, weights.tolist(), strict=True))})


class SolverAgent(ObservationAgent):
    """Solves the puzzle with the deck of the package, without mistakes."""

    name = "solver"

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """Return a word of a solution. Raises SettingError if there is none."""
        clues, box = read_clues(observation), make_box(2).record[0]
        sets = clues.sets @ (1 << np.arange(LOTS, dtype=np.int64))
        found, tries = np.zeros((1, BUILDINGS), np.int64), np.full(1, UNLIMITED)
        for mine in clues.mine[None] if clues.mine.any() else sets_of_mine(clues.town, clues.mine_count):
            if search(sets, clues.cards, box.named, box.pairs, mine, found, tries):
                building = int((clues.town & ~clues.standing.any(1)).argmax())
                return building * LOTS + int(np.log2(found[0, building]))
        raise SettingError("the puzzle has no solution that agrees with what was seen")


def played(agent: Agent, puzzles: Iterable[Puzzle], mistakes: int = MISTAKES) -> Iterator[OldTownSolo]:
    """Yield every puzzle as the agent played it. Raises AgentError for an agent that does not play by observations."""
    if not isinstance(agent, ObservationAgent):
        raise AgentError(f"agent {agent.name!r} cannot play puzzles, expected one such as solver")
    for seed, puzzle in enumerate(puzzles):
        game = OldTownSolo(puzzle, mistakes)
        agent.reset(0, 1, seed)
        while not game.is_over:
            game.push(int(agent.choose(observe(game), game.mask)))
        yield game


ROSTER = Roster(
    built_in={
        "solver": "oddville_agents.oldtown.solo:SolverAgent",
        "policy": "oddville_agents.oldtown.solo:PolicyAgent",
    },
    ladder=("random", "policy", "solver"),
)
