"""`evaluate`: the win share of an agent against others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import NONE, Games, JsonOut, Players, Settings, argument, learning_module, option
from oddville_env.cli.output import check_out, out_file, terminal
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents
from oddville_env.core.system.processes import cores

MEASURED_GAMES = 400

Against = Annotated[list[str] | None, option("Opponents, each measured alone.", default="random and stronger ones")]


def evaluate(
    game_type: GameType,
    model: Annotated[str, argument("Agent to evaluate: a model file, or any agent that `agents` lists.")],
    against: Against = None,
    games: Games = MEASURED_GAMES,
    players: Players = 2,
    seed: Annotated[int, option("Seed of the deals.")] = 0,
    workers: Annotated[int, option("Number of worker processes; the result does not depend on it.")] = 1,
    out: JsonOut = None,
    settings: Settings = NONE,
) -> None:
    """Evaluate an agent on equal deals in every seat: win share with 95 % interval, scores and ranks."""
    measure(game_type, model, specs_of(against or ()), games, players, seed, out, settings, workers)


def show_model(
    game_type: GameType,
    model: Any,
    interrupted: bool,
    same: Mapping[str, Any],
    evaluated: bool,
    also: Sequence[tuple[Any, str, int]] = (),
) -> None:
    """Print the path of a trained model, and evaluate it if asked.

    Args:
        same: settings of the evaluation games.
        also: further agents that use the model, each with an opponent and a number of games.
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
    settings: Settings = NONE,
    workers: int = 1,
) -> None:
    """Evaluate an agent and print the table; without opponents against the standard ones."""
    check_out(out)
    rivals = against or find_agents().roster_of(game_type.name).measured_against
    evaluation = learning_module("tournament.evaluate").evaluate(
        model, rivals, games, players, seed, game=game_type, workers=workers, **settings
    )
    if out is not None:
        with out_file(out) as file:
            file.write(evaluation.to_json() + "\n")
    terminal(out).print(learning_module("tournament.evaluate").table(evaluation))
