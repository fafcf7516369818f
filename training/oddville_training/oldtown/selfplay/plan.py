"""The plan of Old Town's self-play: each setting with its default and what it may be.

The presets are TOML files beside this one; `champion` made the network that ships.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from oddville_env.core.checked import above_zero, number, several, whole
from oddville_env.oldtown.settings import PLAYERS
from oddville_training.selfplay.plan import MOST_ROUNDS, ROUND, WARM, SelfPlayPlan, Stage
from oddville_training.settings import setting

MOST_GAMES = 1_000_000  # of a stage, for each number of players
_games = several(whole(1, MOST_GAMES), 1, len(PLAYERS))


@dataclass(frozen=True, kw_only=True)
class Plan(SelfPlayPlan):
    """Settings of a run; numbers of games have one entry for each number of players. Raises PlanError."""

    GAMES: ClassVar = {WARM: "warm_games", ROUND: "games"}
    PRESETS: ClassVar = Path(__file__).resolve().parent / "presets"
    players: tuple[int, ...] = setting((2,), several(whole(PLAYERS[0], PLAYERS[-1]), 1, len(PLAYERS)))
    warm_games: tuple[int, ...] = setting((6000,), _games)  # of the heuristic
    rounds: int = setting(2, whole(0, MOST_ROUNDS))  # of self-play
    games: tuple[int, ...] = setting((3000,), _games)  # of each of these rounds
    guests: float = setting(0.3, number(0, 1))  # the part of the games with the heuristic at the table
    share: float = setting(0.3, above_zero(1))  # the part of the moves that are learned from
    window: int = setting(3, whole(1, MOST_ROUNDS))  # rounds whose games are learned from
    td_lambda: float = setting(0.9, number(0, 1))  # what a target takes from what followed

    def stages(self) -> list[Stage]:
        """All stages in order."""
        return [Stage(number, ROUND if number else WARM, f"{number:04}") for number in range(self.rounds + 1)]
