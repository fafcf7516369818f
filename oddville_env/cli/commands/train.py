"""`train`: a policy trained with MaskablePPO."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.commands.evaluate import show_model
from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import (
    NONE,
    Evaluated,
    Minutes,
    Players,
    Resume,
    Settings,
    Threads,
    learning_module,
    option,
    typed,
)
from oddville_env.core.checked.settings import check_unchanged
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents


def train(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, option("Folder of the run: networks, checkpoints, TensorBoard logs.")],
    config: Annotated[Path | None, option("TOML file with settings of the run.")] = None,
    minutes: Minutes = None,
    steps: Annotated[int | None, option("Stop after this many decisions of the whole run.", default="no limit")] = None,
    against: Annotated[
        list[str] | None, option("Opponents, mixed over environments.", default="random and stronger ones")
    ] = None,
    players: Players = 2,
    reward: Annotated[str | None, option("Reward: outcome, rank or margin.", default="margin")] = None,
    seed: Annotated[int, option("Seed of the network, the deals and the opponents.")] = 0,
    envs: Annotated[int | None, option("Number of parallel environments.", default="128")] = None,
    threads: Threads = None,
    taught: Annotated[
        int | None, option("Expert decisions for behaviour cloning before PPO; 0 disables it.", default="600000")
    ] = None,
    init: Annotated[Path | None, option("Model to start from, e.g. of `imitate --fit`.")] = None,
    settings: Settings = NONE,
    resume: Resume = False,
    evaluated: Evaluated = False,
) -> None:
    """Train a policy with MaskablePPO; Ctrl-C stops, --resume continues."""
    own = {"players": players, "reward": reward, "seed": seed, "envs": envs, "threads": threads}
    limits = {"minutes": minutes, "steps": steps}
    more = {"opponents": tuple(specs_of(against or ())), "taught": taught, "init": init, "config": config}
    given = typed(context, {**own, **limits, **more, **settings}, {"opponents": "against"})
    path, interrupted, same = _train_ppo(game_type, given, folder, resume)
    show_model(game_type, find_agents("spec").AgentSpec(str(path)), interrupted, same, evaluated)


def _train_ppo(game_type: GameType, given: dict[str, Any], folder: Path, resume: bool) -> tuple[Path, bool, Any]:
    """Return the path of the model, whether Ctrl-C ended the run, and settings for evaluation."""
    init, file = given.pop("init", None), given.pop("config", None)
    for name, value in (("init", init), ("config", file)):
        if resume and value is not None:
            raise SettingError(f"--{name} cannot be combined with --resume: the run has begun")
    config_class = learning_module("learning.config").TrainConfig
    if resume:
        config = _resumed(game_type, folder, given)
    elif file is not None:
        config = config_class.read(file, game_type, given)
    else:
        config = config_class.of(game_type, given)
    trained = learning_module("learning.train").run(config, folder, resume, init=init)
    return trained.model, trained.interrupted, {"players": config.players, "settings": config.settings}


def _resumed(game_type: GameType, folder: Path, given: dict[str, Any]) -> Any:
    """The stored settings with new limits. Raises SettingError where other values were given."""
    limits = {name: given.pop(name, None) for name in ("minutes", "steps")}
    config = learning_module("learning.run_folder").saved_config(folder, given.get("opponents"), game_type)
    for name, value in given.items():
        check_unchanged(name, config.as_json()[name], str(value) if isinstance(value, Path) else value)
    return replace(config, **limits)
