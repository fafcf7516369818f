"""Agents that fail lose their games and no more."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from oddville_agents import Agent, AgentFaultError, make_agent
from oddville_env import Game
from oddville_env.core.game.view import View
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_training.processes.pools import ProcessPool, WorkerError
from oddville_training.processes.sandbox import Sandbox
from oddville_training.tournament import tournament
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.executors import Executor
from oddville_training.tournament.seated_batch import TimedPlayer, play_alone, play_together
from support.training.tournaments import records, run, tables, unwatched

pytestmark = pytest.mark.usefixtures("here", "forked")

STAYS = {
    "Raises": "raised: ValueError: no [red]idea[/]",
    "Cheats": "illegal move: done",
    "BeyondAll": f"illegal move: {10**30} is not a move on this table",
    "Mute": "illegal move: None is not a move on this table",
    "Wordy": "raised: ValueError: shape mismatch in layer 3",
    "Wordless": "raised: ValueError",
    "Leaves0": "raised: SystemExit: 0",
    "Interrupts": "raised: KeyboardInterrupt",
    "Recurses": "raised: RecursionError: maximum recursion depth exceeded",
    "Truth": "illegal move: True is not a move on this table",
    "Rounds": "illegal move: 5.0 is not a move on this table",
    "Unspeakable": "raised: ValueError: no words",
    "Surrogate": "raised: ValueError:",
    "BadStart": "raised: RuntimeError: not today",
}
"""Faults of an agent whose process survives."""

ENDS = {
    "Talks": "timed out: more than 1 s for a move",
    "LeavesWord": "raised: its process ended with code 1, its last words: no licence",
    "Hangs": "timed out: more than 1 s for a move",
    "Eats": "out of memory",
    "Dies": "raised: its process was ended by signal 11",
    "Closes": "raised: it closed the pipe to the game",
    "KillsItsParent": "raised: its process was ended by signal 9",
    "WritesAnswers": "raised: it wrote into the pipe to the game",
    "WritesMoves": "raised: it wrote into the pipe to the game",
}
"""Faults that end the process of an agent."""

HARMLESS = ("NumpyNumber", "Threads", "Forks", "Binary")
LONG_S = 300.0  # for a move, however busy the machine is


def reason(sandbox: Sandbox) -> str:
    """Why an agent loses the next game that it is asked to play."""
    live = LiveGame(ODDVILLE, make_box(2))
    live.deal(0)

    def play() -> None:
        sandbox.begin(live.to_move, 2, 0)
        sandbox.move(live.view())

    with pytest.raises(AgentFaultError) as lost:
        play()
    return lost.value.reason


def sandboxed(spec: str, limit_s: float = LONG_S) -> Sandbox:
    return Sandbox(spec, ODDVILLE, ODDVILLE.settings(), limit_s, 300)


def test_whatever_an_agent_does_wrong_is_told_and_its_process_plays_on() -> None:
    sandbox = sandboxed(f"./mine.py:InTurn:names={'+'.join(STAYS)}")
    sandbox.start()
    process = sandbox._process
    try:
        assert {name: reason(sandbox) for name in STAYS} == STAYS
        assert sandbox._process is process
    finally:
        sandbox.close()


@pytest.mark.parametrize("name", ENDS)
def test_agent_that_ends_or_spoils_its_process_gets_another_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "Closes":  # its process lives on: nothing comes of waiting for its end
        monkeypatch.setattr("oddville_training.processes.sandbox.LAST_GASP_S", 0.1)
    sandbox = sandboxed(f"./mine.py:{name}", limit_s=1.0 if "timed out" in ENDS[name] else LONG_S)
    assert reason(sandbox) == ENDS[name]
    assert not sandbox.is_open


def test_endless_output_is_read_only_until_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def listen(sandbox: Sandbox) -> None:
        raise AssertionError("the time is over")

    sandbox = sandboxed("./mine.py:Talks")
    sandbox._answers, sandbox._talk = 1, 2
    monkeypatch.setattr(Sandbox, "_ready", lambda sandbox, seconds: [sandbox._talk])
    monkeypatch.setattr(Sandbox, "_listen", listen)
    with pytest.raises(AgentFaultError, match="timed out"):
        sandbox._packed_answer(0.0, "for a move")


@pytest.mark.parametrize(("players", "names", "limit_s"), [
    (2, ["Cheats", "LeavesWord"], LONG_S), (2, ["Hangs"], 1.0), (3, ["Raises"], LONG_S),
])  # fmt: skip
def test_failing_agent_loses_its_games_last_and_others_play_on(players: int, names: list[str], limit_s: float) -> None:
    good, bad = ["random", "greedy"][: players - 1], [f"./mine.py:{name}" for name in names]
    config = tournament_config([*good, *bad], [players], 1, limit_s=limit_s, memory_mb=300, moves=True)
    (section,) = config.schedule.sections
    alone = tuple(each for each in section.lineups if sum(agent >= len(good) for agent in each) == 1)
    schedule = replace(config.schedule, sections=(replace(section, lineups=alone),))
    rows = run("a", replace(config, schedule=schedule))
    assert rows["game"].n_unique() == len(names) * players
    for spec, name in zip(bad, names, strict=True):
        lost = rows.filter(pl.col("agent") == spec)
        assert lost["rank"].to_list() == [players] * players
        assert lost["failure"].to_list() == [(STAYS | ENDS)[name]] * players
        assert not lost["trigger"].any()
    others = rows.filter(~pl.col("agent").is_in(bad))
    assert others["failure"].is_null().all()
    assert sorted(others["rank"].unique()) == list(range(1, players))
    for record in records("a"):
        assert record["scores"] is record["ranks"] is record["trigger"] is None
        assert not Game.from_record(record).is_over


def test_agents_that_only_look_odd_play_on() -> None:
    odd = f"./mine.py:InTurn:names={'+'.join(HARMLESS)}"
    config = tournament_config(["random", odd], [2], 2, challenger="random", limit_s=LONG_S, memory_mb=300)
    rows = run("a", config)
    assert rows["game"].n_unique() == len(HARMLESS)
    assert rows["failure"].is_null().all()


def test_an_agent_that_ends_its_worker_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_training.processes.pools.MOST_LOSSES", 1)
    config = tournament_config(["random", "./mine.py:KillsItsWorker"], [2], 1)
    sentence = r"2 workers died .* exit code -9, while they played random \| \./mine\.py:KillsItsWorker: one of these"
    with pytest.raises(WorkerError, match=sentence):
        tournament.run(config, Path("a"), lambda config: Executor(config, ProcessPool(1)), unwatched)


def test_the_others_are_ranked_by_their_scores_as_they_stand() -> None:
    (played, agent_seeds), seat = tables(4, 1), 2
    play_together(played, [make_agent("random").batch_agent(4) for _ in range(4)], agent_seeds)
    played.end()
    before = played.ranks.copy()
    played.failed[:] = seat
    played.end()
    for was, ranks in zip(before.tolist(), played.ranks.tolist(), strict=True):
        assert ranks[seat] == 4
        assert sorted(range(4), key=ranks.__getitem__)[:3] == sorted({0, 1, 3}, key=was.__getitem__)


def test_an_agent_of_this_package_that_fails_or_takes_too_long_loses_too() -> None:
    class Odd(Agent):
        def act(self, view: View) -> int:
            raise KeyError("lost")

    for agent, limit_s, why in (
        (Odd(), 60, "raised: KeyError: 'lost'"),
        (make_agent("greedy"), 1e-9, "timed out: more than 1e-09 s for a move"),
    ):
        played, agent_seeds = tables(2, 1)
        with pytest.raises(AgentFaultError) as lost:
            play_alone(played, 0, [TimedPlayer(make_agent("random"), 60), TimedPlayer(agent, limit_s)], agent_seeds[0])
        assert lost.value.reason == why
        assert (played.failed[0], played.seats[0]) == (1, NOBODY)
