"""The rows of a run, one for each game and seat, as arrays during the run."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from oddville_env.core.errors import GameError
from oddville_training.tournament.schedule import Games, Schedule
from oddville_training.tournament.seated_batch import SeatedBatch


class RunError(GameError):
    """A folder that holds no run, a broken one, or another one."""


class Failed(NamedTuple):
    """Why the agent in a seat lost a game last."""

    game: int
    seat: int
    why: str


def row_type(sources: Sequence[str]) -> np.dtype:
    """The type of the rows of a game whose points come from these sources."""
    return np.dtype(
        [
            ("block", "u4"), ("game", "u4"), ("seat", "u1"), ("agent", "u2"), ("rank", "u1"), ("score", "i2"),
            *((source, "i2") for source in sources),
            ("decisions", "u2"), ("think_ms", "f4"), ("slowest_ms", "f4"), ("rounds", "u2"),
            ("trigger", "?"), ("truncated", "?"),
        ]
    )  # fmt: skip


def rows_of(batch: SeatedBatch, games: Games) -> np.ndarray:
    """The rows of games that are over: row_type [T * P]."""
    rows = np.zeros(batch.seating.shape, row_type(batch.game_type.sources))
    seats = np.arange(batch.seating.shape[1])
    of_games = {
        "block": games.blocks, "game": games.games, "rounds": batch.rounds, "truncated": batch.truncated
    }  # fmt: skip
    for name, values in of_games.items():
        rows[name] = values[:, None]
    of_seats = {
        "seat": seats, "agent": games.agents, "rank": batch.ranks, "score": batch.scores,
        "decisions": batch.decisions, "think_ms": batch.think, "slowest_ms": batch.slowest,
        "trigger": seats == batch.triggers[:, None],
    }  # fmt: skip
    for name, values in of_seats.items():
        rows[name] = values
    for number, source in enumerate(batch.game_type.sources):
        rows[source] = batch.sources[..., number]
    return rows.reshape(-1)


def is_whole(rows: np.ndarray, schedule: Schedule) -> bool:
    """The rows are all seats of all games of some blocks of one line-up, in their order."""
    blocks = np.unique(rows["block"])
    if not len(blocks) or blocks[-1] >= schedule.blocks:
        return False
    sections, lineups, deals = schedule.places(blocks)
    if (sections != sections[0]).any() or (lineups != lineups[0]).any():
        return False
    games = schedule.games_of(schedule.chunk(int(sections[0]), int(lineups[0]), deals))
    players = games.agents.shape[1]
    expected = {
        "block": games.blocks.repeat(players),
        "game": games.games.repeat(players),
        "seat": np.tile(np.arange(players), len(games.games)),
        "agent": games.agents.reshape(-1),
    }
    ranked = bool(((rows["rank"] >= 1) & (rows["rank"] <= players)).all())
    return ranked and all(np.array_equal(rows[name], values) for name, values in expected.items())


def win_shares(rows: np.ndarray) -> np.ndarray:
    """The part of the game that each row's seat won, float [N]: 1 for the winner, an equal part for each of several.

    The rows of a game stand side by side.
    """
    first = rows["rank"] == 1
    _, game = np.unique(rows["game"], return_inverse=True)
    shares: np.ndarray = first / np.bincount(game, first)[game]
    return shares
