"""`train`: a policy learns. It finds `oddville_training` at run time."""

from dataclasses import replace
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.commands.evaluate import show_model
from oddville_env.cli.lists import ListCommand, specs_of
from oddville_env.cli.options import (
    Evaluated,
    Minutes,
    Players,
    Resume,
    Settings,
    Threads,
    learning_module,
    typed,
)
from oddville_env.core.checked.settings import as_it_was_set
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents


class Algo(StrEnum):
    """The algorithms of training."""

    PPO = "ppo"
    SELFPLAY = "selfplay"


class TrainCommand(ListCommand):
    """`train`, which up to version 0.1.0 was `selfplay` too: with `--algo selfplay` it hands its words over."""

    def make_context(self, info_name, args, parent=None, **extra):  # type: ignore[no-untyped-def]
        """That of the command that is meant; raises SettingError for options of the other one."""
        given = {word.partition("=")[0]: word.partition("=")[2] for word in args if word.startswith("--")}
        if "--algo" in args[:-1]:
            given["--algo"] = args[args.index("--algo") + 1]
        algo = given.get("--algo", Algo.SELFPLAY if "--best-response" in given else Algo.PPO)
        learner = parent.command.commands["selfplay"]
        own, other = (self, learner) if algo == Algo.PPO else (learner, self)
        known = {name for param in own.params for name in param.opts}
        for name in sorted(given.keys() & {name for param in other.params for name in param.opts} - known - {"--algo"}):
            raise SettingError(f"{name} means nothing with --algo {algo}")
        if own is self or algo != Algo.SELFPLAY:
            return super().make_context(info_name, args, parent, **extra)
        words = [word for before, word in pairwise(["", *args]) if "--algo" not in (before, word.partition("=")[0])]
        return learner.make_context(learner.name, words, parent, **extra)


COMMAND = TrainCommand


def train(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="The folder of the run: networks, checkpoints, TensorBoard.")],
    algo: Annotated[
        Algo, typer.Option(help="ppo: MaskablePPO on one seat. selfplay: the command of that name.")
    ] = Algo.PPO,
    config: Annotated[Path | None, typer.Option(help="A TOML file with settings of the run.")] = None,
    minutes: Minutes = None,
    steps: Annotated[int | None, typer.Option(help="Stop after so many steps of the whole run.")] = None,
    against: Annotated[list[str] | None, typer.Option(help="Opponents, mixed over the environments.")] = None,
    players: Players = 2,
    reward: Annotated[str | None, typer.Option(help="outcome, rank or margin.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the network, the deals and the opponents.")] = 0,
    envs: Annotated[int | None, typer.Option(help="Environments that are played at once.")] = None,
    threads: Threads = None,
    taught: Annotated[
        int | None, typer.Option(help="Decisions of the strongest usual agent to imitate first; 0 for none.")
    ] = None,
    init: Annotated[Path | None, typer.Option(help="A model to begin with, of imitate --fit.")] = None,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
    resume: Resume = False,
    evaluated: Evaluated = False,
) -> None:
    """Train a policy for one seat; Ctrl-C keeps what it learned, --resume goes on."""
    own = {"players": players, "reward": reward, "seed": seed, "envs": envs, "threads": threads}
    limits = {"minutes": minutes, "steps": steps}
    more = {"opponents": tuple(specs_of(against or ())), "taught": taught, "init": init, "config": config}
    given = typed(context, {**own, **limits, **more, **settings}, {"opponents": "against"})
    path, interrupted, same = _train_ppo(game_type, given, folder, resume)
    show_model(game_type, find_agents("spec").AgentSpec(str(path)), interrupted, same, evaluated)


def _train_ppo(game_type: GameType, given: dict[str, Any], folder: Path, resume: bool) -> tuple[Path, bool, Any]:
    """The model's path, whether Ctrl-C ended the run, and what it is evaluated with."""
    init, file = given.pop("init", None), given.pop("config", None)
    for name, value in (("init", init), ("config", file)):
        if resume and value is not None:
            raise SettingError(f"--{name} means nothing with --resume: the run has begun")
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
    """The settings of a run that goes on, with limits of its own; raises SettingError where others were given."""
    limits = {name: given.pop(name, None) for name in ("minutes", "steps")}
    config = learning_module("learning.run_folder").saved_config(folder, given.get("opponents"), game_type)
    for name, value in given.items():
        as_it_was_set(name, config.as_json()[name], str(value) if isinstance(value, Path) else value)
    return replace(config, **limits)
