"""`oldtown selfplay`: from options to a run."""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from oddville_agents.spec import AgentSpec
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_training.oldtown.selfplay.plan import Plan
from oddville_training.oldtown.selfplay.stages import RunFolder, learn, pieces_of
from oddville_training.program import meter
from oddville_training.selfplay.plan import PlanError, check_minutes
from oddville_training.selfplay.result import SelfPlayResult
from oddville_training.work.jobs import Workers
from oddville_training.work.pools import PROCESSES, here, workers_of

USUAL = "quick"
OPTIONS = ("players", "seed", "preset", "config", "workers", "executor", "address")
MINUTE = 60.0  # seconds


def run(
    game_type: GameType, folder: Path, typed: Mapping[str, Any], resume: bool, minutes: float | None
) -> SelfPlayResult:
    """Learn by a preset or a file, with some settings given otherwise. Raises SettingError and PlanError.

    typed: the options that were given.
    """
    for name in typed:
        if name not in OPTIONS:
            flag = name.replace("_", "-")
            raise SettingError(f"--{flag} means nothing here: {game_type.title} learns by playing itself")
    check_minutes(minutes)
    workers = workers_of(typed.get("workers"), typed.get("executor", PROCESSES), typed.get("address"))
    asked, files = Plan.asked(typed, resume, USUAL), RunFolder(folder)
    if asked is None:
        stored = files.plan()
        stored.check_same(typed, seed=stored.seed)
    with alone_in(folder, PlanError):
        plan = files.begin(asked, resume)
        interrupted = _learn(files, plan, workers, inf if minutes is None else monotonic() + minutes * MINUTE)
    if not files.network.exists():
        raise PlanError(f"{folder} has no network yet: --resume goes on with the run")
    model = AgentSpec("champion", {"network": str(files.network)})
    return SelfPlayResult(model, interrupted, {"players": plan.players[0], "settings": {}})


def _learn(files: RunFolder, plan: Plan, workers: Workers, until: float) -> bool:
    """Go on with a run until it or the time is over, and show it; whether Ctrl-C ended it."""
    with meter("parts") as shown:
        task = shown.add_task("learning", total=pieces_of(plan))

        def done() -> bool:
            shown.advance(task)
            return monotonic() >= until

        try:
            learn(files, plan, workers, done)
        except KeyboardInterrupt:
            return True
    return False


def rehearse() -> None:
    """Learn a little of everything, so that all of it is compiled."""
    few = Plan(warm_games=(21,), rounds=1, games=(2,), batch=64, evaluation=12)
    with TemporaryDirectory() as folder:
        files = RunFolder(Path(folder))
        learn(files, files.begin(few, resume=False), here, lambda: False)
