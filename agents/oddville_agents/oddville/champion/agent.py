"""`champion`: imagines the position behind every legal move, and plays the one that its network likes best.

It looks one move ahead and at nothing hidden, in compiled code and numpy alone.
"""

from pathlib import Path

import numpy as np

from oddville_agents._jit import kernel
from oddville_agents.agent import Agent, Crowd
from oddville_agents.oddville.greedy.agent import Head
from oddville_agents.oddville.greedy.prospects import imagine
from oddville_agents.oddville.greedy.weights import weight_set
from oddville_agents.oddville.value.evaluator import forget_base, make_evaluator, values_beside
from oddville_agents.oddville.value.files import check_folder, read_network
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS

FOLDER = Path(__file__).resolve().parent / "networks"


class ChampionAgent(Agent):
    """Plays the move behind which its network sees the best chances. networks: a folder with a file for each number
    of players, or `own`.
    """

    name = "champion"

    def __init__(self, networks: str = "own") -> None:
        self._folder = FOLDER if networks == "own" else Path(networks)
        check_folder(self._folder)  # a wrong name is told at once
        self._head, self._networks = Head(), networks
        self._box: Box | None = None

    def __deepcopy__(self, memo: dict[int, object]) -> "ChampionAgent":
        twin = type(self)(self._networks)
        twin.spec = self.spec
        return twin

    def act(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """An observation does not tell what a move leads to."""
        raise TypeError("champion plays from the state, not from an observation: call act_on")

    def act_on(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """The move with the best chances, the first of equals."""
        if box is not self._box:
            self._sit_down(box)
        return int(best_move(box.record, games, index, mask, self._evaluator, *self._head.room(box), self._chances))

    def crowd(self, tables: int) -> "ChampionCrowd":
        """The same agent at every table: it remembers nothing."""
        return ChampionCrowd(self)

    def _sit_down(self, box: Box) -> None:
        tensors = read_network(self._folder / f"{box.players}.safetensors")
        self._evaluator, self._chances = make_evaluator(weight_set("search", box.players), tensors), np.zeros(SEATS)
        self._box = box


class ChampionCrowd(Crowd):
    """`champion` at many tables."""

    def __init__(self, agent: ChampionAgent) -> None:
        self._agent = agent

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """Champion remembers nothing."""

    def act_on(self, box: Box, games: np.ndarray, tables: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Write the moves with the best chances."""
        for table in tables.tolist():
            actions[table] = self._agent.act_on(box, games, table, masks[table])


@kernel
def best_move(boxes, games, index, mask, evaluators, imagined, scratch, chances):
    """The id after which the seat to move has the best chances; imagined [1], scratch [A], chances [P] are scratch."""
    box, seat = boxes[0], games[index].to_move
    best, best_worth = NOTHING, -np.inf
    forget_base(evaluators[0])
    for action in range(mask.size):
        if mask[action]:
            imagined[0] = games[index]
            imagined[0].seed = 0
            if box.kind[action] != Kind.FLIP:
                imagine(box, imagined[0], action, scratch)
            values_beside(box, imagined[0], evaluators[0], chances)
            if chances[seat] > best_worth:
                best, best_worth = action, chances[seat]
    return best
