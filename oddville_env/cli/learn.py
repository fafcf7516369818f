"""`train`, `evaluate`: learning and measuring. Both find `oddville_training` at run time."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import (
    Games,
    JsonOut,
    Players,
    Settings,
    training_module,
)
from oddville_env.cli.output import check_out, out_file, terminal
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game_type import GameType

MEASURED_GAMES = 400
OF_A_RUN = {"against": "opponents"}  # options that a run's settings call otherwise

_training = partial(training_module, "training needs", "train")

Against = Annotated[list[str] | None, typer.Option(help="Agents to play against; the usual ones if left out.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (train, evaluate):
        app.command()(command)


def train(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="The folder of the run: models, checkpoints, TensorBoard.")],
    minutes: Annotated[float | None, typer.Option(help="Stop after so many minutes.")] = None,
    steps: Annotated[int | None, typer.Option(help="Stop after so many steps of the whole run.")] = None,
    against: Annotated[list[str] | None, typer.Option(help="Opponents, mixed over the environments.")] = None,
    players: Players = 2,
    reward: Annotated[str | None, typer.Option(help="outcome, rank or margin.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the network, the deals and the opponents.")] = 0,
    envs: Annotated[int | None, typer.Option(help="Environments that are played at once.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads of the network.")] = None,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder, as it was set.")] = False,
    evaluated: Annotated[bool, typer.Option("--evaluate", help="Then play against random and greedy.")] = False,
) -> None:
    """Train an agent with MaskablePPO; Ctrl-C saves what it learned."""
    own = {"players": players, "reward": reward, "seed": seed, "envs": envs, "threads": threads}
    options = {"against": tuple(specs_of(against or ())), **own, **settings}
    given = {OF_A_RUN.get(name, name): value for name, value in options.items() if _is_typed(context, name)}
    if "cards" in given:
        given["cards"] = str(given["cards"])
    config = _resumed(folder, given) if resume else _training("learning.config").TrainConfig(**given)
    trained = _training("learning.train").run(replace(config, minutes=minutes, steps=steps), folder, resume)
    typer.echo(f"the model is {trained.model}")
    if evaluated and trained.interrupted:
        typer.echo(f"it was not evaluated: oddville evaluate {trained.model}", err=True)
    elif evaluated:
        same = {"table": config.table, "max_rounds": config.max_rounds, "cards": config.cards}
        evaluate(game_type, str(trained.model), players=config.players, settings=same)


def _is_typed(context: typer.Context, name: str) -> bool:
    """The person gave this option."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _resumed(folder: Path, given: Mapping[str, Any]) -> Any:
    """The settings of a run that goes on; raises SettingError where others were given."""
    config = _training("learning.run_folder").saved_config(folder, given.get("opponents"))
    for name, value in given.items():
        stored = getattr(config, name)
        if value != stored:
            raise SettingError(
                f"--resume goes on with the run as it was set: its {name} is {shown(stored)}, not {shown(value)}"
            )
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
    check_out(out)
    usual = import_module("oddville_agents").roster_of(game_type.name).measured_against
    evaluation = _training("tournament.evaluate").evaluate(
        model, specs_of(against or usual), games, players, seed, game=game_type, **settings
    )
    if out is not None:
        with out_file(out) as file:
            file.write(evaluation.to_json() + "\n")
    terminal(out).print(_training("tournament.evaluate").table(evaluation))
