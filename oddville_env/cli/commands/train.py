"""`train`: an agent learns. It finds `oddville_training` at run time."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.commands.evaluate import measure
from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import (
    PROCESSES,
    Address,
    Players,
    Settings,
    Where,
    Workers,
    learning_module,
)
from oddville_env.core.above import find_agents
from oddville_env.core.checks import as_it_was_set
from oddville_env.core.errors import SettingError
from oddville_env.core.game_type import GameType

OF_A_RUN = {"against": "opponents"}  # options that a run's settings call otherwise
OF_PPO = ("steps", "against", "reward", "envs", "taught", "init")  # and the settings of the game
OF_SELFPLAY = ("preset", "best_response", "workers", "executor", "address")


class Algo(StrEnum):
    """How an agent is trained."""

    PPO = "ppo"
    SELFPLAY = "selfplay"


def train(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="The folder of the run: networks, checkpoints, TensorBoard.")],
    algo: Annotated[
        Algo, typer.Option(help="ppo: MaskablePPO on one seat. selfplay: a value, or weights, that plays itself.")
    ] = Algo.PPO,
    minutes: Annotated[float | None, typer.Option(help="Stop after so many minutes.")] = None,
    preset: Annotated[str | None, typer.Option(help="OddVille, selfplay: first, quick, hour, night, champion.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file: settings of ppo, or a plan of selfplay.")] = None,
    best_response: Annotated[
        str | None, typer.Option(help="OddVille, selfplay: learn to beat this agent alone: champion, or greedy.")
    ] = None,
    workers: Workers = None,
    executor: Where = PROCESSES,
    address: Address = None,
    steps: Annotated[int | None, typer.Option(help="ppo: stop after so many steps of the whole run.")] = None,
    against: Annotated[list[str] | None, typer.Option(help="ppo: opponents, mixed over the environments.")] = None,
    players: Players = 2,
    reward: Annotated[str | None, typer.Option(help="ppo: outcome, rank or margin.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the network, the deals and the opponents.")] = 0,
    envs: Annotated[int | None, typer.Option(help="ppo: environments that are played at once.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads of the network.")] = None,
    taught: Annotated[
        int | None, typer.Option(help="ppo: decisions of the strongest usual agent to imitate first; 0 for none.")
    ] = None,
    init: Annotated[Path | None, typer.Option(help="ppo: a model to begin with, of imitate --fit.")] = None,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder, as it was set.")] = False,
    evaluated: Annotated[bool, typer.Option("--evaluate", help="Then play against the usual agents.")] = False,
) -> None:
    """Train an agent; Ctrl-C keeps what it learned, --resume goes on."""
    own = {"players": players, "reward": reward, "seed": seed, "envs": envs, "threads": threads}
    where = {"workers": workers, "executor": executor, "address": address}
    of_selfplay = {"preset": preset, "config": config, "best_response": best_response, **where}
    of_ppo = {"against": tuple(specs_of(against or ())), **settings, "steps": steps, "taught": taught, "init": init}
    options = {**of_ppo, **own, **of_selfplay}
    given = {OF_A_RUN.get(name, name): value for name, value in options.items() if _is_typed(context, name)}
    if best_response is not None and not _is_typed(context, "algo"):
        algo = Algo.SELFPLAY
    if algo == Algo.PPO:
        _refuse(context, OF_SELFPLAY, algo)
        limits = {} if minutes is None else {"minutes": minutes}
        path, interrupted, same = _train_ppo(game_type, {**given, **limits}, folder, resume)
        model = find_agents("roster").AgentSpec(str(path))
    else:
        _refuse(context, (*OF_PPO, *settings), algo)
        model, interrupted, same = _self_play(game_type).run(game_type, folder, given, resume, minutes)
    typer.echo(f"the model is {model}")
    if evaluated and interrupted:
        typer.echo(f"it was not evaluated: {game_type.name} evaluate {model}", err=True)
    elif evaluated:
        measure(game_type, model, **same)


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


def _self_play(game_type: GameType) -> Any:
    """What learns a game by playing itself; raises SettingError where nothing does."""
    module = find_agents().roster_of(game_type.name).self_play
    if not module:
        raise SettingError(f"{game_type.title} has no value that plays itself: --algo ppo trains a policy")
    return learning_module(module)


def _refuse(context: typer.Context, names: tuple[str, ...], algo: Algo) -> None:
    """Options of the other algorithm."""
    for name in names:
        if _is_typed(context, name):
            raise SettingError(f"--{name.replace('_', '-')} means nothing with --algo {algo.value}")


def _is_typed(context: typer.Context, name: str) -> bool:
    """The person gave this option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _resumed(game_type: GameType, folder: Path, given: dict[str, Any]) -> Any:
    """The settings of a run that goes on, with limits of its own; raises SettingError where others were given."""
    limits = {name: given.pop(name, None) for name in ("minutes", "steps")}
    config = learning_module("learning.run_folder").saved_config(folder, given.get("opponents"), game_type)
    for name, typed in given.items():
        as_it_was_set(name, config.as_json()[name], str(typed) if isinstance(typed, Path) else typed)
    return replace(config, **limits)
