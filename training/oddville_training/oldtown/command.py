"""What `oldtown train --algo selfplay` does with its options."""

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from oddville_env.core.errors import SettingError
from oddville_env.core.game_type import GameType
from oddville_training.learned import Learned
from oddville_training.learning.selfplay.command import PROCESSES, workers_of
from oddville_training.learning.selfplay.workers import here
from oddville_training.oldtown.learn import RunFolder, learn, pieces_of
from oddville_training.oldtown.plan import Plan, PlanError, preset, read_plan
from oddville_training.program import meter

USUAL = "quick"
OPTIONS = ("players", "seed", "preset", "config", "workers", "executor", "address")
MINUTE = 60.0  # seconds


def run(game_type: GameType, folder: Path, typed: Mapping[str, Any], resume: bool, minutes: float | None) -> Learned:
    """Learn by a preset or a file, with some settings given otherwise. Raises SettingError and PlanError.

    typed: the options that were given.
    """
    for name in typed:
        if name not in OPTIONS:
            flag = name.replace("_", "-")
            raise SettingError(f"--{flag} means nothing here: {game_type.title} learns by playing itself")
    if minutes is not None and not 0 < minutes < inf:
        raise SettingError(f"minutes must be a number above 0, not {minutes}")
    workers = workers_of(typed.get("workers"), typed.get("executor", PROCESSES), typed.get("address"))
    files, interrupted = RunFolder(folder), False
    plan = files.begin(_plan(typed, resume), resume)
    until = inf if minutes is None else monotonic() + minutes * MINUTE
    try:
        with meter("parts") as shown:
            task = shown.add_task("learning", total=pieces_of(plan))

            def done() -> bool:
                shown.advance(task)
                return monotonic() >= until

            learn(files, workers, done)
    except KeyboardInterrupt:
        interrupted = True
    if not files.network.exists():
        raise PlanError(f"{folder} has no network yet: --resume goes on with the run")
    return Learned(f"champion:network={files.network}", interrupted, {"players": plan.players[0], "settings": {}})


def rehearse() -> None:
    """Learn a little of everything, so that all of it is compiled."""
    few = Plan(warm_games=(21,), rounds=1, games=(2,), batch=64, evaluation=12)
    with TemporaryDirectory() as folder:
        files = RunFolder(Path(folder))
        files.begin(few, resume=False)
        learn(files, here, lambda: False)


def _plan(typed: Mapping[str, Any], resume: bool) -> Plan | None:
    """The plan that options ask for; None where a run goes on as it was set."""
    if "preset" in typed and "config" in typed:
        raise PlanError("--preset and --config both name a plan: name one")
    if resume and not {"preset", "config", "players", "seed"} & typed.keys():
        return None
    plan = read_plan(typed["config"]) if "config" in typed else preset(typed.get("preset", USUAL))
    if "players" in typed:
        plan = plan.only(typed["players"])
    return replace(plan, seed=typed["seed"]) if "seed" in typed else plan
