"""The progress of a run, and the line that shows it."""

from collections.abc import Callable, Mapping
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from oddville_training.learning.config import TrainConfig

MINUTE = 60.0  # seconds


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
        return 0.0 if self._minutes is None else self._seconds() / (self._minutes * MINUTE)

    def _seconds(self) -> float:
        return self._clock() - self._began


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
