"""Pairings by results: who meets, when they end, and that they are the same after any interruption."""

import pytest

pytest.importorskip("polars", reason="tournaments need the extra tournament")

from pathlib import Path

import numpy as np

from oddville_env.core.errors import GameError
from oddville_training.statistics.ratings import ELO, ratings
from oddville_training.tournament.config import TournamentConfig, tournament_config
from oddville_training.tournament.pairings import ROUND, make_choose
from oddville_training.tournament.seated_batch import row_type
from oddville_training.tournament.store.results import table_of
from support.training.tournaments import interrupted, run, same


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
    """The blocks of each round."""
    choose, found = make_choose(pairing, config, within), []
    assert choose is not None
    rows = np.zeros(0, row_type(config.game.sources))
    while len(more := choose(rows)):
        found.append(more)
        rows = np.concatenate([rows, simulated(config, elo, more)])
        rows = rows[np.argsort(rows["game"], kind="stable")]
    return found


def pairs_of(config: TournamentConfig, blocks: np.ndarray) -> set[tuple[int, ...]]:
    return {config.schedule.sections[0].lineups[at] for at in config.schedule.places(blocks)[1].tolist()}


def test_knock_out_halves_the_agents_until_the_best_has_won() -> None:
    config = entered(5)
    found = [pairs_of(config, blocks) for blocks in rounds("knock-out", config, np.arange(5) * 2000.0)]
    assert found == [{(0, 4), (1, 3)}, {(2, 4)}, {(3, 4)}]


def test_swiss_lets_agents_with_equal_wins_meet_and_none_twice() -> None:
    config = entered(8)
    found = rounds("swiss", config, np.arange(8) * 2000.0)
    met = [pair for blocks in found for pair in pairs_of(config, blocks)]
    assert ([len(blocks) for blocks in found], len(met)) == ([4 * ROUND] * 4, len(set(met)))
    assert (6, 7) in met
    odd = entered(5)
    assert all(len(pairs_of(odd, blocks)) == 2 for blocks in rounds("swiss", odd, np.arange(5) * 100.0))


def test_adaptive_ends_when_all_intervals_are_narrow_with_fewer_games_than_round_robin() -> None:
    elo, within, config = np.arange(6) * 300.0, 120.0, entered(6, 400)
    found = np.concatenate(rounds("adaptive", config, elo, within))
    assert len(np.unique(found)) == len(found) < config.schedule.blocks
    assert widest(config, simulated(config, elo, np.sort(found))) <= within
    as_many = np.arange(len(found))  # of the round robin
    assert widest(config, simulated(config, elo, as_many)) > 1.2 * within


def widest(config: TournamentConfig, rows: np.ndarray) -> float:
    rated = ratings(table_of(rows, [], config), 200).agents
    return max(max(each.elo.high - each.elo.value, each.elo.value - each.elo.low) for each in rated)


def test_adaptive_ends_when_all_games_are_played() -> None:
    config = entered(3, 5)
    assert len(np.concatenate(rounds("adaptive", config, np.zeros(3), 1.0))) == config.schedule.blocks


def test_interrupted_adaptive_run_ends_like_an_undisturbed_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tournament_config(["random"] * 3, blocks=60, seed=5)
    choose, found = make_choose("adaptive", config, 120.0), []
    monkeypatch.chdir(tmp_path)
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
