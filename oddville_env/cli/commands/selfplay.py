"""`selfplay`: a value network trained by self-play."""

from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.commands.evaluate import show_model
from oddville_env.cli.options import (
    PROCESSES,
    Address,
    Evaluated,
    Minutes,
    Players,
    Resume,
    Threads,
    Where,
    Workers,
    learning_module,
    option,
    typed,
)
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents


def selfplay(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, option("Folder of the run: plan, games and networks.")],
    minutes: Minutes = None,
    preset: Annotated[
        str | None, option("Built-in plan, e.g. quick or champion.", default="one with default settings")
    ] = None,
    config: Annotated[Path | None, option("TOML file with your own plan.")] = None,
    best_response: Annotated[
        str | None, option("OddVille only: train against this fixed agent, champion or greedy.")
    ] = None,
    workers: Workers = None,
    executor: Where = PROCESSES,
    address: Address = None,
    players: Players = 2,
    seed: Annotated[int, option("Seed of the network and the deals.")] = 0,
    threads: Threads = None,
    resume: Resume = False,
    evaluated: Evaluated = False,
) -> None:
    """Train a value network by self-play; Ctrl-C stops, --resume continues."""
    plan = {"preset": preset, "config": config, "best_response": best_response}
    where = {"workers": workers, "executor": executor, "address": address}
    given = typed(context, {**plan, **where, "players": players, "seed": seed, "threads": threads})
    learned = _self_play(game_type).run(game_type, folder, given, resume, minutes)
    show_model(game_type, learned.model, learned.interrupted, learned.settings, evaluated, learned.also)


def _self_play(game_type: GameType) -> Any:
    """The self-play module of a game. Raises SettingError where it has none."""
    module = find_agents().roster_of(game_type.name).self_play
    if not module:
        raise SettingError(f"{game_type.title} has no self-play: `{game_type.name} train` trains a policy")
    return learning_module(module)
