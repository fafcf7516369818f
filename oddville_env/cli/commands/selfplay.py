"""`selfplay`: a value learns by playing itself. It finds `oddville_training` at run time."""

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
    typed,
)
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents


def selfplay(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="The folder of the run: its plan, games and networks.")],
    minutes: Minutes = None,
    preset: Annotated[str | None, typer.Option(help="A plan that comes with the package: quick, champion, ...")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with your own plan.")] = None,
    best_response: Annotated[
        str | None, typer.Option(help="OddVille: learn to beat this agent alone: champion, or greedy.")
    ] = None,
    workers: Workers = None,
    executor: Where = PROCESSES,
    address: Address = None,
    players: Players = 2,
    seed: Annotated[int, typer.Option(help="Seed of the network and the deals.")] = 0,
    threads: Threads = None,
    resume: Resume = False,
    evaluated: Evaluated = False,
) -> None:
    """Learn a value by self-play; Ctrl-C keeps what is finished, --resume goes on."""
    plan = {"preset": preset, "config": config, "best_response": best_response}
    where = {"workers": workers, "executor": executor, "address": address}
    given = typed(context, {**plan, **where, "players": players, "seed": seed, "threads": threads})
    learned = _self_play(game_type).run(game_type, folder, given, resume, minutes)
    show_model(game_type, learned.model, learned.interrupted, learned.settings, evaluated, learned.also)


def _self_play(game_type: GameType) -> Any:
    """The self-play of a game; raises SettingError where it has none."""
    module = find_agents().roster_of(game_type.name).self_play
    if not module:
        raise SettingError(f"{game_type.title} has no value that plays itself: --algo ppo trains a policy")
    return learning_module(module)
