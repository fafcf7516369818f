"""A tournament's games: the same alone and among many, and all of them in the results and the records."""

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from oddville_agents import make_agent
from oddville_env import Game
from oddville_env.oddville.rules.scoring import SOURCES
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.seated_batch import TimedPlayer, play_alone, play_together
from oddville_training.tournament.store.manifest import GAMES
from support.helpers import every_number
from support.training.tournaments import records, run, tables

pytestmark = pytest.mark.usefixtures("here")


@every_number
@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random")])
def test_a_game_is_the_same_alone_and_among_many(players: int, names: tuple[str, ...]) -> None:
    lineup = (names * 2)[:players]
    (together, agent_seeds), (alone, _) = tables(players, 6), tables(players, 6)
    play_together(together, [make_agent(name).batch_agent(len(agent_seeds)) for name in lineup], agent_seeds)
    seated = [TimedPlayer(make_agent(name), 60) for name in lineup]
    for table in range(len(agent_seeds)):
        play_alone(alone, table, seated, agent_seeds[table])
    together.end(), alone.end()
    for name in ("games", "scores", "ranks", "sources", "decisions", "triggers"):
        assert (getattr(together, name) == getattr(alone, name)).all(), name
    assert together.kept is not None
    assert alone.kept is not None
    assert all((one == other).all() for one, other in zip(together.kept, alone.kept, strict=True))


# Results


def test_the_results_are_a_row_for_each_game_and_seat() -> None:
    rows = run("a", tournament_config(["random", "greedy", "random"], [2, 3], 5, seed=4))
    assert rows.schema == {
        "players": pl.UInt8, "block": pl.UInt32, "pairing": pl.String, "deal": pl.UInt64, "game": pl.UInt32,
        "seat": pl.UInt8, "agent": pl.String, "rank": pl.UInt8, "score": pl.Int16,
        **dict.fromkeys(SOURCES, pl.Int16), "decisions": pl.UInt16, "think_ms": pl.Float32, "slowest_ms": pl.Float32,
        "rounds": pl.UInt16, "trigger": pl.Boolean, "truncated": pl.Boolean, "failure": pl.String,
    }  # fmt: skip
    assert rows.equals(rows.sort("block", "game", "seat"))
    assert rows["game"].unique().to_list() == list(range(5 * (3 * 2 + 3)))
    assert (rows["score"] == rows.select(pl.sum_horizontal(*SOURCES)).to_series()).all()
    assert set(rows["agent"]) == {"random", "greedy", "random #2"}
    assert set(rows["pairing"]) == {
        "random | greedy", "random | random #2", "greedy | random #2", "random | greedy | random #2"
    }  # fmt: skip
    games = rows.group_by("game").agg(pl.col("rank").sort(), pl.col("trigger").sum(), pl.col("players").first())
    for _, ranks, triggers, players in games.iter_rows():
        assert (ranks, triggers) == (list(range(1, players + 1)), 1)
    assert rows["deal"].n_unique() == 5
    sat = rows.group_by("block", "agent").agg(pl.col("seat").sort(), pl.n_unique("deal"), pl.first("players"))
    assert all((seats, deals) == (list(range(players)), 1) for _, _, seats, deals, players in sat.iter_rows())


def test_records_tell_the_games_that_the_results_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_training.tournament.seated_batch.FIRST_ROOM", 16)  # less than any game has moves
    rows = run("a", tournament_config(["random", "greedy"], [2, 4], 12, moves=True))
    told = records("a")
    assert [record["game"] for record in told] == rows["game"].unique().to_list()
    assert any(record["reshuffles"] for record in told)
    points = rows.with_columns(points=pl.concat_list(SOURCES)).group_by("game", maintain_order=True)
    by_game = points.agg("score", "rank", "agent", "points", pl.first("block", "deal"))
    for record, (_, scores, ranks, agents, sources, block, deal) in zip(told, by_game.iter_rows(), strict=True):
        assert (record["scores"], record["ranks"], record["agents"], record["block"]) == (scores, ranks, agents, block)
        own = {name: value for name, value in record.items() if name not in ("block", "game", "agents")}
        game = Game.from_record(own)
        assert game.record() == own
        assert sources == [
            [
                sum(each.points for each in sheet.buildings),
                *(sum(kind.values()) for kind in (sheet.characters, sheet.workers)),
                sheet.square,
            ]
            for sheet in game.score_sheet()
        ]
        assert own["deck"] == Game(record["players"], deal).record()["deck"]
    with gzip.open(Path("a") / GAMES, "rt") as file:
        assert all(json.dumps(json.loads(line)) + "\n" == line for line in file)


def test_games_keep_to_the_settings_and_times_are_told_for_every_agent_that_moved() -> None:
    rows = run("a", tournament_config(["random", "random"], [2], 3, table=(5, 3), max_rounds=2, moves=True))
    assert rows["truncated"].all()
    assert not rows["trigger"].any()
    assert rows["rounds"].max() == 2
    assert {tuple(record["table"]) for record in records("a")} == {(5, 3)}
    assert (rows["think_ms"] > 0).all()
    assert (rows["slowest_ms"] <= rows["think_ms"]).all()
    assert (rows["slowest_ms"] * rows["decisions"] >= rows["think_ms"] * 0.999).all()


def test_a_challenger_plays_in_all_line_ups() -> None:
    rows = run("a", tournament_config(["random", "greedy", "random"], [2], 3, challenger="greedy"))
    assert set(rows["pairing"]) == {"random | greedy", "greedy | random #2"}
