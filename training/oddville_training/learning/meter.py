"""The progress of a run: statistics of its games, its limits, and the line that shows both."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

from oddville_training.learning.config import TrainConfig

MINUTE = 60.0  # seconds
FACTS = ("win_rate", "score", "margin", "decisions")


class GameStatistics(BaseCallback):
    """Keeps the last games against each opponent.

    opponents: their specs, as the mixture deals them out to the environments; window: how many games are kept of each.
    """

    def __init__(self, opponents: Sequence[str], window: int) -> None:
        super().__init__()
        self._opponents = opponents
        self._last: dict[str, deque[np.ndarray]] = defaultdict(lambda: deque(maxlen=window))
        self._lengths: defaultdict[int, int] = defaultdict(int)

    def _on_step(self) -> bool:
        for index, (done, info) in enumerate(zip(self.locals["dones"], self.locals["infos"], strict=True)):
            self._lengths[index] += 1
            if done:
                opponent = self._opponents[index % len(self._opponents)]
                self._last[opponent].append(_facts_of_game(info, self._lengths.pop(index)))
        return True

    def means(self) -> dict[str, dict[str, float]]:
        """Opponent -> fact -> its mean over the last games."""
        return {
            opponent: dict(zip(FACTS, np.stack(games).mean(0, np.float64).tolist(), strict=True))
            for opponent, games in self._last.items()
        }

    def drop_unfinished(self) -> None:
        """The games that are being played will not be finished."""
        self._lengths.clear()

    def state(self) -> dict[str, np.ndarray]:
        """Opponent -> the facts of its last games, float32 [games, 4]."""
        return {opponent: np.stack(games) for opponent, games in self._last.items()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Take over what `state` gave."""
        for opponent, games in state.items():
            self._last[opponent].extend(games)


def _facts_of_game(info: dict[str, Any], decisions: int) -> np.ndarray:
    """The FACTS of a game, float32 [4]; winners share a win, and the margin is the lead over the mean of the others."""
    scores, seat = info["scores"], info["seat"]
    lead = scores[seat] - np.delete(scores, seat).mean()
    won = (info["ranks"][seat] == 1) / info["ranks"].count(1)
    return np.array([won, scores[seat], lead, decisions], np.float32)


class Limits:
    """The limits of a call: minutes since it began learning, steps since the beginning of the run.

    clock: tells the seconds.
    """

    def __init__(self, config: TrainConfig, steps: int, clock: Callable[[], float] = monotonic) -> None:
        self._minutes, self._steps = config.minutes, config.steps
        self._first, self._clock = steps, clock
        self._learning = self._began = clock()

    def share(self, steps: int) -> float | None:
        """The share of the way to the nearest limit, at most 1; None without one."""
        shares = []
        if self._minutes is not None:
            shares.append(self.time_spent())
        if self._steps is not None:
            way = self._steps - self._first
            shares.append((steps - self._first) / way if way > 0 else 1.0)
        return min(max(shares), 1.0) if shares else None

    def steps_planned(self, update: int) -> int | None:
        """The steps of the run at its end, in whole updates of so many; None without a limit of steps."""
        if self._steps is None:
            return None
        return self._first + update * max(-(-(self._steps - self._first) // update), 0)

    def steps_per_second(self, steps: int) -> float:
        """The steps of this call by its seconds."""
        return (steps - self._first) / (self._clock() - self._learning)

    def learning_begins(self) -> None:
        """Imitation, which made no steps, is over."""
        self._learning = self._clock()

    def time_spent(self) -> float:
        """The part of the minutes that is over; 0 where they are no limit."""
        return 0.0 if self._minutes is None else (self._clock() - self._began) / (self._minutes * MINUTE)


class ProgressMeter(Progress):
    """Steps, frames per second, win rate against each opponent and the time left."""

    def __init__(self, console: Console) -> None:
        text, wins = TextColumn("{task.description}"), TextColumn("{task.fields[wins]}")
        super().__init__(text, BarColumn(20), TimeRemainingColumn(compact=True), wins, console=console)
        self._run = self.add_task("training begins", total=None, wins="")

    def show_teaching(self, teacher: str, done: float) -> None:
        """After some games of the teacher."""
        self.update(self._run, description=f"imitating {teacher}", total=1.0, completed=done)

    def show(self, steps: int, limits: Limits, games: Mapping[str, Mapping[str, float]]) -> None:
        """After an update; games: opponent -> fact -> its mean."""
        share = limits.share(steps)
        self.update(
            self._run,
            description=f"{steps:,} steps, {limits.steps_per_second(steps):,.0f} a second",
            wins="wins " + ", ".join(f"{facts['win_rate']:.0%} against {name}" for name, facts in games.items()),
            total=None if share is None else 1.0,
            completed=share or 0.0,
        )
