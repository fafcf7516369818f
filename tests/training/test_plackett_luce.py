"""The likeliest strengths are found where the games barely hold them together."""

import numpy as np
import pytest

pytest.importorskip("polars", reason="tournaments need the extra tournament")

import polars as pl

from oddville_training.statistics.plackett_luce import fit, model
from oddville_training.statistics.tally import HALF, Tally, tally
from support.training.synthetic import results

FAR = 3000.0  # Elo from one agent to the next: nobody turns the tables by chance


def counted(agents: int, upsets: int) -> Tally:
    """Ten blocks a pairing, in which the better one wins every game but so many."""
    rows = results({f"agent {number}": FAR * number for number in range(agents)}, 2, 10, seed=agents)
    rank = pl.when(pl.col("game") < upsets).then(3 - pl.col("rank")).otherwise(pl.col("rank"))
    return tally(rows.with_columns(rank.cast(rows["rank"].dtype).alias("rank")))


def slopes(games: Tally, weights: np.ndarray, credits: np.ndarray, fitted: np.ndarray) -> np.ndarray:
    """How the likelihood's logarithm rises with each parameter [R, X], for two at a table, said game by game."""
    first_seat = len(games.names)
    risen: np.ndarray = credits[:, 0] - credits.sum(1) / (1 + np.exp(-fitted))
    for order, (agents, seats) in enumerate(zip(games.agents, games.seats + first_seat, strict=True)):
        ahead = fitted[:, agents[0]] + fitted[:, seats[0]] - fitted[:, agents[1]] - fitted[:, seats[1]]
        surprise = weights[:, order] / (1 + np.exp(ahead))
        for place, sign in ((0, 1), (1, -1)):
            risen[:, agents[place]] += sign * surprise
            risen[:, seats[place]] += sign * surprise
    return risen


@pytest.mark.parametrize("upsets", [0, 1])
@pytest.mark.parametrize("agents", range(2, 9))
def test_the_likeliest_strengths_are_found_though_one_agent_wins_nearly_all(agents: int, upsets: int) -> None:
    games = counted(agents, upsets)
    parameters, resamples = agents + games.players, 0
    credit = np.full((1, 2, parameters), HALF)
    best = fit(model(games), games.counts[None], credit, np.zeros(parameters))[0]
    for rng, weights in games.resamples(1000, 2):
        credits = np.repeat(credit, len(weights), axis=0)
        credits[..., :agents] = rng.standard_gamma(HALF, (len(weights), 2, agents))
        fitted = fit(model(games), weights, credits, best)
        assert np.abs(slopes(games, weights, credits, fitted)).max() < 1e-5
        resamples += len(weights)
    assert resamples == 1000


def test_an_agent_that_all_but_never_lost_is_rated_no_closer_than_its_slope_can_be_told() -> None:
    games = counted(3, 0)
    credits = np.full((400, 2, 3 + games.players), HALF)
    credits[:, 1, 2] = np.geomspace(1e-13, 1e-6, 400)
    weights = np.repeat(games.counts[None] * 16, 400, axis=0)
    fitted = fit(model(games), weights, credits, np.zeros(3 + games.players))
    assert np.abs(slopes(games, weights, credits, fitted)).max() < 1e-5
