"""The folder of a run: its plan, a folder for each stage, the newest network. All files are written whole."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.oddville.value.files import read_network
from oddville_env.core.errors import shown
from oddville_env.core.files import JsonFormat, parse_json, remove_all_unfinished, written_whole
from oddville_training.learning.selfplay.plan import MAY_CHANGE, Plan, PlanError, plan_of

PLAN_FILE = JsonFormat("oddville-selfplay", 1, "plan of a run", PlanError)
WARM, ROUND, SEARCH, VALUE = "warm", "round", "search", "value"


class Stage(NamedTuple):
    """A part of a run: games, then a network that is fitted to them."""

    place: int  # among all stages, from 0
    kind: str
    number: int  # among those of its kind, from 1
    newest: str | None  # the stage whose network plays, None in the first stage

    @property
    def name(self) -> str:
        """What its folder is called."""
        return WARM if self.kind == WARM else f"{self.kind}-{self.number:04}"


def stages_of(plan: Plan) -> list[Stage]:
    """All stages of a run, in order."""
    names = [(WARM, 1)] if plan.start is None else []
    names += [(ROUND, number + 1) for number in range(plan.rounds)]
    names += [(SEARCH, number + 1) for number in range(plan.search_rounds)]
    names += [(VALUE, number + 1) for number in range(plan.value_rounds)]
    found: list[Stage] = []
    for place, (kind, number) in enumerate(names):
        found.append(Stage(place, kind, number, found[-1].name if found else None))
    return found


class RunFolder:
    """Where everything of a run lies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.network = path / "network.safetensors"
        self.tensorboard = path / "tensorboard"
        self._plan = path / "plan.json"

    def begin(self, plan: Plan | None, resume: bool) -> Plan:
        """The plan to follow; without one that of the folder. Raises PlanError."""
        if resume:
            plan = self._resumed(plan)
            remove_all_unfinished(self.path)
        elif self._plan.exists():
            raise PlanError(f"{self.path} already holds a run: --resume goes on with it, or name another folder")
        plan = plan or Plan()
        PLAN_FILE.write(self._plan, plan.as_plain())
        return plan

    def plan(self) -> Plan:
        """The plan that the run follows; raises PlanError."""
        if not self._plan.exists():
            raise PlanError(f"{self.path} holds no run to go on with: begin it without --resume")
        return plan_of(PLAN_FILE.read(self._plan))

    def _resumed(self, plan: Plan | None) -> Plan:
        stored = self.plan()
        if plan is None:
            return stored
        before, now = stored.as_plain(), plan.as_plain()
        changed = [name for name, value in now.items() if value != before[name] and name not in MAY_CHANGE]
        if changed:
            told = "; ".join(f"{name} is {shown(before[name])} there, not {shown(now[name])}" for name in changed)
            raise PlanError(f"{self.path} holds a run with other settings: {told}")
        for name, later in (("rounds", (SEARCH, VALUE)), ("search_rounds", (VALUE,))):
            begun = any(self.stage(each.name).exists() for each in stages_of(stored) if each.kind in later)
            if now[name] != before[name] and begun:
                raise PlanError(f"{self.path} is beyond its {name}: they stay {before[name]}")
        return plan

    def stage(self, name: str) -> Path:
        """The folder of a stage."""
        return self.path / "stages" / name

    def is_fitted(self, stage: Stage) -> bool:
        """The stage has a network and a report."""
        return (self.stage(stage.name) / "report.json").exists()

    def read_network(self, name: str) -> dict[str, np.ndarray]:
        """The network of a stage."""
        return read_network(self.stage(name) / "network.safetensors")

    def games(self, stage: Stage, players: int, part: int) -> Path:
        """The file of a part of a stage's games."""
        return self.stage(stage.name) / f"games-{players}-{part:05}.npz"

    def evaluation(self, stage: Stage, players: int) -> Path:
        """The file that says how strong a stage's network is."""
        return self.stage(stage.name) / f"evaluation-{players}.json"

    def report(self, stage: Stage) -> dict[str, Any]:
        """What is known of a stage: the report of its fit, and `wins` by number of players and anchor."""
        known = read_json(self.stage(stage.name) / "report.json")
        found = sorted(self.stage(stage.name).glob("evaluation-*.json"))
        return known | {"wins": {path.stem.removeprefix("evaluation-"): read_json(path) for path in found}}

    def forget_games(self, before: int, stages: list[Stage]) -> None:
        """Games that no fit will look at again take room only."""
        for stage in stages[:before]:
            for path in self.stage(stage.name).glob("games-*.npz"):
                path.unlink()

    def publish(self, stage: Stage) -> None:
        """The run's network is that of this stage."""
        network = (self.stage(stage.name) / "network.safetensors").read_bytes()
        if not self.network.exists() or self.network.read_bytes() != network:
            with written_whole(self.network, "wb") as file:
                file.write(network)


def read_json(path: Path) -> dict[str, Any]:
    """An object in a JSON file."""
    return dict(parse_json(path.read_bytes()))


def write_json(path: Path, plain: Any) -> None:
    """Write it, whole or not at all."""
    with written_whole(path) as file:
        json.dump(plain, file, indent=1)
        file.write("\n")
