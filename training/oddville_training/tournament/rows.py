"""What a run notes: a row per game and seat, as arrays while it goes on."""

from typing import NamedTuple

import numpy as np

from oddville_env.core.errors import OddVilleError
from oddville_training.tournament.schedule import Schedule
from oddville_training.tournament.tables import SOURCES, Tables

ROW = np.dtype(
    [
        ("block", "u4"), ("game", "u4"), ("seat", "u1"), ("agent", "u2"), ("rank", "u1"), ("score", "i2"),
        *((source, "i2") for source in SOURCES),
        ("decisions", "u2"), ("think_ms", "f4"), ("slowest_ms", "f4"), ("rounds", "u2"),
        ("trigger", "?"), ("truncated", "?"),
    ]
)  # fmt: skip


class RunError(OddVilleError):
    """A folder that holds no run, a broken one, or another one."""


class Failed(NamedTuple):
    """Why the agent in a seat lost a game last."""

    game: int
    seat: int
    why: str


def rows_of(tables: Tables, blocks: np.ndarray, games: np.ndarray, agents: np.ndarray) -> np.ndarray:
    """The rows of games that are over: blocks and games int [T], agents int [T, P] as indices -> ROW [T * P]."""
    rows = np.zeros(tables.seating.shape, ROW)
    seats = np.arange(tables.seating.shape[1])
    of_games = {name: tables.games[name] for name in ("rounds", "truncated")} | {"block": blocks, "game": games}
    for name, values in of_games.items():
        rows[name] = values[:, None]
    of_seats = {
        "seat": seats, "agent": agents, "rank": tables.ranks, "score": tables.scores, "decisions": tables.decisions,
        "think_ms": tables.think, "slowest_ms": tables.slowest, "trigger": seats == tables.triggers[:, None],
    }  # fmt: skip
    for name, values in of_seats.items():
        rows[name] = values
    for number, source in enumerate(SOURCES):
        rows[source] = tables.sources[..., number]
    return rows.reshape(-1)


def is_whole(rows: np.ndarray, schedule: Schedule) -> bool:
    """The rows are all seats of all games of some blocks of one line-up, in their order: rows ROW [N]."""
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
