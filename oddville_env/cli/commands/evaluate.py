"""`evaluate`: how well an agent plays. It finds `oddville_training` at run time."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import (
    Games,
    JsonOut,
    Players,
    Settings,
    learning_module,
)
from oddville_env.cli.output import check_out, out_file, terminal
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents
from oddville_env.core.system.processes import cores

MEASURED_GAMES = 400

Against = Annotated[list[str] | None, typer.Option(help="Agents to play against; the usual ones if left out.")]


def evaluate(
    game_type: GameType,
    model: Annotated[str, typer.Argument(help="The agent: a model or any other spec.")],
    against: Against = None,
    games: Games = MEASURED_GAMES,
    players: Players = 2,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes that play; the result is the same for any number.")] = 1,
    out: JsonOut = None,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Play an agent on equal deals in every seat; win share with a 95 % interval, scores, and seats."""
    measure(game_type, model, specs_of(against or ()), games, players, seed, out, settings, workers)


def show_model(
    game_type: GameType,
    model: Any,
    interrupted: bool,
    same: Mapping[str, Any],
    evaluated: bool,
    also: Sequence[tuple[Any, str, int]] = (),
) -> None:
    """Say where a run has left its model, and evaluate it if that was asked for.

    same: settings of the games; also: other agents that play by the model, an opponent and a number of games of each.
    """
    typer.echo(f"the model is {model}")
    if evaluated and interrupted:
        typer.echo(f"it was not evaluated: {game_type.name} evaluate {model}", err=True)
    elif evaluated:
        measure(game_type, model, **same)
        for agent, rival, games in also:
            measure(game_type, agent, **{**same, "against": [rival], "games": games, "workers": cores()})


def measure(
    game_type: GameType,
    model: Any,
    against: Sequence[Any] = (),
    games: int = MEASURED_GAMES,
    players: int = 2,
    seed: int = 0,
    out: Path | None = None,
    settings: Mapping[str, Any] = {},
    workers: int = 1,
) -> None:
    """The same for agents that people or runs name; without opponents against the usual ones."""
    check_out(out)
    rivals = against or find_agents().roster_of(game_type.name).measured_against
    evaluation = learning_module("tournament.evaluate").evaluate(
        model, rivals, games, players, seed, game=game_type, workers=workers, **settings
    )
    if out is not None:
        with out_file(out) as file:
            file.write(evaluation.to_json() + "\n")
    terminal(out).print(learning_module("tournament.evaluate").table(evaluation))
