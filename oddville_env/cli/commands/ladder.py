"""`ladder`: the built-in agents against each other."""

from oddville_env.cli.options import PROCESSES, Workers, tournament_module
from oddville_env.cli.tournaments import (
    Blocks,
    Kept,
    RunSeed,
    Several,
    executor_of,
    player_counts,
    run_folder,
    run_shown,
    show_results,
)
from oddville_env.core.game.game_type import GameType


def ladder(
    game_type: GameType,
    players: Several = ["2"],  # noqa: B006
    blocks: Blocks = 50,
    seed: RunSeed = 0,
    workers: Workers = None,
    out: Kept = None,
) -> None:
    """Play all built-in agents against each other on equal deals: win shares and thinking times."""
    specs = tournament_module("tournament.suite").rungs(game_type)
    config = tournament_module("tournament.config").tournament_config(
        specs, player_counts(players), blocks, seed, game=game_type
    )
    with run_folder(out) as folder:
        run_shown(config, folder, executor_of(PROCESSES, workers), {"formats": ["ladder"]}, kept=out is not None)
        show_results(folder)
