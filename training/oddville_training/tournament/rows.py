"""Results: a row per game and seat, as arrays while a run goes on and as a table in `results.parquet`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from oddville_env.core.errors import OddVilleError
from oddville_training.tournament.schedule import Schedule
from oddville_training.tournament.tables import SOURCES, Tables

if TYPE_CHECKING:
    import polars

ROW = np.dtype(
    [
        ("block", "u4"), ("game", "u4"), ("seat", "u1"), ("agent", "u2"), ("rank", "u1"), ("score", "i2"),
        *((source, "i2") for source in SOURCES),
        ("decisions", "u2"), ("think_ms", "f4"), ("slowest_ms", "f4"), ("rounds", "u2"),
        ("trigger", "?"), ("truncated", "?"),
    ]
)  # fmt: skip
FIGURES = ("rank", "score", *SOURCES, "decisions", "think_ms", "slowest_ms", "rounds", "trigger", "truncated")


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


def table_of(rows: np.ndarray, failed: list[Failed], schedule: Schedule, names: Sequence[str]) -> "polars.DataFrame":
    """The results table: rows ROW [N] in the order of block, game and seat; names of the agents."""
    import polars as pl

    sections, lineups, deals = schedule.places(rows["block"])
    pairings = [" | ".join(names[agent] for agent in lineup) for part in schedule.sections for lineup in part.lineups]
    first = np.cumsum([0, *(len(section.lineups) for section in schedule.sections)])
    told = {
        "players": np.array([section.players for section in schedule.sections], np.uint8)[sections],
        "block": rows["block"],
        "pairing": pl.Series(pairings, dtype=pl.String).gather(first[sections] + lineups),
        "deal": schedule.deals[deals],
        "game": rows["game"],
        "seat": rows["seat"],
        "agent": pl.Series(names, dtype=pl.String).gather(rows["agent"]),
        **{name: rows[name] for name in FIGURES},
    }
    why = pl.DataFrame(failed, schema={"game": pl.UInt32, "seat": pl.UInt8, "failure": pl.String}, orient="row")
    return pl.DataFrame(told).join(why, on=["game", "seat"], how="left", maintain_order="left")
