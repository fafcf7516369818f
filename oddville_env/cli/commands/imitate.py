"""`imitate`: the decisions of an agent as a data set, and a policy fitted to it."""

from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import PROCESSES, Games, Players, Workers, argument, learning_module, option
from oddville_env.core.game.game_type import GameType


def imitate(
    game_type: GameType,
    agent: Annotated[str, argument("Agent to imitate.")],
    out: Annotated[Path, option("Folder of the data set.")],
    games: Games = 10_000,
    players: Players = 2,
    seed: Annotated[int, option("Seed of the deals and the random moves.")] = 0,
    stray: Annotated[float, option("Share of random moves, for more varied positions.")] = 0.05,
    encoding: Annotated[str, option("Encoding of the observations.")] = "features",
    workers: Workers = None,
    fitted: Annotated[bool, option("Then fit a policy to the data set, for `train --init`.", "--fit")] = False,
) -> None:
    """Record an agent's decisions for behaviour cloning; Ctrl-C keeps finished files."""
    asked = learning_module("learning.imitation.data_set").DataSetSpec(
        agent, players, games, seed, stray, encoding, game_type.name
    )
    command = learning_module("learning.imitation.command")
    command.make(out, asked, learning_module("work.pools").workers_of(workers, PROCESSES, None))
    typer.echo(f"the data set is {out}")
    if fitted:
        model = command.fit(out, learning_module("learning.imitation.fit").Imitate(seed=seed))
        typer.echo(f"the model is {model}")
