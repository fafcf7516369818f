"""OddVille's best responses: what the seat of the response sees, and the run; see `selfplay/exploit.py`."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from oddville_agents.oddville.search.tree import make_tree
from oddville_agents.oddville.value.evaluator import make_evaluator, make_scratch
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import LEARNED_2, network_of
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.live_game import LiveGame
from oddville_training.oddville.selfplay.games import SMALLEST, GameScratch, note_played
from oddville_training.oddville.selfplay.parts import ALL_NUMBERS, NUMBERS, ROOM
from oddville_training.oddville.selfplay.plan import OddVilleFolder, Plan
from oddville_training.oddville.selfplay.positions import Positions, finish, make_positions, trimmed
from oddville_training.oddville.selfplay.stages import OddVilleSelfPlay
from oddville_training.selfplay.exploit import PART, STAGE, Exploit
from oddville_training.selfplay.plan import MOST_ROUNDS, Part, PlanError, Stage


class SeatNotes:
    """The positions before the response's own moves."""

    def __init__(self, box: Any, network: str, games: int) -> None:
        self._boxes = box.record
        self._evaluators = make_evaluator(weight_set("search", box.players), network_of(network))
        self._positions = make_positions(box, games * ROOM, 2)
        mask = np.zeros(box.layout.size, np.bool_)
        self._scratch = GameScratch(np.zeros(1, box.games), mask, make_scratch(box), make_tree(box, SMALLEST))
        self._start = 0

    def look(self, seat: int, live: LiveGame, action: int) -> None:
        """Note the position before a move of the seat."""
        if live.to_move == seat:
            note_played(self._boxes, live.state, action, self._evaluators, self._positions, self._scratch)

    def end(self, game: int, seat: int, ranks: Sequence[int]) -> None:
        """Note the winner."""
        finish(self._positions, self._start, game, ranks.index(1))
        self._start = int(self._positions.used[0])

    def found(self) -> Positions:
        """All positions."""
        return trimmed(self._positions)


class ResponsePlan(Plan):
    """Settings of a run; `rival` is the spec of the frozen agent."""

    def part_games(self, kind: str) -> int:
        """Games of a part of a stage."""
        return PART

    def first_game(self, stage: Stage, part: Part) -> int:
        """The number of a part's first game."""
        return (stage.number * NUMBERS + part.first) % ALL_NUMBERS


class ResponseFolder(OddVilleFolder):
    """The files of a run."""

    PLAN = ResponsePlan
    FORMAT = JsonFormat("oddville-exploit", 1, "plan of a run", PlanError)


class OddVilleExploit(Exploit, OddVilleSelfPlay):
    """A run of OddVille's best responses."""

    GAME, NOTES, FOLDER = game_type("oddville"), SeatNotes, ResponseFolder
    SETTINGS: ClassVar = {"start": LEARNED_2.stem, "rounds": MOST_ROUNDS, "games": [STAGE], "window": 3, "rate": 5e-4}


METHOD = OddVilleExploit
