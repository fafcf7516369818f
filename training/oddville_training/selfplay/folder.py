"""The folder of a self-play run: its plan, a folder for each stage, the newest network; all writes are atomic."""

from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import numpy as np

from oddville_agents.policies.value_files import ValueFiles
from oddville_agents.tensors import LARGEST
from oddville_env.core.disk.files import atomic_write, remove_unfinished
from oddville_env.core.disk.reading import JsonFormat, read_whole
from oddville_env.core.errors import shown
from oddville_training.selfplay.plan import Part, PlanError, SelfPlayPlan, Stage

NETWORK, REPORT = "network.safetensors", "report.json"

Plan = TypeVar("Plan", bound=SelfPlayPlan)


class SelfPlayFolder(Generic[Plan]):
    """The files of a run."""

    PLAN: type[Plan]
    FORMAT: ClassVar[JsonFormat]
    """The format of the plan's file."""
    NETWORKS: ClassVar[ValueFiles]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.network = path / NETWORK
        self._plan = path / "plan.json"

    def begin(self, plan: Plan | None, resume: bool) -> Plan:
        """The plan to follow; that of the folder where none is given. Raises PlanError."""
        if resume:
            plan = self._resumed(self.plan(), plan)
            for folder in (self.path, *(self.path / "stages").glob("*/")):
                remove_unfinished(folder)
        elif self._plan.exists():
            raise PlanError(f"{self.path} already holds a run: resume it with --resume, or name another folder")
        plan = plan or self.PLAN.of({})
        self.FORMAT.write(self._plan, plan.as_plain())
        return plan

    def plan(self) -> Plan:
        """The stored plan; raises PlanError."""
        if not self._plan.exists():
            raise PlanError(f"{self.path} holds no run to resume: begin it without --resume")
        return self.PLAN.of(self.FORMAT.read(self._plan))

    def _resumed(self, stored: Plan, plan: Plan | None) -> Plan:
        """The plan of a resumed run. Raises PlanError where a setting differs that may not change."""
        if plan is None:
            return stored
        before, now = stored.as_plain(), plan.as_plain()
        changed = [name for name, value in now.items() if value != before[name] and name not in plan.MAY_CHANGE]
        if changed:
            told = "; ".join(f"{name} is {shown(before[name])} there, not {shown(now[name])}" for name in changed)
            raise PlanError(f"{self.path} holds a run with other settings: {told}")
        return plan

    def stage(self, stage: Stage) -> Path:
        """The folder of a stage."""
        return self.path / "stages" / stage.name

    def is_fitted(self, stage: Stage) -> bool:
        """Whether the stage has a network and a report."""
        return (self.stage(stage) / REPORT).exists()

    def read_network(self, stage: Stage) -> dict[str, np.ndarray]:
        """The network of a stage."""
        return self.NETWORKS.read(self.stage(stage) / NETWORK)

    def games(self, stage: Stage, part: Part) -> Path:
        """The file of a part of a stage's games."""
        return self.stage(stage) / f"games-{part.players}-{part.number:05}.npz"

    def remove_games(self, stages: list[Stage]) -> None:
        """Remove the games of stages that no later fit reads."""
        for stage in stages:
            for path in self.stage(stage).glob("games-*.npz"):
                path.unlink()

    def publish(self, stage: Stage) -> None:
        """Copy a stage's network to the run's. Raises NetworkError for a damaged one, and copies nothing then."""
        self.read_network(stage)
        network = read_whole(self.stage(stage) / NETWORK, LARGEST)
        if not self.network.exists() or read_whole(self.network, LARGEST) != network:
            with atomic_write(self.network, "wb") as file:
                file.write(network)
