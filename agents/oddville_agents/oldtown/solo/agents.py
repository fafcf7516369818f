"""Agents for puzzles: `policy`, one pass of belief propagation a move, and `solver`, which finds a solution."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from oddville_agents.agent import Agent, ObservationAgent
from oddville_agents.oldtown.solo.network import WEIGHT_NAMES, Clues, beliefs, read_clues
from oddville_agents.options import Option
from oddville_agents.player import AgentError
from oddville_env.core.checked.kinds import check, number, text
from oddville_env.core.disk.file_cache import kept_by_file
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import GameError, SettingError
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.deduction.search import UNLIMITED, search
from oddville_env.oldtown.deduction.solver import sets_of_mine
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.game import MISTAKES, OldTownSolo
from oddville_env.oldtown.solo.observation import observe

LEARNED = Path(__file__).parent / "policy.json"
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
        """Return a word of a solution: its first building that does not stand."""
        clues = read_clues(observation)
        placement = solution_of(clues)
        missing = clues.town & ~clues.standing.any(1)
        building = int(missing.argmax())
        return building * LOTS + int(placement[building])


def solution_of(clues: Clues) -> np.ndarray:
    """Return the lots of a solution, int [18]. Raises SettingError if there is none."""
    box = make_box(2).record[0]
    sets = clues.sets @ (1 << np.arange(LOTS, dtype=np.int64))
    found, tries = np.zeros((1, BUILDINGS), np.int64), np.full(1, UNLIMITED)
    for mine in choices_of_mine(clues):
        if search(sets, clues.cards, box.named, box.pairs, mine, found, tries):
            lots: np.ndarray = np.log2(np.maximum(found[0], 1)).astype(np.int64)
            return lots
    raise SettingError("the puzzle has no solution that agrees with what was seen")


def choices_of_mine(clues: Clues) -> np.ndarray:
    """The sets of own buildings that the puzzle allows: bool [N, 18]."""
    return clues.mine[None] if clues.mine.any() else sets_of_mine(clues.town, clues.mine_count)


def played(agent: Agent, puzzles: Iterable[Puzzle], mistakes: int = MISTAKES) -> Iterator[OldTownSolo]:
    """Yield every puzzle as the agent played it. Raises AgentError for an agent that does not play by observations."""
    if not isinstance(agent, ObservationAgent):
        raise AgentError(f"agent {agent.name!r} plays games of several: a puzzle is played by what it shows")
    for seed, puzzle in enumerate(puzzles):
        game = OldTownSolo(puzzle, mistakes)
        agent.reset(0, 1, seed)
        while not game.is_over:
            game.push(int(agent.choose(observe(game), game.mask)))
        yield game
