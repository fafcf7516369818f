"""Schedules: line-ups, deals and seats, and every block once; pairings by results."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddville_agents.play import derive_agent_seeds, name_key
from oddville_env.core.errors import GameError
from oddville_training.statistics.ratings import ELO, ratings
from oddville_training.tournament.config import (
    Chunk,
    Schedule,
    Section,
    TournamentConfig,
    one_against,
    round_robin,
    seatings,
    tournament_config,
)
from oddville_training.tournament.executors import GOAL, MOST_GAMES, Pending
from oddville_training.tournament.pairings import ROUND, make_choose
from oddville_training.tournament.results import table_of
from oddville_training.tournament.seated_batch import row_type
from support.helpers import every_number, steady
from support.training.tournaments import interrupted, run, same


def schedule(agents: int = 3, deals: int = 5, players: tuple[int, ...] = (2,), full: bool = False) -> Schedule:
    return Schedule(tuple(Section(number, tuple(round_robin(agents, number)), full) for number in players), 1, deals)


@every_number
def test_a_block_has_every_place_once_in_every_seat_and_a_full_one_all_orders(players: int) -> None:
    found, full = seatings(tuple(range(players))), seatings(tuple(range(players)), full=True)
    assert (np.sort(found, axis=0) == np.arange(players)[:, None]).all()
    assert sorted(map(tuple, full.tolist())) == sorted(permutations(range(players)))
    assert full[:players].tolist() == found.tolist()
    lineup = one_against(5, 2, players)
    against_equals = seatings(lineup, full=True).tolist()
    assert len(against_equals) == len({tuple(lineup[place] for place in each) for each in against_equals}) == players
    assert seatings((5, 3, 2)).tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]


@pytest.mark.parametrize(("agents", "players", "lineups"), [
    (4, 2, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
    (4, 3, [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
    (4, 4, [(0, 1, 2, 3)]),
    (2, 3, [(0, 1, 1), (1, 0, 0)]),
])  # fmt: skip
def test_agents_meet_once_or_one_against_the_rest(agents: int, players: int, lineups: list[tuple[int, ...]]) -> None:
    assert round_robin(agents, players) == lineups


@pytest.mark.parametrize("full", [False, True])
def test_every_game_has_its_own_number_in_the_order_of_blocks(full: bool) -> None:
    plan = schedule(4, 3, (2, 3, 4), full)
    places = zip(*(each.tolist() for each in plan.places(np.arange(plan.blocks))), strict=True)
    games = [plan.games_of(plan.chunk(*where, np.array([deal]))).games for *where, deal in places]
    assert np.concatenate(games).tolist() == list(range(plan.first_games[-1]))


def test_blocks_are_numbered_deal_by_deal_and_line_up_by_line_up_and_more_begin_with_the_same_ones() -> None:
    plan = schedule(3, 2, (2, 3))
    told = list(zip(*(each.tolist() for each in plan.places(np.arange(plan.blocks))), strict=True))
    assert told == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 0, 0), (1, 0, 1)]
    for block, (section, lineup, deal) in enumerate(told):
        assert plan.chunk(section, lineup, np.array([deal])).blocks == [block]
    few, many = schedule(3, 4, (2, 3)), schedule(3, 9, (2, 3))
    chunks = [few.chunk(0, lineup, np.arange(4)).deals for lineup in range(3)] + [few.chunk(1, 0, np.arange(4)).deals]
    assert all((deals == many.deals[:4]).all() for deals in chunks)


def test_agents_luck_depends_on_deal_block_game_seat_and_name() -> None:
    keys = np.array([[name_key(name), name_key("b")] for name in ("a", "a", "a", "a", "b")], np.uint64)
    numbers = np.array([[0, 0], [0, 1], [1, 0], [0, 0], [0, 0]])
    agent_seeds = np.zeros((5, 2), np.uint64)
    derive_agent_seeds(np.array([7, 7, 7, 8, 7], np.uint64), numbers, keys, agent_seeds)
    assert len(np.unique(agent_seeds)) == agent_seeds.size - 1  # `b` in seat 1 of the first game is told twice
    assert agent_seeds[0, 1] == agent_seeds[4, 1]


@steady
@given(
    st.integers(2, 4), st.integers(1, 30), st.sampled_from([(2,), (3,), (2, 3, 4)]), st.integers(1, 4),
    st.lists(st.floats(1e-4, 3), min_size=1, max_size=5), st.integers(0, 99),
)  # fmt: skip
def test_every_block_is_handed_out_once_however_long_they_take(
    agents: int, deals: int, players: tuple[int, ...], workers: int, seconds: list[float], seed: int
) -> None:
    plan = schedule(agents, deals, players)
    done = np.flatnonzero(np.random.default_rng(seed).random(plan.blocks) < 0.3)
    pending, found = Pending(plan, done, workers), []
    while (chunk := pending.take()) is not None:
        assert (plan.places(chunk.blocks)[1] == chunk.lineup).all()
        assert (chunk.deals == plan.deals[plan.places(chunk.blocks)[2]]).all()
        found += chunk.blocks.tolist()
        pending.took(chunk, seconds[len(found) % len(seconds)] * len(chunk.blocks))
    assert sorted([*found, *done.tolist()]) == list(range(plan.blocks))


def test_the_line_up_that_is_furthest_behind_comes_next() -> None:
    pending = Pending(schedule(3, 5), np.zeros(0, np.int64), 1)
    chunks = [pending.take() for _ in range(6)]
    assert [chunk and chunk.blocks.tolist() for chunk in chunks] == [[0], [1], [2], [3], [4], [5]]


def after_the_first(deals: int, workers: int, seconds: float) -> tuple[Pending, Chunk]:
    """Blocks of two agents, of which the first was played in so many seconds."""
    pending = Pending(schedule(2, deals), np.zeros(0, np.int64), workers)
    first = pending.take()
    pending.took(first, seconds)
    return pending, first


def test_chunks_of_quick_blocks_grow_and_chunks_of_slow_ones_do_not() -> None:
    pending, first = after_the_first(100_000, 2, 1e-6)
    assert len(pending.take().blocks) == MOST_GAMES // 2
    for seconds, blocks in ((GOAL / 10, 10), (10 * GOAL, 1)):
        pending.took(first, seconds)
        assert len(pending.take().blocks) == blocks


@pytest.mark.parametrize(("workers", "seconds", "sizes"), [(2, GOAL / 20, [4, 3, 2, 2, 2, 2]), (1, 1e-6, [15])])
def test_last_chunks_are_small_enough_for_all_workers(workers: int, seconds: float, sizes: list[int]) -> None:
    pending, _ = after_the_first(16, workers, seconds)
    assert [len(chunk.blocks) for chunk in iter(pending.take, None)] == sizes


def entered(agents: int, blocks: int = 40) -> TournamentConfig:
    return tournament_config(["search"] * agents, blocks=blocks)


def simulated(config: TournamentConfig, elo: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Rows of blocks whose games agents of known strength win by chance."""
    line_ups = np.array(config.schedule.sections[0].lineups)[config.schedule.places(blocks)[1]]
    rows = np.zeros((len(blocks), 2, 2), row_type(config.game.sources))  # by block, game and seat
    rows["block"], rows["game"] = blocks[:, None, None], (2 * blocks[:, None] + [0, 1])[..., None]
    rows["agent"], rows["seat"] = np.stack([line_ups, line_ups[:, ::-1]], 1), [0, 1]
    ahead = elo[rows["agent"][..., 0]] - elo[rows["agent"][..., 1]]
    luck = np.random.default_rng(3).random((config.schedule.blocks, 2))[blocks]
    rows["rank"] = np.where((luck < 1 / (1 + np.exp(-ahead / ELO)))[..., None], [1, 2], [2, 1])
    return rows.reshape(-1)


def rounds(pairing: str, config: TournamentConfig, elo: np.ndarray, within: float = 30.0) -> list[np.ndarray]:
    choose, found = make_choose(pairing, config, within), []
    rows = np.zeros(0, row_type(config.game.sources))
    while len(more := choose(rows)):
        found.append(more)
        rows = np.concatenate([rows, simulated(config, elo, more)])
        rows = rows[np.argsort(rows["game"], kind="stable")]
    return found


def pairs_of(config: TournamentConfig, blocks: np.ndarray) -> set[tuple[int, ...]]:
    return {config.schedule.sections[0].lineups[at] for at in config.schedule.places(blocks)[1].tolist()}


def test_knock_out_halves_the_agents_and_swiss_lets_those_with_equal_wins_meet_and_none_twice() -> None:
    config = entered(5)
    found = [pairs_of(config, blocks) for blocks in rounds("knock-out", config, np.arange(5) * 2000.0)]
    assert found == [{(0, 4), (1, 3)}, {(2, 4)}, {(3, 4)}]
    config = entered(8)
    found = rounds("swiss", config, np.arange(8) * 2000.0)
    met = [pair for blocks in found for pair in pairs_of(config, blocks)]
    assert ([len(blocks) for blocks in found], len(met)) == ([4 * ROUND] * 4, len(set(met)))
    assert (6, 7) in met
    odd = entered(5)
    assert all(len(pairs_of(odd, blocks)) == 2 for blocks in rounds("swiss", odd, np.arange(5) * 100.0))


def test_adaptive_ends_when_all_intervals_are_narrow_with_fewer_games_or_all_are_played() -> None:
    elo, within, config = np.arange(6) * 300.0, 120.0, entered(6, 400)
    found = np.concatenate(rounds("adaptive", config, elo, within))
    assert len(np.unique(found)) == len(found) < config.schedule.blocks
    assert widest(config, simulated(config, elo, np.sort(found))) <= within
    as_many = np.arange(len(found))  # of the round robin
    assert widest(config, simulated(config, elo, as_many)) > 1.2 * within
    config = entered(3, 5)
    assert len(np.concatenate(rounds("adaptive", config, np.zeros(3), 1.0))) == config.schedule.blocks


def test_adaptive_rates_checkpoints_of_a_run_in_less_than_a_third_of_the_games_of_a_round_robin() -> None:
    elo, within, config = 1000 * (1 - np.exp(-np.arange(12) / 2.5)), 60.0, entered(12, 1000)
    found = np.sort(np.concatenate(rounds("adaptive", config, elo, within)))
    assert widest(config, simulated(config, elo, found)) <= within
    assert widest(config, simulated(config, elo, np.arange(3 * len(found)))) > within


def widest(config: TournamentConfig, rows: np.ndarray) -> float:
    rated = ratings(table_of(rows, [], config), 200).agents
    return max(max(each.elo.high - each.elo.value, each.elo.value - each.elo.low) for each in rated)


def test_interrupted_adaptive_run_ends_like_an_undisturbed_one(workdir: Path) -> None:
    config = tournament_config(["random"] * 3, blocks=60, seed=5)
    choose, found = make_choose("adaptive", config, 120.0), []
    for name in ("whole", "cut"):
        if name == "cut":
            interrupted(name, config, 2, choose=choose)
        found.append(run(name, config, choose=choose))
    assert same(*found)
    assert len(found[0]) < 4 * config.schedule.blocks


@pytest.mark.parametrize(("pairing", "players", "within", "sentence"), [
    ("monrad", 2, 30.0, "pairing must be one of round-robin, swiss, knock-out, adaptive, not 'monrad'"),
    ("adaptive", 3, 30.0, "a pairing adaptive is for games of two: --players 2, and at least 2 agents"),
    ("adaptive", 2, 0.0, "within must be a number above 0 and at most 10000, not 0.0"),
])  # fmt: skip
def test_wrong_pairing_is_refused_in_a_sentence(pairing: str, players: int, within: float, sentence: str) -> None:
    with pytest.raises(GameError) as refused:
        make_choose(pairing, tournament_config(["random"] * 3, [players]), within)
    assert str(refused.value) == sentence
