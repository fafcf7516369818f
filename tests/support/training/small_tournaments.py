"""The smallest tournament of games of two and of three, and its results."""

from pathlib import Path
from typing import Any

import polars as pl

from oddville_training.tournament import tournament
from oddville_training.tournament.config import TournamentConfig, tournament_config
from oddville_training.tournament.executors import on_this_machine
from oddville_training.tournament.store.results import read_results


def config(**settings: Any) -> TournamentConfig:
    return tournament_config(["random", "greedy"], [2, 3], 4, moves=True, **settings)


def run(folder: str = "a", **settings: Any) -> pl.DataFrame:
    tournament.run(config(**settings), Path(folder), on_this_machine(1), lambda *_: None)
    return read_results(Path(folder)).drop("think_ms", "slowest_ms")
