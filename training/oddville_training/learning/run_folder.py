"""The files of a training run: the model, its checkpoints, and how to go on from them without running their code."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from sb3_contrib import MaskablePPO

from oddville_agents.oddville.network import Network
from oddville_agents.policy import ModelError, load_model, read_about, read_tensors, save_model
from oddville_env.core.files import written_whole
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.learner import network_of

MODEL, OPTIMIZER = "model.safetensors", "optimizer.safetensors"


class RunFolder:
    """A folder with `model.safetensors`, `model.json`, `checkpoints/` and `tensorboard/`."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.model = self.path / MODEL
        self.checkpoints = self.path / "checkpoints"
        self.tensorboard = self.path / "tensorboard"

    def begin(self, resume: bool) -> Path | None:
        """The checkpoint to go on from, None for a new run. Raises TrainError."""
        last = self.last_checkpoint()
        if resume and last is None:
            raise TrainError(f"{self.path} holds no checkpoint to go on from: begin the run without resume")
        if last is not None and not resume:
            raise TrainError(f"{self.path} already holds a run: resume it, or name another folder")
        return last

    def last_checkpoint(self) -> Path | None:
        """The checkpoint with the most steps, None where there is none."""
        found = [each for each in self.checkpoints.glob("*") if each.name.isdigit() and each.is_dir()]
        return max(found, key=lambda each: int(each.name), default=None)

    def save(self, learner: MaskablePPO, about: Mapping[str, Any]) -> None:
        """Write a checkpoint, named by its steps, and the model."""
        about = {**about, "steps": learner.num_timesteps, "updates": learner._n_updates}
        network, optimizer = network_of(learner), learner.policy.optimizer
        place = self.checkpoints / f"{learner.num_timesteps:010}"
        part = place.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        save_model(part / MODEL, network, about)
        with written_whole(part / OPTIMIZER, "wb") as file:
            file.write(save(_optimizer_state(optimizer, network)))
        shutil.rmtree(place, ignore_errors=True)
        os.replace(part, place)
        save_model(self.model, network, about)


def saved_config(folder: Path) -> TrainConfig:
    """The settings that a run was last trained with; raises ModelError and TrainError."""
    return TrainConfig.from_json(read_about(RunFolder(folder).model.with_suffix(".json")).get("config", {}))


def restore(learner: MaskablePPO, checkpoint: Path) -> None:
    """Give a fresh learner a checkpoint's weights, counts and optimizer's memory; raises ModelError, TrainError."""
    network, about = load_model(checkpoint / MODEL)
    mine = network_of(learner)
    if (network.encoder, network.sizes) != (mine.encoder, mine.sizes):
        raise TrainError(
            f"{checkpoint} was trained with {network.encoder.layout} and {network.sizes}, "
            f"expected {mine.encoder.layout} and {mine.sizes}"
        )
    mine.load_state_dict(network.state_dict())
    _load_optimizer_state(learner.policy.optimizer, mine, checkpoint / OPTIMIZER)
    try:
        learner.num_timesteps, learner._n_updates = int(about["steps"]), int(about["updates"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ModelError(f"{checkpoint / 'model.json'} is damaged, expected the numbers of steps and updates") from None
    assert learner.seed is not None
    learner.set_random_seed(learner.seed + learner.num_timesteps)  # other games than those it began with


def _optimizer_state(optimizer: torch.optim.Optimizer, network: Network) -> dict[str, torch.Tensor]:
    """What Adam remembers of every weight, as tensors `kind/weight`."""
    return {
        f"{kind}/{name}": value
        for name, weight in network.named_parameters()
        for kind, value in optimizer.state[weight].items()
    }


def _load_optimizer_state(optimizer: torch.optim.Optimizer, network: Network, path: Path) -> None:
    memory = read_tensors(path)
    if not memory:
        return  # the run was stopped before its first update
    try:
        for name, weight in network.named_parameters():
            shapes = {"step": (), "exp_avg": weight.shape, "exp_avg_sq": weight.shape}
            optimizer.state[weight] = {kind: memory[f"{kind}/{name}"].reshape(shape) for kind, shape in shapes.items()}
    except (KeyError, RuntimeError) as error:
        raise ModelError(f"{path} is not of this network ({error}), expected Adam's memory of every weight") from None
