"""Guarded agents: what they get tells nothing hidden, and what they start ends with them."""

import os
import signal
import struct
import time
from pathlib import Path

import numpy as np
import pytest

from oddville_agents import AgentError, make_agent
from oddville_agents.play import derive_agent_seeds, name_key
from oddville_env import Game
from oddville_env.core.game.seeds import game_seeds
from oddville_env.core.game.view import View
from oddville_env.core.parts import chance
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.executors import Executor
from oddville_training.tournament.play_loop import TimedPlayer, play_alone
from oddville_training.tournament.worker import Worker
from oddville_training.work.pools import ProcessPool
from oddville_training.work.sandbox import Sandbox
from support.training.forked_workers import Forked, program
from support.training.tournaments import tables

pytestmark = pytest.mark.usefixtures("here", "forked")


def sandbox_of(spec: str) -> Sandbox:
    return Sandbox(spec, ODDVILLE, ODDVILLE.settings(), 60, 2048)


def test_a_guarded_agent_gets_a_state_in_which_the_hidden_is_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    sandbox, game = sandbox_of("./mine.py:First"), Game(2, seed=1)
    for _ in range(12):
        game.push(int(np.flatnonzero(game.mask)[-1]))
    monkeypatch.setattr(Sandbox, "_ask", lambda self, question: sent.append(question) or int(game.mask.argmax()))
    for _ in range(2):
        sandbox.move(View(ODDVILLE, game.box, game.state, 0, game.mask))

    states = [np.frombuffer(question[1:], game.box.games) for question in sent]
    encoder = make_encoder(game.box, "features")
    truth = encoder.observation(game.box.record, game.state, 0, game.to_move)
    for state in states:
        seen = encoder.observation(game.box.record, state, 0, game.to_move)
        assert (seen == truth).all()
        assert state[0].seed != game.state[0].seed
        assert (state[0].deck != game.state[0].deck).any()
    assert (states[0][0].deck != states[1][0].deck).any()


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


def unscattered(number: int) -> int:
    """The number that `chance.scatter` makes this one of: it can be undone."""

    def unshifted(number: int, shift: int) -> int:
        found = number
        for _ in range(64 // shift):
            found = number ^ (found >> shift)
        return found

    factors = (pow(int(chance.SECOND_FACTOR), -1, 2**64), pow(int(chance.FIRST_FACTOR), -1, 2**64))
    number = unshifted(number, int(chance.LAST_SHIFT)) * factors[0] % 2**64
    number = unshifted(number, int(chance.SECOND_SHIFT)) * factors[1] % 2**64
    return unshifted(number, int(chance.FIRST_SHIFT))


@pytest.mark.parametrize("deal", range(6))
def test_what_a_sandbox_gets_does_not_name_the_deal(deal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    (seed,), name, block, number = game_seeds(deal), "./mine.py:First", 3, 6
    given, increment = np.zeros((1, 2), np.uint64), int(chance.INCREMENT)
    keys = np.array([[name_key(name), name_key("random")]], np.uint64)
    derive_agent_seeds(np.array([seed]), np.array([[block, number]]), keys, given)

    def deal_of(agent_seed: int) -> int:
        """The deal's seed from that of the agent in seat 0, whose name, block and game are known."""
        found = unscattered(agent_seed) - int(name_key(name))
        for known in (number, block):
            found = unscattered(found % 2**64) - increment * (known + 1)
        return found % 2**64

    assert deal_of(int(given[0, 0])) == seed
    begin, *moves = sent_to_a_sandbox(Game(2, seed=deal), int(given[0, 0]), monkeypatch)
    told = [struct.unpack("<qqQ", begin[1:])[2]]
    told += [int(np.frombuffer(move[1:], make_box(2).games)[0].seed) for move in moves]
    told += [unscattered(each) - increment for each in told]
    assert not {seed, int(given[0, 0])} & {deal_of(each % 2**64) for each in told}.union(told)


@pytest.mark.parametrize("deal", range(6))
def test_a_sandbox_gets_the_same_bytes_whatever_is_hidden(deal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(2, seed=deal)
    for _ in range(12):
        game.push(int(np.flatnonzero(game.mask)[-1]))
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


def test_the_process_of_a_guarded_agent_ends_with_its_worker() -> None:
    sandbox = sandbox_of("./mine.py:First")
    sandbox.start()
    assert sandbox._process is not None
    process = sandbox._process
    sandbox.close()
    assert process.poll() == -signal.SIGKILL


def test_an_agent_that_cannot_be_loaded_is_told_with_its_reason() -> None:
    Path("mine.py").write_text("import sys\nsys.exit('no\\nlicence')")
    told = r"^agent './mine.py:First': ./mine.py cannot be imported \(SystemExit: no licence\)$"
    with pytest.raises(AgentError, match=told):
        sandbox_of("./mine.py:First").version()


@pytest.mark.parametrize(("most", "left"), [(2, 2), (8, 3)])
def test_only_some_guarded_agents_are_kept_between_line_ups(
    most: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
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
