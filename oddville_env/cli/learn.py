"""`oddville train`, `evaluate`: learning and measuring. Both find `oddville_training` at run time."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from oddville_env.cli.options import (
    CardFolder,
    Columns,
    Games,
    ManyValues,
    Players,
    Rounds,
    split_specs,
    training_module,
)
from oddville_env.core.errors import SettingError
from oddville_env.core.files import check_writable, written_whole
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import MAX_ROUNDS

MEASURED_AGAINST = ("random", "greedy:weights=simple", "greedy")
MEASURED_GAMES = 400

_training = partial(training_module, "training needs", "train")

Against = Annotated[list[str], typer.Option(help="Agents to play against.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(train)
    app.command(cls=ManyValues)(evaluate)


def train(
    folder: Annotated[Path, typer.Option(help="The folder of the run: models, checkpoints, TensorBoard.")],
    minutes: Annotated[float | None, typer.Option(help="Stop after so many minutes.")] = None,
    steps: Annotated[int | None, typer.Option(help="Stop after so many steps of the whole run.")] = None,
    against: Annotated[str | None, typer.Option(help="Opponents, with commas, mixed over the environments.")] = None,
    players: Players = 2,
    reward: Annotated[str | None, typer.Option(help="outcome, rank or margin.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the network, the deals and the opponents.")] = 0,
    envs: Annotated[int | None, typer.Option(help="Environments that are played at once.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads of the network.")] = None,
    table: Columns = DEFAULT_TABLE,
    max_rounds: Rounds = MAX_ROUNDS,
    cards: CardFolder = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder, as it was set.")] = False,
    evaluated: Annotated[bool, typer.Option("--evaluate", help="Then play against random and greedy.")] = False,
) -> None:
    """Train an agent with MaskablePPO; Ctrl-C saves what it learned."""
    settings = {"against": against, "reward": reward, "envs": envs, "threads": threads, "cards": cards}
    if resume and any(value is not None for value in settings.values()):
        named = ", ".join(f"--{name}" for name, value in settings.items() if value is not None)
        raise SettingError(f"--resume goes on with the run as it was set: it takes no {named}")
    if resume:
        config = replace(_training("learning.run_folder").saved_config(folder), minutes=minutes, steps=steps)
    else:
        given = {
            "minutes": minutes,
            "steps": steps,
            "opponents": tuple(split_specs(against)) if against else None,
            "reward": reward,
            "envs": envs,
            "threads": threads,
            "cards": cards and str(cards),
        }
        chosen = {name: value for name, value in given.items() if value is not None}
        config = _training("learning.config").TrainConfig(
            players=players, seed=seed, table=table, max_rounds=max_rounds, **chosen
        )
    model = _training("learning.train").train(config, folder, resume)
    typer.echo(f"the model is {model}")
    if evaluated:
        own = {"players": config.players, "table": config.table, "max_rounds": config.max_rounds}
        evaluate(str(model), list(MEASURED_AGAINST), cards=config.cards, **own)


def evaluate(
    model: Annotated[str, typer.Argument(help="The agent: a model or any other spec.")],
    against: Against = list(MEASURED_AGAINST),  # noqa: B006  (typer reads it once)
    games: Games = MEASURED_GAMES,
    players: Players = 2,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 0,
    out: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file.")] = None,
    table: Columns = DEFAULT_TABLE,
    max_rounds: Rounds = MAX_ROUNDS,
    cards: CardFolder = None,
) -> None:
    """Play an agent on equal deals in every seat; win share with a 95 % interval, scores, and seats."""
    if out is not None:
        check_writable(out)
    evaluation = _training("tournament.evaluate").evaluate(
        model, against, games, players, seed, table=table, max_rounds=max_rounds, cards=cards
    )
    if out is not None:
        with written_whole(out) as file:
            file.write(evaluation.to_json() + "\n")
    Console().print(_training("tournament.evaluate").table(evaluation))
