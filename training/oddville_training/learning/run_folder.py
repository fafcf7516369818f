"""The files of a training run: the model, its checkpoints, and how to go on from them without running their code."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from sb3_contrib import MaskablePPO

from oddville_agents.oddville.network import Network
from oddville_agents.policies.model_files import (
    ModelError,
    check_shapes,
    load_model,
    read_about,
    read_tensors,
    save_model,
)
from oddville_agents.roster import check_spec_from_file
from oddville_env.core.files import sync_names, written_whole
from oddville_env.core.kinds import check, whole
from oddville_training.learning.config import MOST_STEPS, TrainConfig, TrainError
from oddville_training.learning.games import FACTS, GameStatistics
from oddville_training.learning.learner import network_of

MODEL, OPTIMIZER, GAMES = "model.safetensors", "optimizer.safetensors", "games.safetensors"
UNFINISHED = ".unfinished"  # a checkpoint that is being written
COUNTS = {"steps": whole(0, MOST_STEPS), "updates": whole(0, MOST_STEPS)}


class RunFolder:
    """A folder with `model.safetensors`, `model.json`, `checkpoints/` and `tensorboard/`."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.model = self.path / MODEL
        self.checkpoints = self.path / "checkpoints"
        self.tensorboard = self.path / "tensorboard"

    def begin(self, resume: bool) -> Path | None:
        """The checkpoint to go on from, None for a new run. Raises TrainError."""
        if resume:
            return self.last_checkpoint()
        if self._all_checkpoints():
            raise TrainError(f"{self.path} already holds a run: resume it, or name another folder")
        return None

    def last_checkpoint(self) -> Path:
        """The checkpoint with the most steps; raises TrainError where there is none."""
        found = self._all_checkpoints()
        if not found:
            raise TrainError(f"{self.path} holds no checkpoint to go on from: begin the run without resume")
        return max(found, key=lambda each: int(each.name))

    def _all_checkpoints(self) -> list[Path]:
        return [each for each in self.checkpoints.glob("*") if each.name.isdecimal() and each.is_dir()]

    def save(self, learner: MaskablePPO, games: GameStatistics, about: Mapping[str, Any]) -> None:
        """Write a checkpoint, named by its steps, and the model.

        A checkpoint takes its name when it is complete, and none is ever replaced: whenever a save is broken off, all
        that was saved before is there.
        """
        about = {**about, "steps": learner.num_timesteps, "updates": learner._n_updates}
        network, optimizer = network_of(learner), learner.policy.optimizer
        place = self.checkpoints / f"{learner.num_timesteps:010}"
        if not place.exists():
            unfinished = self.checkpoints / UNFINISHED
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(parents=True)
            save_model(unfinished / MODEL, network, about)
            for name, tensors in ((OPTIMIZER, _optimizer_state(optimizer, network)), (GAMES, games.state())):
                with written_whole(unfinished / name, "wb") as file:
                    file.write(save(tensors))
            os.replace(unfinished, place)
            sync_names(self.checkpoints)
        save_model(self.model, network, about)


def saved_config(folder: Path, opponents: Sequence[str] | None = None) -> TrainConfig:
    """The settings that a run was last trained with; raises ModelError, TrainError and AgentError.

    opponents: the run's own ones named again, which opponents with code of their own must be.
    """
    path = RunFolder(folder).last_checkpoint() / "model.json"
    try:
        config = TrainConfig.from_json(read_about(path).get("config"))
    except TrainError as error:
        raise TrainError(f"{path}: {error}") from None
    if opponents is None:
        for spec in config.opponents:
            check_spec_from_file(spec, path)
    elif tuple(opponents) != config.opponents:
        raise TrainError(
            f"{path}: the run was trained against {', '.join(config.opponents)}, not {', '.join(opponents)}"
        )
    return config


def begin_with(learner: MaskablePPO, model: Path) -> None:
    """Give a fresh learner the weights of a model; raises ModelError, TrainError."""
    network_of(learner).load_state_dict(_fitting(learner, model).state_dict())


def _fitting(learner: MaskablePPO, model: Path) -> Network:
    """The network of a model, if the learner's is like it."""
    network, _ = load_model(model)
    mine = network_of(learner)
    if (network.encoder, network.sizes) != (mine.encoder, mine.sizes):
        raise TrainError(
            f"{model} was trained with {network.encoder.layout} and {network.sizes}, "
            f"expected {mine.encoder.layout} and {mine.sizes}"
        )
    return network


def restore(learner: MaskablePPO, games: GameStatistics, checkpoint: Path) -> None:
    """Give a fresh learner all that a checkpoint holds; raises ModelError, TrainError."""
    network, mine = _fitting(learner, checkpoint / MODEL), network_of(learner)
    about = read_about(checkpoint / "model.json")
    try:
        check(about, COUNTS, ModelError)
    except ModelError as error:
        raise ModelError(f"{checkpoint / 'model.json'} is damaged: {error}") from None
    mine.load_state_dict(network.state_dict())
    _load_optimizer_state(learner.policy.optimizer, mine, checkpoint / OPTIMIZER, about["updates"] > 0)
    if (path := checkpoint / GAMES).exists():  # runs of version 0.1.0 have none
        played = read_tensors(path)
        check_shapes(path, played, {name: (len(rows), len(FACTS)) for name, rows in played.items() if rows.dim()})
        games.restore(played)
    learner.num_timesteps, learner._n_updates = about["steps"], about["updates"]


def _optimizer_state(optimizer: torch.optim.Optimizer, network: Network) -> dict[str, torch.Tensor]:
    """Adam's running means for every weight, as tensors `kind/weight`."""
    return {
        f"{kind}/{name}": value
        for name, weight in network.named_parameters()
        for kind, value in optimizer.state[weight].items()
    }


def _load_optimizer_state(optimizer: torch.optim.Optimizer, network: Network, path: Path, updated: bool) -> None:
    """updated: the run was not stopped before its first update. Raises ModelError."""
    weights = dict(network.named_parameters())
    kinds = {"step": False, "exp_avg": True, "exp_avg_sq": True}  # whether it has the weight's shape
    shapes = {
        f"{kind}/{name}": weight.shape if shaped else ()
        for name, weight in weights.items()
        for kind, shaped in kinds.items()
    }
    tensors = read_tensors(path)
    try:
        check_shapes(path, tensors, shapes if updated else {})
    except ModelError as error:
        raise ModelError(f"{error}: expected Adam's running means for every weight of this network") from None
    for name, tensor in tensors.items():
        if not name.startswith("exp_avg/") and (tensor < 0).any():
            raise ModelError(f"{path}: {name} must not be below 0")
    for name, weight in weights.items() if updated else ():
        optimizer.state[weight] = {kind: tensors[f"{kind}/{name}"] for kind in kinds}
