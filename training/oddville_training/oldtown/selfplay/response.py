"""Old Town's best responses: what the seat of the response sees, and the run; see `selfplay/exploit.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.network import network_of
from oddville_env.core.checked import text
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.live_game import LiveGame
from oddville_training.oldtown.selfplay.games import ROOM, Noted, first_game, note, room_for, trimmed
from oddville_training.oldtown.selfplay.plan import Plan
from oddville_training.oldtown.selfplay.stages import OldTownFolder, OldTownSelfPlay
from oddville_training.selfplay.exploit import LEARNED, PART, STAGE, Exploit
from oddville_training.selfplay.plan import MOST_ROUNDS, Part, PlanError, Stage
from oddville_training.selfplay.run import Tensors
from oddville_training.settings import setting


class SeatNotes:
    """What the seat of the response sees before every move."""

    def __init__(self, box: Any, network: str, games: int) -> None:
        self._box, self._evaluator = box.record[0], make_evaluator(network_of(network))[0]
        self._noted = room_for(games * ROOM)
        self._start = self._used = 0

    def look(self, seat: int, live: LiveGame, action: int) -> None:
        """Note what the seat sees."""
        if self._used < self._start + ROOM:
            self._used = note(self._box, live.state, 0, seat, self._evaluator, self._noted, self._used)

    def end(self, game: int, seat: int, ranks: Sequence[int]) -> None:
        """Note the seat's part of the win."""
        rows, self._start = slice(self._start, self._used), self._used
        self._noted.games[rows] = game
        self._noted.wins[rows] = (ranks[seat] == 1) / ranks.count(1)

    def found(self) -> Noted:
        """All rows."""
        return trimmed(self._noted, self._used)


@dataclass(frozen=True, kw_only=True)
class ResponsePlan(Plan):
    """Settings of a run; `rival` is the spec of the frozen agent."""

    rival: str = setting("heuristic", text())

    def part_games(self, kind: str) -> int:
        """Games of a part of a stage."""
        return PART

    def first_game(self, stage: Stage, part: Part) -> int:
        """The number of a part's first game."""
        return first_game(self, stage, part.players) + part.first


class ResponseFolder(OldTownFolder):
    """The files of a run."""

    PLAN = ResponsePlan
    FORMAT = JsonFormat("oldtown-exploit", 1, "plan of a run", PlanError)


class OldTownExploit(Exploit, OldTownSelfPlay):
    """A run of Old Town's best responses."""

    GAME, NOTES, FOLDER = game_type("oldtown"), SeatNotes, ResponseFolder
    SETTINGS: ClassVar = {
        "rounds": MOST_ROUNDS, "warm_games": [STAGE], "games": [STAGE], "window": 3, "rate": 3e-4, "evaluation": 12
    }  # fmt: skip

    def networks(self, stage: Stage) -> tuple[Tensors, ...]:
        """The network that a stage begins with."""
        return super().networks(stage) or (network_of(LEARNED),)


METHOD = OldTownExploit
