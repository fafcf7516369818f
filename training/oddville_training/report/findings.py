"""The findings of a report on the games of one number of players, before they are put into words."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from oddville_training.statistics.intervals import Floats, Ints
from oddville_training.statistics.ratings import PRIOR, Ratings, ratings
from oddville_training.statistics.standings import History, Standings, history, standings
from oddville_training.statistics.tally import RESAMPLES
from oddville_training.tournament.results import sources_of


@dataclass(frozen=True, eq=False)
class Findings:
    """All figures of one number of players."""

    standings: Standings
    ratings: Ratings
    history: History
    agents: pl.DataFrame  # in the order of the standing: means of points, times, how often it ended a game and failed
    rounds: Ints  # of each game
    truncated: int  # games
    sources: list[str]  # of points
    failures: pl.DataFrame  # agent, failure, games
    fewest: int  # blocks of a pairing


def find(rows: pl.DataFrame, resamples: int = RESAMPLES) -> Findings:
    """Work out everything about rows of one number of players. Raises ResultsError."""
    stood = standings(rows, resamples)
    games = rows.unique("game", maintain_order=True)
    failures = rows.drop_nulls("failure").group_by("agent", "failure").agg(games=pl.len())
    return Findings(
        standings=stood,
        ratings=ratings(rows, resamples),
        history=history(rows),
        agents=pl.DataFrame({"agent": stood.names}).join(_agents(rows), on="agent", maintain_order="left"),
        rounds=games["rounds"].to_numpy(),
        truncated=int(games["truncated"].sum()),
        sources=sources_of(rows),
        failures=failures.sort("games", "agent", "failure", descending=[True, False, False]),
        fewest=min(rows.group_by("pairing").agg(blocks=pl.col("block").n_unique())["blocks"]),
    )


def _agents(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.group_by("agent").agg(
        pl.col("score", *sources_of(rows)).mean(),
        ms=(pl.col("think_ms").sum() / pl.col("decisions").cast(pl.Int64).sum()).fill_nan(None),
        slowest_ms=pl.col("slowest_ms").max(),
        triggers=pl.col("trigger").mean(),
        failed=pl.col("failure").is_not_null().sum(),
    )


def pairs(findings: Findings) -> pl.DataFrame:
    """How often each agent finished before each opponent that it met, one row a pair."""
    standings = findings.standings
    one, other = np.nonzero(standings.meetings)
    return pl.DataFrame(
        {
            "players": np.full(len(one), standings.players),
            "agent": pl.Series([standings.names[each] for each in one], dtype=pl.String),
            "opponent": pl.Series([standings.names[each] for each in other], dtype=pl.String),
            "games": _whole(standings.together[one, other]),
            "meetings": _whole(standings.meetings[one, other]),
            "finished_before": _whole(standings.before[one, other]),
            "share": standings.shares[one, other],
        },
        strict=False,
    )


def _whole(counts: Floats) -> Floats:
    """Counts as whole numbers, where no equals shared a game."""
    rounded = np.rint(counts)
    return rounded.astype(int) if np.allclose(counts, rounded) else counts


def figures(findings: Findings) -> dict[str, Any]:
    """Ratings and standing as plain values; what is not known is null."""
    rated, stood = findings.ratings, findings.standings
    above = [[None if np.isnan(share) else float(share) for share in row] for row in rated.superiority]
    return {
        "players": rated.players,
        "games": stood.games,
        "blocks": stood.blocks,
        "resamples": rated.resamples,
        "anchor": rated.anchor,
        "prior": PRIOR,
        "notes": list(rated.notes),
        "agents": [
            {
                "agent": each.agent,
                "group": each.group,
                "elo": vars(each.elo),
                "superiority": dict(zip([other.agent for other in rated.agents], row, strict=True)),
            }
            for each, row in zip(rated.agents, above, strict=True)
        ],
        "standing": [asdict(each) for each in stood.agents],
        "seats": [
            {"seat": seat, "wins": vars(wins), "elo": vars(elo)}
            for seat, (wins, elo) in enumerate(zip(stood.seats, rated.seats, strict=True))
        ],
    }
