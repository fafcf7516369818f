"""`solver`: finds a solution that agrees with all that was seen, and builds it."""

from itertools import combinations

import numpy as np

from oddville_agents.agent import ObservationAgent
from oddville_agents.oldtown.solo.clues import Clues, read
from oddville_env.core.errors import SettingError
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.deduction.search import search
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
    sets = clues.sets @ (1 << np.arange(LOTS))
    found = np.zeros((1, BUILDINGS), np.int64)
    for mine in choices_of_mine(clues):
        if search(sets, clues.cards, box.named, box.pairs, mine, found):
            lots: np.ndarray = np.log2(np.maximum(found[0], 1)).astype(np.int64)
            return lots
    raise SettingError("the puzzle has no solution that agrees with what was seen")


def choices_of_mine(clues: Clues) -> list[np.ndarray]:
    """The sets of own buildings that the puzzle allows, each bool [18]."""
    if clues.mine.any():
        return [clues.mine]
    town = np.flatnonzero(clues.town).tolist()
    return [np.isin(np.arange(BUILDINGS), mine) for mine in combinations(town, clues.mine_count)]
