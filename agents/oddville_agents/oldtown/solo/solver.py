"""`solver`: finds a solution that agrees with all that was seen, and builds it."""

import numpy as np

from oddville_agents.agent import ObservationAgent
from oddville_agents.oldtown.solo.clues import Clues, read
from oddville_env.core.errors import SettingError
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.deduction.search import UNLIMITED, search
from oddville_env.oldtown.deduction.solver import sets_of_mine
from oddville_env.oldtown.settings import make_box


class SolverAgent(ObservationAgent):
    """Solves the puzzle that it is shown, with the deck that comes with the package; makes no mistake."""

    name = "solver"

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """A word of a solution: the first of its buildings that does not stand."""
        clues = read(observation)
        placement = solution_of(clues)
        missing = clues.town & ~clues.standing.any(1)
        building = int(missing.argmax())
        return building * LOTS + int(placement[building])


def solution_of(clues: Clues) -> np.ndarray:
    """The lots of a solution, int [18]. Raises SettingError where there is none."""
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
