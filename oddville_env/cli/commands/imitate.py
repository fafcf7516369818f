"""`imitate`: an agent's decisions as a data set, and a policy that is fitted to it."""

from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import (
    PROCESSES,
    Games,
    Players,
    Workers,
    learning_module,
)
from oddville_env.core.game.game_type import GameType


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
    asked = learning_module("learning.imitation.data_set").DataSetSpec(
        agent, players, games, seed, stray, encoding, game_type.name
    )
    command = learning_module("learning.imitation.command")
    command.make(out, asked, learning_module("work.pools").workers_of(workers, PROCESSES, None))
    typer.echo(f"the data set is {out}")
    if fitted:
        model = command.fit(out, learning_module("learning.imitation.fit").Imitate(seed=seed))
        typer.echo(f"the model is {model}")
