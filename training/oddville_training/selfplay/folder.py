"""The folder of a run of self-play: its plan, a folder for each stage, the newest network; files are written whole."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import numpy as np

from oddville_agents.networks.value_files import ValueFiles
from oddville_agents.tensors import LARGEST
from oddville_env.core.disk.files import JsonFormat, read_whole, remove_all_unfinished, written_whole
from oddville_training.selfplay.plan import PlanError, SelfPlayPlan

NETWORK = "network.safetensors"

Plan = TypeVar("Plan", bound=SelfPlayPlan)
Stage = TypeVar("Stage")
"""A part of a run: games, then a network that is fitted to them."""


class SelfPlayFolder(ABC, Generic[Plan, Stage]):
    """The files of a run."""

    PLAN: type[Plan]
    FORMAT: ClassVar[JsonFormat]
    """That of the plan."""
    NETWORKS: ClassVar[ValueFiles]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.network = path / NETWORK
        self._plan = path / "plan.json"

    def begin(self, plan: Plan | None, resume: bool) -> Plan:
        """The plan to follow; without one that of the folder. Raises PlanError and SettingError."""
        if resume:
            plan = self._resumed(self.plan(), plan)
            remove_all_unfinished(self.path)
        elif self._plan.exists():
            raise PlanError(f"{self.path} already holds a run: --resume goes on with it, or name another folder")
        plan = plan or self.PLAN.of({})
        self.FORMAT.write(self._plan, plan.as_plain())
        return plan

    def plan(self) -> Plan:
        """The plan that the run follows; raises PlanError."""
        if not self._plan.exists():
            raise PlanError(f"{self.path} holds no run to go on with: begin it without --resume")
        return self.PLAN.of(self.FORMAT.read(self._plan))

    @abstractmethod
    def _resumed(self, stored: Plan, plan: Plan | None) -> Plan:
        """The plan by which a run goes on. Raises PlanError and SettingError where it may not be this one."""

    @abstractmethod
    def stage(self, stage: Stage) -> Path:
        """The folder of a stage."""

    def is_fitted(self, stage: Stage) -> bool:
        """The stage has a network and a report."""
        return (self.stage(stage) / "report.json").exists()

    def read_network(self, stage: Stage) -> dict[str, np.ndarray]:
        """The network of a stage."""
        return self.NETWORKS.read(self.stage(stage) / NETWORK)

    def games(self, stage: Stage, players: int, part: int) -> Path:
        """The file of a part of a stage's games."""
        return self.stage(stage) / f"games-{players}-{part:05}.npz"

    def publish(self, stage: Stage) -> None:
        """The run's network is that of this stage. Raises NetworkError, before a damaged one takes its place."""
        self.read_network(stage)
        network = read_whole(self.stage(stage) / NETWORK, LARGEST)
        if not self.network.exists() or read_whole(self.network, LARGEST) != network:
            with written_whole(self.network, "wb") as file:
                file.write(network)
