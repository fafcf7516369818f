"""Ratings and standings: they recover the truth of simulated tournaments."""

from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

from oddville_training.statistics.intervals import corrected_intervals, percentile_intervals
from oddville_training.statistics.ratings import Ratings, fit, model, ratings
from oddville_training.statistics.standings import Standings, history, standings
from oddville_training.statistics.tally import HALF, ResultsError, Tally, tally
from support.training.synthetic import results

STRENGTHS = {"greedy": 420.0, "mine": 480.0, "old": 250.0, "random": 0.0}


def elos(rated: Ratings) -> dict[str, float]:
    return {each.agent: each.elo.value for each in rated.agents}


def shares(stood: Standings) -> dict[str, float]:
    return {each.agent: each.wins.value for each in stood.agents}


def true_shares(strengths: dict[str, float]) -> dict[str, float]:
    """Win shares of agents that meet each other equally often, two at a table."""
    chance = {
        name: [1 / (1 + 10 ** ((other - mine) / 400)) for rival, other in strengths.items() if rival != name]
        for name, mine in strengths.items()
    }
    return {name: float(np.mean(each)) for name, each in chance.items()}


def covered(
    tournaments: int, patch: pytest.MonkeyPatch, resamples: int, **settings: object
) -> tuple[dict[str, float], dict[str, float]]:
    """How often the truth lay in the 95 % intervals: of the ratings, and of the win shares (for two at a table)."""
    rated: dict[str, list[bool]] = {name: [] for name in STRENGTHS if name != "random"}
    won: dict[str, list[bool]] = {name: [] for name in STRENGTHS}
    truth = true_shares(STRENGTHS)
    for seed in range(tournaments):
        rows = results(STRENGTHS, seed=seed, **settings)
        counted = tally(rows)  # once, which is much of the work
        for module in ("ratings", "standings"):
            patch.setattr(f"oddville_training.statistics.{module}.tally", lambda _, counted=counted: counted)
        for each in ratings(rows, resamples, seed).agents:
            if each.agent in rated:
                rated[each.agent].append(each.elo.low <= STRENGTHS[each.agent] <= each.elo.high)
        for one in standings(rows, resamples, seed).agents:
            won[one.agent].append(one.wins.low <= truth[one.agent] <= one.wins.high)
    return tuple({name: float(np.mean(hits)) for name, hits in kind.items()} for kind in (rated, won))


@pytest.mark.parametrize("settings", [
    pytest.param({"tournaments": 250, "resamples": 200, "blocks": 25, "luck": 0.3, "form": 0.4}, id="luck and form"),
    *(
        pytest.param({"tournaments": 500, "resamples": 400, **settings}, marks=pytest.mark.slow, id=name)
        for name, settings in {
            "few blocks": {"blocks": 15, "luck": 0.4},
            "much luck": {"blocks": 60, "luck": 0.8},
            "much form": {"blocks": 40, "luck": 0.2, "form": 0.7},
            "four": {"blocks": 40, "luck": 0.4, "players": 4, "seats": (40, 0, 0, -40), "mixed": True},
        }.items()
    ),
])  # fmt: skip
def test_intervals_cover_the_truth_as_often_as_told(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rated, won = covered(patch=monkeypatch, **settings)
    told = [*rated.values(), *(() if "players" in settings else won.values())]  # the true shares are those of two
    assert all(0.92 <= share <= 0.98 for share in told), (rated, won)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_strengths_and_seats_are_found(players: int) -> None:
    seats = (60.0, 10.0, -20.0, -50.0)[:players]
    rated = ratings(results(STRENGTHS, players, 4000 // players, seats=seats), resamples=20)
    assert elos(rated) == pytest.approx(STRENGTHS, abs=15)
    assert [each.value for each in rated.seats] == pytest.approx(np.array(seats) - np.mean(seats), abs=8)


@pytest.mark.parametrize("intervals", [percentile_intervals, corrected_intervals])
def test_an_interval_holds_its_value_wherever_the_resamples_lie(intervals: Any) -> None:
    draws = np.repeat(np.linspace(1, 2, 100)[:, None], 3, axis=1)
    for each in intervals(np.array([0.0, 1.5, 3.0]), draws):
        assert each.low <= each.value <= each.high


def test_a_game_on_equal_deals_is_worth_more_the_more_luck_a_deal_holds() -> None:
    equals = {"a": 0.0, "b": 0.0}
    worth = [standings(results(equals, 2, 4000, luck=luck), 10).agents[0].worth for luck in (0.0, 0.4, 0.8)]
    assert worth[0] == pytest.approx(1, abs=0.1)
    assert all(more > less * 1.2 for less, more in pairwise(worth))


def test_equal_rows_and_seeds_give_equal_results_in_any_order_and_superiority_is_shared_between_two() -> None:
    rows = results(STRENGTHS, 3, 20)
    mixed, rated = rows.sample(fraction=1, shuffle=True, seed=3), ratings(rows, 50, 7)
    above, off = rated.superiority, ~np.eye(len(STRENGTHS), dtype=bool)
    assert rated.agents == ratings(mixed, 50, 7).agents != ratings(rows, 50, 8).agents
    assert standings(rows, 50, 7).agents == standings(mixed, 50, 7).agents
    assert (above + above.T)[off] == pytest.approx(1)
    assert (above[np.triu(off)] > 0.5).all()
    assert np.isnan(np.diag(above)).all()


def test_names_do_not_matter() -> None:
    rows, other = results({"a": 0.0, "b": 90.0, "c": 200.0}, 3, 30), {"a": "z", "b": "a", "c": "k"}
    renamed = rows.with_columns(pl.col("agent").replace(other))
    for found, again in (
        (elos(ratings(rows, 10)), elos(ratings(renamed, 10))),
        (shares(standings(rows, 10)), shares(standings(renamed, 10))),
    ):
        assert again == pytest.approx({other[name]: value for name, value in found.items()})


def test_the_anchor_shifts_all_ratings_alike() -> None:
    rows = results(STRENGTHS, 2, 30)
    by_random = elos(ratings(rows, 10))
    by_greedy = elos(ratings(rows.with_columns(pl.col("agent").replace("random", "chance")), 10))
    by_mean = elos(ratings(rows.with_columns(pl.col("agent").replace({"random": "chance", "greedy": "grab"})), 10))
    assert (by_random["random"], by_greedy["greedy"]) == (0, 1000)
    assert np.mean([*by_mean.values()]) == pytest.approx(0)
    for told in (by_greedy, by_mean):
        assert told["mine"] - told["old"] == pytest.approx(by_random["mine"] - by_random["old"])


def test_matrix_counts_pairwise_finishes() -> None:
    rows = results({"a": 0.0, "b": 100.0}, 3, 5)  # one against two equals
    stood = standings(rows, 10)
    a, b = (stood.names.index(name) for name in "ab")
    games = rows.partition_by("game")
    ranks = [[game.filter(agent=name)["rank"] for name in "ab"] for game in games]
    before = sum(one < other for mine, theirs in ranks for one in mine for other in theirs)
    assert (stood.before[a, b], stood.meetings[a, b]) == (before, 2 * len(games))
    assert stood.together[a, b] == stood.agents[0].games == len(games)
    assert stood.shares[a, b] + stood.shares[b, a] == pytest.approx(1)
    assert np.isnan(stood.shares[a, a])


def test_shares_and_ranks_are_those_of_the_rows() -> None:
    rows = results(STRENGTHS, 4, 5)
    stood = standings(rows, 10)
    for each in stood.agents:
        mine = rows.filter(agent=each.agent)
        assert each.wins.value == pytest.approx((mine["rank"] == 1).mean())
        assert (each.rank.value, each.games) == (pytest.approx(mine["rank"].mean()), mine["game"].n_unique())
        assert each.wins.low <= each.wins.value <= each.wins.high
    won = [(rows.filter(seat=seat)["rank"] == 1).mean() for seat in range(4)]
    assert [each.value for each in stood.seats] == pytest.approx(won)
    assert sum(each.value for each in stood.seats) == pytest.approx(1)


def test_an_agent_that_won_every_game_has_a_finite_rating_open_to_the_top() -> None:
    rows = results({"greedy": 9000.0, "random": 0.0}, 2, 100)
    rated, stood = ratings(rows), standings(rows)
    best = rated.agents[0]
    assert best.agent == "greedy"
    assert best.elo.high - best.elo.value > 2 * (best.elo.value - best.elo.low) > 100
    assert best.elo.high < 10_000
    assert stood.agents[0].wins.low < stood.agents[0].wins.value == stood.agents[0].wins.high == 1
    assert rated.notes == (
        "No other agent ever finished before greedy: the distance to those below is held together by the credited games"
        " alone.",
    )


def test_agents_that_never_met_are_rated_in_groups() -> None:
    far = results({"x": 100.0, "y": 0.0}, 2, 20, first_block=1000)
    rated = ratings(pl.concat([results(STRENGTHS, 2, 20), far]), 100)
    assert {each.agent: each.group for each in rated.agents} == dict.fromkeys(STRENGTHS, 0) | {"x": 1, "y": 1}
    assert (elos(rated)["x"], elos(rated)["random"]) == (pytest.approx(-elos(rated)["y"]), 0)
    assert np.isnan(rated.superiority[:4, 4:]).all()
    assert rated.superiority[4, 5] > 0.5
    assert rated.notes == (
        "Agents of different groups never met, and their ratings cannot be compared. The groups: greedy, mine, old,"
        " random; x, y.",
    )


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_a_few_blocks_give_wide_intervals_and_one_deal_says_nothing_about_chance(blocks: int) -> None:
    rows = results(STRENGTHS, 3, blocks)
    rated = ratings(rows, 200)
    for each in rated.agents[:-1]:
        assert np.isfinite([each.elo.low, each.elo.value, each.elo.high]).all()
    assert all(0 <= each.wins.low <= each.wins.high <= 1 for each in standings(rows, 200).agents)
    assert np.isnan(rated.superiority).all() == (blocks == 1)
    assert any(note.startswith("All games are of one deal") for note in rated.notes) == (blocks == 1)


def test_equals_share_what_they_won_be_they_all_or_some() -> None:
    rows = results(STRENGTHS, 3, 20)
    equal = standings(rows.with_columns(rank=pl.lit(1)))
    assert equal.games == standings(rows).games
    assert all(each.wins.value == pytest.approx(1 / 3) for each in equal.agents)
    assert all(each.rank.value == pytest.approx(2) for each in equal.agents)
    assert equal.before == pytest.approx(equal.before.T)
    assert [elo for elo in elos(ratings(rows.with_columns(rank=pl.lit(1)), 20)).values()] == pytest.approx([0] * 4)
    rows = results({"a": 300.0, "random": 0.0}, 4, 10)
    several = rows.with_columns(rank=pl.when(pl.col("rank") <= 3).then(1).otherwise(pl.col("rank")))
    expected = {name: (several.filter(agent=name)["rank"] == 1).mean() / 3 for name in ("a", "random")}
    assert shares(standings(several)) == pytest.approx(expected)


def test_a_shared_game_counts_as_both_orders_by_halves() -> None:
    rows = results({"a": 300.0, "random": 0.0}, 2, 40)
    shared = rows.with_columns(rank=pl.when(pl.col("game") < 20).then(1).otherwise(pl.col("rank")))
    turned = rows.with_columns(rank=pl.when(pl.col("game") < 20).then(3 - pl.col("rank")).otherwise(pl.col("rank")))
    again = turned.with_columns(pl.col("block", "deal") + 100, pl.col("game") + 1000)
    halves = standings(pl.concat([rows, again]))
    assert shares(standings(shared)) == pytest.approx(shares(halves))
    (above, _), (same, _) = (elos(ratings(each, 20)).values() for each in (rows, shared))
    assert same < above


def test_single_player_wins_every_game_and_an_agent_against_itself_half() -> None:
    rows = results({"a": 0.0, "b": 0.0}, 2, 6)
    alone = rows.filter(seat=0).with_columns(
        players=pl.lit(1, pl.UInt8), rank=pl.lit(1, pl.UInt8), pairing=pl.col("agent")
    )
    for games, share in ((alone, {"a": 1, "b": 1}), (rows.with_columns(agent=pl.lit("x")), {"x": 0.5})):
        assert shares(standings(games, 50)) == share
        assert elos(ratings(games, 50)) == pytest.approx(dict.fromkeys(share, 0))
    assert (standings(alone, 50).par, history(alone).share[-1].tolist()) == (1, [1, 1])


def test_results_that_are_none_say_why() -> None:
    rows, rank, whole = results(STRENGTHS, 3, 2), pl.col("rank"), "is not whole: expected "
    for wrong, sentence in (
        (rows.drop("rank"), "the results have no column 'rank', expected players, deal, block, "),
        (rows.clear(), "games of one number of players are rated together, not of none"),
        (pl.concat([rows, results(STRENGTHS, 2, 2)]), "games of one number of players are rated together, not of "),
        (rows[1:], "game 0 is not whole: expected every seat and every rank of 3 players once"),
        (rows[:-1], f"game 71 {whole}"),
        (rows.with_columns(seat=pl.lit(1)), f"game 0 {whole}"),
        (rows.with_columns(rank=rank + 1), f"game 0 {whole}"),
        (rows.with_columns(rank=pl.when(rank == 3).then(2).otherwise(1)), f"game 0 {whole}"),
    ):
        for rate in (ratings, standings):
            with pytest.raises(ResultsError) as refused:
                rate(wrong)
            assert str(refused.value).startswith(sentence)


FAR = 3000.0  # Elo from one agent to the next: chance does not reverse it


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
@pytest.mark.parametrize("agents", [2, 3, 5, 8])
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


def test_long_row_of_agents_that_each_beat_only_the_next_is_rated() -> None:
    pairs = [results({f"{place + 1:02}": 9000.0, f"{place:02}": 0.0}, 2, 8) for place in range(20)]
    rows = pl.concat(
        each.with_columns(pairing=pl.lit(place), block=pl.col("block") + 99 * place, game=pl.col("game") + 99 * place)
        for place, each in enumerate(pairs)
    )
    games, parameters = tally(rows), 21 + 2
    credit = np.full((1, 2, parameters), HALF)
    fitted = fit(model(games), games.counts[None] * 1e6, credit, np.zeros(parameters))[0, :21]
    assert (np.diff(fitted) > 8).all()
    assert np.ptp(fitted) > 200
