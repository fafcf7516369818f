"""Tournament games, alone and among many; guarded agents: what they get, and what they start."""

import gzip
import json
import os
import signal
import struct
import time
from hashlib import sha256
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from oddville_agents import AgentError, make_agent
from oddville_env import Game
from oddville_env.core.game.view import View
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.rules.scoring import SOURCES
from oddville_training.processes.pools import ProcessPool
from oddville_training.processes.sandbox import Sandbox
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.executors import Executor
from oddville_training.tournament.manifest import GAMES
from oddville_training.tournament.seated_batch import TimedPlayer, play_alone, play_together
from oddville_training.tournament.worker import Worker
from support.helpers import every_number
from support.training.forked_workers import Forked, program
from support.training.tournaments import records, run, tables

pytestmark = pytest.mark.usefixtures("here", "forked")


def sandbox_of(spec: str) -> Sandbox:
    return Sandbox(spec, ODDVILLE, ODDVILLE.settings(), 60, 2048)


def sent_to_a_sandbox(game: Game, seed: int, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the process of an agent is asked when a game begins and when it is to move twice."""
    sent: list[bytes] = []
    sandbox = sandbox_of("./mine.py:First")
    monkeypatch.setattr(Sandbox, "start", lambda self: "")
    monkeypatch.setattr(Sandbox, "_ask", lambda self, question: sent.append(question) or int(game.mask.argmax()))
    sandbox.begin(0, 2, seed)
    for _ in range(2):
        sandbox.move(View(ODDVILLE, game.box, game.state, 0, game.mask))
    return sent


def middle_of_a_game(seed: int) -> Game:
    game = Game(2, seed=seed)
    for _ in range(12):
        game.push(int(np.flatnonzero(game.mask)[-1]))
    return game


def test_a_guarded_agent_gets_a_state_in_which_the_hidden_is_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    game = middle_of_a_game(1)
    begin, *moves = sent_to_a_sandbox(game, 5, monkeypatch)
    states = [np.frombuffer(question[1:], game.box.games) for question in moves]
    encoder = make_encoder(game.box, "features")
    truth = encoder.observation(game.box.record, game.state, 0, game.to_move)
    for state in states:
        assert (encoder.observation(game.box.record, state, 0, game.to_move) == truth).all()
        assert (state[0].deck != game.state[0].deck).any()
    assert (states[0][0].deck != states[1][0].deck).any()

    def one_way(*told: object) -> int:
        """What leads back to no seed: that of a deal would reveal its whole deck."""
        return int.from_bytes(sha256(repr(told).encode()).digest()[:8], "little")

    assert struct.unpack("<qqQ", begin[1:])[2] == one_way("agent", 5)
    for number, state in enumerate(states, 1):
        dealt, seed = game.view().state, np.uint64(one_way("sample", 5, number))
        ODDVILLE.entries.sample_unseen(game.box.record, dealt, 0, game.to_move, seed)
        assert state.tobytes() == dealt.tobytes()


@pytest.mark.parametrize("deal", range(3))
def test_a_sandbox_gets_the_same_bytes_whatever_is_hidden(deal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = middle_of_a_game(deal)
    other = game.sample_unseen(0, np.random.default_rng(deal))
    assert (other.state[0].deck != game.state[0].deck).any()
    assert sent_to_a_sandbox(game, 5, monkeypatch) == sent_to_a_sandbox(other, 5, monkeypatch)


def test_guarded_agents_play_as_they_do_at_home_whatever_their_reset_returns() -> None:
    (own, agent_seeds), (guarded, _) = tables(2, 2), tables(2, 2)
    random, sandbox = TimedPlayer(make_agent("random"), 60), sandbox_of("./mine.py:ResetsToItself")
    home = TimedPlayer(make_agent("./mine.py:ResetsToItself"), 60)
    try:
        for table in range(2):
            play_alone(own, table, [random, home], agent_seeds[table])
            play_alone(guarded, table, [random, sandbox], agent_seeds[table])
    finally:
        sandbox.close()
    assert (own.games == guarded.games).all()


def test_an_agent_that_cannot_be_loaded_is_told_with_its_reason() -> None:
    Path("mine.py").write_text("import sys\nsys.exit('no\\nlicence')")
    told = r"^agent './mine.py:First': ./mine.py cannot be imported \(SystemExit: no licence\)$"
    with pytest.raises(AgentError, match=told):
        sandbox_of("./mine.py:First").version()


@pytest.mark.parametrize(("most", "left"), [(2, 2), (8, 3)])
def test_only_some_sandboxes_are_kept_between_line_ups(most: int, left: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_training.tournament.worker.MOST_SANDBOXES", most)
    config = tournament_config([f"./mine.py:{name}" for name in ("First", "Thinker", "First")], [2], 1)
    worker = Worker(config)
    try:
        for lineup in range(3):
            assert not worker.play(config.schedule.chunk(0, lineup, np.arange(1))).failed
            assert sum(isinstance(each, Sandbox) and each.is_open for each in worker._players.values()) <= most
        assert sum(isinstance(each, Sandbox) and each.is_open for each in worker._players.values()) == left
    finally:
        worker.close()


def all_ended(seconds: float = 60) -> bool:
    """Whatever agents have started ends soon; what has ended, but nobody has asked after, is state Z."""
    until = time.monotonic() + seconds
    states = [Path("/proc", pid, "stat") for pid in Path("started").read_text().split()]
    while any(each.exists() and ") Z " not in each.read_text() for each in states):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def test_what_an_agent_has_started_ends_with_the_workers() -> None:
    config = tournament_config(["random", "./mine.py:Starts"], [2], 1)
    (played,) = Executor(config, ProcessPool(1)).play([config.schedule.chunk(0, 0, np.arange(1))])
    assert not played.failed
    assert all_ended()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_what_an_agent_has_started_ends_with_the_tournament_in_the_middle_of_a_game(how: signal.Signals) -> None:
    process = Forked(program, "tournament random ./mine.py:StartsAndHangs --workers 2 --blocks 1 --out a")
    until = time.monotonic() + 120
    while time.monotonic() < until and not Path("started").exists() and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, how)
    process.wait(timeout=60)
    assert all_ended()


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
    assert together.records() == alone.records()


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


def test_records_tell_the_games_that_the_results_tell() -> None:
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
        for source, sheet in zip(sources, game.score_sheet(), strict=True):
            built = sum(each.points for each in sheet.buildings)
            assert source == [built, sum(sheet.characters.values()), sum(sheet.workers.values()), sheet.square]
        assert own["deck"] == Game(record["players"], deal).record()["deck"]
    with gzip.open(Path("a") / GAMES, "rt") as file:
        assert all(json.dumps(json.loads(line)) + "\n" == line for line in file)


def test_games_keep_to_the_settings_times_are_told_and_a_challenger_plays_in_all_line_ups() -> None:
    rows = run("a", tournament_config(["random", "random"], [2], 3, table=(5, 3), max_rounds=2, moves=True))
    assert rows["truncated"].all()
    assert not rows["trigger"].any()
    assert (rows["rounds"].max(), {tuple(record["table"]) for record in records("a")}) == (2, {(5, 3)})
    assert (rows["think_ms"] > 0).all()
    assert (rows["slowest_ms"] <= rows["think_ms"]).all()
    assert (rows["slowest_ms"] * rows["decisions"] >= rows["think_ms"] * 0.999).all()
    rows = run("b", tournament_config(["random", "greedy", "random"], [2], 3, challenger="greedy"))
    assert set(rows["pairing"]) == {"random | greedy", "greedy | random #2"}
