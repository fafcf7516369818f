"""The files of a training run: the model and its checkpoints, which are loaded without running any code from them."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from oddville_agents.policies import models
from oddville_agents.policies.torch_network import PolicyNetwork, weights_of
from oddville_agents.policies.torch_network import network_of as network_of_model
from oddville_agents.roster import FIRST_GAME
from oddville_agents.spec import check_spec_from_file
from oddville_agents.tensors import ArrayKind, check_arrays, read_tensors
from oddville_env.core.checked import check, whole
from oddville_env.core.disk.files import check_writable, remove_unfinished, sync_names
from oddville_env.core.errors import located
from oddville_env.core.game.game_type import GameType, game_type
from oddville_training.learning.config import MOST_STEPS, TrainConfig, TrainError
from oddville_training.learning.learner import network_of
from oddville_training.learning.meter import FACTS, GameStatistics

MODEL, OPTIMIZER, GAMES = "model.safetensors", "optimizer.safetensors", "games.safetensors"
UNFINISHED = ".unfinished"  # a checkpoint that is being written
COUNTS = {"steps": whole(0, MOST_STEPS), "updates": whole(0, MOST_STEPS)}


class TrainFolder:
    """A folder with `model.safetensors`, `model.json`, `checkpoints/` and `tensorboard/`."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.model = self.path / MODEL
        self.checkpoints = self.path / "checkpoints"
        self.tensorboard = self.path / "tensorboard"

    def begin(self, resume: bool) -> Path | None:
        """The checkpoint to resume, None for a new run. Raises TrainError, OSError where no model can be written."""
        last = self.last_checkpoint() if resume else None
        if not resume and self._all_checkpoints():
            raise TrainError(f"{self.path} already holds a run: resume it, or name another folder")
        for file in (self.model, self.model.with_suffix(".json")):
            check_writable(file)
        if resume:
            remove_unfinished(self.path)
            shutil.rmtree(self.checkpoints / UNFINISHED, ignore_errors=True)
        return last

    def last_checkpoint(self) -> Path:
        """The checkpoint with the most steps; raises TrainError where there is none."""
        found = self._all_checkpoints()
        if not found:
            raise TrainError(f"{self.path} holds no checkpoint to resume: begin the run without resume")
        return max(found, key=lambda each: int(each.name))

    def _all_checkpoints(self) -> list[Path]:
        return [each for each in self.checkpoints.glob("*") if each.name.isdecimal() and each.is_dir()]

    def save(
        self, learner: MaskablePPO, games: GameStatistics, networks: models.Networks, about: Mapping[str, Any]
    ) -> None:
        """Write a checkpoint, named by its steps, and the model.

        A checkpoint takes its name when it is complete, and none is ever replaced: whenever a save is broken off, all
        that was saved before is there.
        """
        about = {**about, "steps": learner.num_timesteps, "updates": learner._n_updates}
        network, optimizer = network_of(learner), learner.policy.optimizer
        weights = weights_of(network)
        checkpoint = self.checkpoints / f"{learner.num_timesteps:010}"
        if not checkpoint.exists():
            unfinished = self.checkpoints / UNFINISHED
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(parents=True)
            models.save_model(unfinished / MODEL, networks, weights, about)
            means = {  # of Adam for every weight, as tensors `kind/weight`
                f"{kind}/{name}": value.numpy()
                for name, weight in network.named_parameters()
                for kind, value in optimizer.state[weight].items()
            }
            models.save_tensors(unfinished / OPTIMIZER, means)
            models.save_tensors(unfinished / GAMES, games.state())
            os.replace(unfinished, checkpoint)
            sync_names(self.checkpoints)
        models.save_model(self.model, networks, weights, about)


def saved_config(folder: Path, opponents: Sequence[str] | None = None, game: GameType | None = None) -> TrainConfig:
    """The settings that a run of a game was last trained with; raises ModelError, TrainError and AgentError.

    opponents: the run's own ones named again, which opponents with code of their own must be.
    """
    game = game or game_type(FIRST_GAME)
    path = TrainFolder(folder).last_checkpoint() / "model.json"
    with located(path, TrainError):
        config = TrainConfig.from_json(models.read_about(path, models.networks_of(game.name)).get("config"), game)
    if opponents is None:
        for spec in config.opponents:
            check_spec_from_file(spec, path, game.name)
    elif tuple(opponents) != config.opponents:
        raise TrainError(
            f"{path}: the run was trained against {', '.join(config.opponents)}, not {', '.join(opponents)}"
        )
    return config


def begin_with(learner: MaskablePPO, model: Path, networks: models.Networks) -> None:
    """Give a fresh learner the weights of a model; raises ModelError, TrainError."""
    network, _ = _fitting(learner, model, networks)
    network_of(learner).load_state_dict(network.state_dict())


def _fitting(learner: MaskablePPO, path: Path, networks: models.Networks) -> tuple[PolicyNetwork, Mapping[str, Any]]:
    """The network of a model, if the learner's is like it, and what the file says of it."""
    model, mine = models.load_model(path, networks), network_of(learner)
    if model.encoder != mine.encoder:
        raise TrainError(f"{path} was trained with {networks.misfit(mine.encoder.layout)}")
    if model.sizes != mine.sizes:
        raise TrainError(f"{path} was trained with {model.sizes}, expected {mine.sizes}")
    return network_of_model(model), model.about


def restore(learner: MaskablePPO, games: GameStatistics, checkpoint: Path, networks: models.Networks) -> None:
    """Give a fresh learner all that a checkpoint holds; raises ModelError, TrainError."""
    (network, about), mine = _fitting(learner, checkpoint / MODEL, networks), network_of(learner)
    with located(f"{checkpoint / 'model.json'} is damaged", models.ModelError):
        check(about, COUNTS, models.ModelError)
    mine.load_state_dict(network.state_dict())
    _load_optimizer_state(learner.policy.optimizer, mine, checkpoint / OPTIMIZER, about["updates"] > 0)
    path = checkpoint / GAMES
    played, _ = read_tensors(path, models.ModelError)
    check_arrays(path, played, {name: ArrayKind(np.float32, (name, len(FACTS))) for name in played}, models.ModelError)
    games.restore(played)
    learner.num_timesteps, learner._n_updates = about["steps"], about["updates"]


def _load_optimizer_state(optimizer: torch.optim.Optimizer, network: PolicyNetwork, path: Path, updated: bool) -> None:
    """updated: the run was not stopped before its first update. Raises ModelError."""
    weights = dict(network.named_parameters())
    kinds = {}
    for name, weight in weights.items() if updated else ():
        kinds[f"step/{name}"] = ArrayKind(np.float32, (), 0)
        kinds[f"exp_avg/{name}"] = ArrayKind(np.float32, tuple(weight.shape))
        kinds[f"exp_avg_sq/{name}"] = ArrayKind(np.float32, tuple(weight.shape), 0)
    tensors, _ = read_tensors(path, models.ModelError)
    with located("expected Adam's running means for every weight of this network", models.ModelError):
        check_arrays(path, tensors, kinds, models.ModelError)
    for name, tensor in tensors.items():
        kind, _, of = name.partition("/")
        optimizer.state[weights[of]][kind] = torch.tensor(tensor)
