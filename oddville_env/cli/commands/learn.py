"""`train`, `imitate`, `evaluate`: learning and measuring. They find `oddville_training` at run time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import (
    PROCESSES,
    Address,
    Games,
    JsonOut,
    Players,
    Settings,
    Where,
    Workers,
    training_module,
)
from oddville_env.cli.output import check_out, out_file, terminal
from oddville_env.core.above import find_agents
from oddville_env.core.checks import as_it_was_set
from oddville_env.core.errors import SettingError
from oddville_env.core.game_type import GameType

MEASURED_GAMES = 400
OF_A_RUN = {"against": "opponents"}  # options that a run's settings call otherwise

_training = partial(training_module, "training needs", "train")

OF_PPO = ("steps", "against", "reward", "envs", "taught", "init")  # and the settings of the game
OF_SELFPLAY = ("preset", "config", "best_response", "workers", "executor", "address")


class Algo(StrEnum):
    """How an agent is trained."""

    PPO = "ppo"
    SELFPLAY = "selfplay"


Against = Annotated[list[str] | None, typer.Option(help="Agents to play against; the usual ones if left out.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (train, imitate, evaluate):
        app.command()(command)


def train(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="The folder of the run: networks, checkpoints, TensorBoard.")],
    algo: Annotated[
        Algo, typer.Option(help="ppo: MaskablePPO on one seat. selfplay: a value, or weights, that plays itself.")
    ] = Algo.PPO,
    minutes: Annotated[float | None, typer.Option(help="Stop after so many minutes.")] = None,
    preset: Annotated[str | None, typer.Option(help="OddVille, selfplay: first, quick, hour, night, champion.")] = None,
    config: Annotated[Path | None, typer.Option(help="OddVille, selfplay: a TOML file with your own plan.")] = None,
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
        path, interrupted, same = _train_ppo(game_type, given, folder, minutes, resume)
        model = find_agents("roster").AgentSpec(str(path))
    else:
        _refuse(context, (*OF_PPO, *settings), algo)
        model, interrupted, same = _self_play(game_type).run(game_type, folder, given, resume, minutes)
    typer.echo(f"the model is {model}")
    if evaluated and interrupted:
        typer.echo(f"it was not evaluated: {game_type.name} evaluate {model}", err=True)
    elif evaluated:
        measure(game_type, model, **same)


def _train_ppo(
    game_type: GameType, given: dict[str, Any], folder: Path, minutes: float | None, resume: bool
) -> tuple[Path, bool, Any]:
    """The model's path, whether Ctrl-C ended the run, and what it is evaluated with."""
    steps, init = given.pop("steps", None), given.pop("init", None)
    if resume and init is not None:
        raise SettingError("--init means nothing with --resume: the run has begun")
    of_a_run = _training("learning.config").TrainConfig.of
    config = _resumed(game_type, folder, given) if resume else of_a_run(game_type, given)
    config = replace(config, minutes=minutes, steps=steps)
    trained = _training("learning.train").run(config, folder, resume, init=init)
    return trained.model, trained.interrupted, {"players": config.players, "settings": config.settings}


def _self_play(game_type: GameType) -> Any:
    """What learns a game by playing itself; raises SettingError where nothing does."""
    module = find_agents().roster_of(game_type.name).self_play
    if not module:
        raise SettingError(f"{game_type.title} has no value that plays itself: --algo ppo trains a policy")
    return _training(module)


def _refuse(context: typer.Context, names: tuple[str, ...], algo: Algo) -> None:
    """Options of the other algorithm."""
    for name in names:
        if _is_typed(context, name):
            raise SettingError(f"--{name.replace('_', '-')} means nothing with --algo {algo.value}")


def imitate(
    game_type: GameType,
    agent: Annotated[str, typer.Argument(help="The agent whose decisions are noted.")],
    out: Annotated[Path, typer.Option(help="The folder of the data set.")],
    games: Games = 10_000,
    players: Players = 2,
    seed: Annotated[int, typer.Option(help="Seed of the deals and of stray moves.")] = 0,
    stray: Annotated[float, typer.Option(help="The part of the moves that are random.")] = 0.05,
    encoding: Annotated[str, typer.Option(help="Of the observations, by its name.")] = "features",
    workers: Workers = None,
    fitted: Annotated[bool, typer.Option("--fit", help="Then fit a policy to it, for train --init.")] = False,
) -> None:
    """Make a data set of an agent's decisions, in safetensors files; Ctrl-C keeps those that are done."""
    asked = _training("learning.imitation.data_set").Asked(agent, players, games, seed, stray, encoding, game_type.name)
    command = _training("learning.imitation.command")
    command.make(out, asked, _training("learning.selfplay.command").workers_of(workers, PROCESSES, None))
    typer.echo(f"the data set is {out}")
    if fitted:
        model = command.fit(out, _training("learning.imitation.fit").Imitate(seed=seed))
        typer.echo(f"the model is {model}")


def _is_typed(context: typer.Context, name: str) -> bool:
    """The person gave this option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _resumed(game_type: GameType, folder: Path, given: Mapping[str, Any]) -> Any:
    """The settings of a run that goes on; raises SettingError where others were given."""
    config = _training("learning.run_folder").saved_config(folder, given.get("opponents"), game_type)
    for name, typed in given.items():
        as_it_was_set(name, config.as_json()[name], str(typed) if isinstance(typed, Path) else typed)
    return config


def evaluate(
    game_type: GameType,
    model: Annotated[str, typer.Argument(help="The agent: a model or any other spec.")],
    against: Against = None,
    games: Games = MEASURED_GAMES,
    players: Players = 2,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 0,
    out: JsonOut = None,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Play an agent on equal deals in every seat; win share with a 95 % interval, scores, and seats."""
    measure(game_type, model, specs_of(against or ()), games, players, seed, out, settings)


def measure(
    game_type: GameType,
    model: Any,
    against: Sequence[Any] = (),
    games: int = MEASURED_GAMES,
    players: int = 2,
    seed: int = 0,
    out: Path | None = None,
    settings: Mapping[str, Any] = {},
) -> None:
    """The same for agents that people or runs name; without opponents against the usual ones."""
    check_out(out)
    rivals = against or find_agents().roster_of(game_type.name).measured_against
    evaluation = _training("tournament.evaluate").evaluate(
        model, rivals, games, players, seed, game=game_type, **settings
    )
    if out is not None:
        with out_file(out) as file:
            file.write(evaluation.to_json() + "\n")
    terminal(out).print(_training("tournament.evaluate").table(evaluation))
