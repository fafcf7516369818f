"""Tournaments: equal games everywhere, nothing finished is lost, and agents that fail lose their games and no more."""

import gzip
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from oddville_agents import Agent, AgentError, make_agent
from oddville_agents.play import derive_agent_seeds, name_key
from oddville_agents.player import AgentFaultError
from oddville_env import Game
from oddville_env.core.errors import SettingError
from oddville_env.core.parts import chance
from oddville_env.core.seeds import game_seeds
from oddville_env.core.view import View
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder, observe
from oddville_env.oddville.rules.scoring import SOURCES
from oddville_env.oddville.settings import make_box
from oddville_training.statistics.sprt import Sprt
from oddville_training.tournament import executors, tournament
from oddville_training.tournament.config import TournamentConfig, tournament_config
from oddville_training.tournament.executor import WorkerError
from oddville_training.tournament.executors import Here, Processes
from oddville_training.tournament.folder import GAMES, RESULTS, alone_in
from oddville_training.tournament.journal import Journal
from oddville_training.tournament.play_loop import TimedPlayer, play_alone, play_together
from oddville_training.tournament.rows import RunError
from oddville_training.tournament.sandbox import Sandbox
from oddville_training.tournament.schedule import seatings
from oddville_training.tournament.seated_batch import SeatedBatch
from oddville_training.tournament.worker import Worker

every_number = pytest.mark.parametrize("players", [2, 3, 4])

AGENTS = Path(__file__).with_name("odd_agents.py").read_text()
FAILURES = {
    "Raises": "raised: ValueError: no [red]idea[/]",
    "Cheats": "illegal move: done",
    "BeyondAll": f"illegal move: {10**30} is no move of this table",
    "BelowAll": "illegal move: -7 is no move of this table",
    "Mute": "illegal move: None is no move of this table",
    "Fraction": "illegal move: 0.5 is no move of this table",
    "Wordy": "raised: ValueError: shape mismatch in layer 3",
    "Wordless": "raised: ValueError",
    "Talks": "timed out: more than 3 s for a move",
    "Leaves": "raised: its process ended with code 1",
    "LeavesWord": "raised: its process ended with code 1, its last words: no licence",
    "Hangs": "timed out: more than 3 s for a move",
    "Eats": "out of memory",
    "Exits": "raised: its process ended with code 5",
    "Dies": "raised: its process was ended by signal 11",
    "Closes": "raised: it closed the pipe to the game",
    "BadStart": "raised: RuntimeError: not today",
    "KillsItsParent": "raised: its process was ended by signal 9",
    "Leaves0": "raised: SystemExit: 0",
    "Interrupts": "raised: KeyboardInterrupt",
    "Recurses": "raised: RecursionError: maximum recursion depth exceeded",
    "WritesBytes": "raised: it wrote into the pipe to the game",
    "WritesAnswers": "raised: it wrote into the pipe to the game",
    "WritesMoves": "raised: it wrote into the pipe to the game",
    "Truth": "illegal move: True is no move of this table",
    "Number": "illegal move: '5' is no move of this table",
    "Rounds": "illegal move: 5.0 is no move of this table",
    "Listed": "illegal move: [5] is no move of this table",
    "Unspeakable": "raised: ValueError: no words",
    "Surrogate": "raised: ValueError:",
}
HARMLESS = ("NumpyNumber", "Threads", "Forks", "Binary")
TIMES = ["think_ms", "slowest_ms"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with agents of one's own."""
    (tmp_path / "mine.py").write_text(AGENTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def nobody_looks(*_: object) -> None:
    """A watcher."""


def run(folder: str, config: TournamentConfig, workers: int = 1, **more: Any) -> pl.DataFrame:
    """Play a tournament in a folder; its results."""
    tournament.run(config, Path(folder), executors.on_this_machine(workers), nobody_looks, **more)
    return tournament.read_results(Path(folder))


def same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Equal but for the times."""
    return one.drop(TIMES).equals(other.drop(TIMES))


def records(folder: str) -> list[dict[str, Any]]:
    with gzip.open(Path(folder) / GAMES, "rt") as file:
        return [json.loads(line) for line in file]


def program(*words: object) -> subprocess.Popen[str]:
    """The command line as a process."""
    code = "from oddville_env.cli import main\nif __name__ == '__main__': main()"
    Path("program.py").write_text(code)
    command = [sys.executable, "program.py", *map(str, words)]
    wide = {**os.environ, "COLUMNS": "200"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **pipes, text=True, env=wide, preexec_fn=hear_interrupts)


def hear_interrupts() -> None:
    """What a shell started in the background does not, nor do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# Tables


def tables(players: int, blocks: int, keep: bool = True) -> tuple[SeatedBatch, np.ndarray]:
    """Some games, and the agents' seeds."""
    seating = np.tile(seatings(tuple(range(players))), (blocks, 1))
    seeds = np.repeat(game_seeds(3, blocks), players)
    batch = SeatedBatch(ODDVILLE, make_box(players), seeds, seating, keep)
    return batch, game_seeds(4, seating.size).reshape(seating.shape)


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


@every_number
def test_scores_ranks_and_sources_are_those_of_the_game(players: int) -> None:
    played, agent_seeds = tables(players, 4)
    play_together(played, [make_agent("random").batch_agent(len(agent_seeds)) for _ in range(players)], agent_seeds)
    played.end()
    assert played.kept is not None
    for table in range(len(agent_seeds)):
        game = Game(players, seed=0, **_orders(played, table))
        for action in played.kept.moves[table, : played.kept.lengths[table]].tolist():
            game.push(action)
        outcome, sheet = game.outcome, game.score_sheet()
        assert outcome is not None
        assert (tuple(played.scores[table]), tuple(played.ranks[table])) == (outcome.scores, outcome.ranks)
        for seat, told in enumerate(sheet):
            points = (sum(building.points for building in told.buildings), sum(told.characters.values()))
            assert tuple(played.sources[table, seat]) == (*points, sum(told.workers.values()), told.square)


def _orders(played: SeatedBatch, table: int) -> dict[str, Any]:
    """What was dealt at a table, and reshuffled."""
    record = json.loads(played.records()[table])
    return {name: record[name] for name in ("deck", "piles", "first", "reshuffles")}


def test_long_games_find_room_for_all_their_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_training.tournament.seated_batch.FIRST_ROOM", 16)
    (short, agent_seeds), _ = tables(4, 2), None
    play_together(short, [make_agent("random").batch_agent(len(agent_seeds)) for _ in range(4)], agent_seeds)
    monkeypatch.undo()
    (long, agent_seeds), _ = tables(4, 2), None
    play_together(long, [make_agent("random").batch_agent(len(agent_seeds)) for _ in range(4)], agent_seeds)
    assert short.kept is not None
    assert long.kept is not None
    assert (short.kept.lengths == long.kept.lengths).all()
    most = short.kept.lengths.max()
    assert most > 16
    assert (short.kept.moves[:, :most] == long.kept.moves[:, :most]).all()


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


def test_every_agent_of_a_block_sits_in_every_seat_of_its_deal() -> None:
    rows = run("a", tournament_config(["random", "greedy", "random"], [3], 2))
    sat = rows.group_by("block", "agent").agg(pl.col("seat").sort())
    assert all(seats == [0, 1, 2] for _, _, seats in sat.iter_rows())


def test_records_tell_the_games_that_the_results_tell() -> None:
    rows = run("a", tournament_config(["random", "greedy"], [2, 4], 12, moves=True))
    told = records("a")

    assert [record["game"] for record in told] == rows["game"].unique().to_list()
    assert any(record["reshuffles"] for record in told)
    by_game = rows.group_by("game", maintain_order=True).agg("score", "rank", "agent", pl.first("block", "deal"))
    for record, (_, scores, ranks, agents, block, deal) in zip(told, by_game.iter_rows(), strict=True):
        assert (record["scores"], record["ranks"], record["agents"], record["block"]) == (scores, ranks, agents, block)
        own = {name: value for name, value in record.items() if name not in ("block", "game", "agents")}
        assert Game.from_record(own).record() == own
        assert own["deck"] == Game(record["players"], deal).record()["deck"]


def test_records_are_written_as_json_writes_them() -> None:
    run("a", tournament_config(["random", "greedy"], [3], 4, moves=True))
    with gzip.open(Path("a") / GAMES, "rt") as file:
        for line in file:
            assert json.dumps(json.loads(line)) + "\n" == line


def test_games_keep_to_the_settings() -> None:
    rows = run("a", tournament_config(["random", "random"], [2], 3, table=(5, 3), max_rounds=2, moves=True))
    assert rows["truncated"].all()
    assert not rows["trigger"].any()
    assert rows["rounds"].max() == 2
    assert {tuple(record["table"]) for record in records("a")} == {(5, 3)}


def test_times_are_told_for_every_agent_that_moved() -> None:
    rows = run("a", tournament_config(["random", "greedy"], [2], 3))
    assert (rows["think_ms"] > 0).all()
    assert (rows["slowest_ms"] <= rows["think_ms"]).all()
    assert (rows["slowest_ms"] * rows["decisions"] >= rows["think_ms"] * 0.999).all()


def test_a_challenger_plays_in_all_line_ups() -> None:
    rows = run("a", tournament_config(["random", "greedy", "random"], [2], 3, challenger="greedy"))
    assert set(rows["pairing"]) == {"random | greedy", "greedy | random #2"}


def test_a_challenger_must_take_part() -> None:
    with pytest.raises(ValueError, match=r"one of the agents \(random, greedy\), not 'nobody'"):
        tournament_config(["random", "greedy"], challenger="nobody")


# Equal for any number of workers, and after any interruption

BIG = ("greedy", "random", "random")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, pl.DataFrame]:
    """The records and results of a tournament that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    before = Path.cwd()
    os.chdir(folder)
    try:
        Path("mine.py").write_text(AGENTS)
        rows = run("a", big())
        return (folder / "a" / GAMES).read_bytes(), rows
    finally:
        os.chdir(before)


def big() -> TournamentConfig:
    return tournament_config(BIG, [2, 3], 300, seed=5, moves=True)


def test_two_workers_play_the_games_that_one_plays(whole: tuple[bytes, pl.DataFrame]) -> None:
    rows = run("b", big(), workers=2)
    assert (Path("b") / GAMES).read_bytes() == whole[0]
    assert same(rows, whole[1])


def test_two_workers_play_the_games_of_guarded_agents_that_one_plays() -> None:
    config = tournament_config(["random", "./mine.py:First", "./mine.py:Thinker"], [2], 3, moves=True)
    assert same(run("a", config, workers=1), run("b", config, workers=2))
    assert Path("a", GAMES).read_bytes() == Path("b", GAMES).read_bytes()


class Interrupts(Here):
    """Plays a few chunks, then stops as Ctrl-C would."""

    def __init__(self, config: TournamentConfig, chunks: int) -> None:
        super().__init__(config)
        self._left = chunks

    def wait(self) -> Any:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return super().wait()


def interrupted(folder: str, config: TournamentConfig, chunks: int = 6) -> None:
    with pytest.raises(KeyboardInterrupt):
        tournament.run(config, Path(folder), lambda config: Interrupts(config, chunks), nobody_looks)


def test_a_run_that_was_stopped_goes_on_with_the_same_games(whole: tuple[bytes, pl.DataFrame]) -> None:
    interrupted("b", big())
    with Journal(Path("b"), big()) as journal:
        done = len(journal.done)
    seen: list[int] = []
    tournament.run(big(), Path("b"), Here, lambda rows, _: seen.extend(np.unique(rows["block"]).tolist()))

    assert 6 <= done < big().schedule.blocks
    assert sorted(seen) == list(range(big().schedule.blocks))
    assert (Path("b") / GAMES).read_bytes() == whole[0]
    assert same(tournament.read_results(Path("b")), whole[1])
    assert {path.name for path in Path("b").iterdir()} == {GAMES, RESULTS, "manifest.json"}


@pytest.mark.parametrize("harm", ["torn line", "line without end", "damaged line", "lost records", "torn records"])
def test_a_damaged_journal_costs_only_what_was_damaged(whole: tuple[bytes, pl.DataFrame], harm: str) -> None:
    interrupted("b", big())
    lines, packed = Path("b/journal.jsonl"), Path("b/records.part")
    text = lines.read_bytes()
    if harm == "torn line":
        lines.write_bytes(text[:-100])
    elif harm == "line without end":
        lines.write_bytes(text + text.splitlines()[0][:50])
    elif harm == "damaged line":
        lines.write_bytes(text.replace(b'"failed"', b'"Failed"', 1))
    elif harm == "lost records":
        packed.write_bytes(b"")
    else:
        packed.write_bytes(packed.read_bytes()[:-5])
    with Journal(Path("b"), big()) as journal:
        left = len(journal.entries)
    assert left == {"line without end": 6, "lost records": 0}.get(harm, 5)

    rows = run("b", big())

    assert (Path("b") / GAMES).read_bytes() == whole[0]
    assert same(rows, whole[1])


def test_blocks_that_were_played_again_after_damage_count_once(whole: tuple[bytes, pl.DataFrame]) -> None:
    interrupted("b", big())
    with Journal(Path("b"), big()) as journal:
        last, packed = journal.entries[-1], dict(journal.records())
    Path("b/records.part").write_bytes(Path("b/records.part").read_bytes()[:-5])
    with Journal(Path("b"), big()) as journal:
        assert len(journal.entries) == 5
        journal.add(last.rows, last.failed, [packed[block] for block in last.blocks.tolist()])
    with Journal(Path("b"), big()) as journal:
        assert len(journal.entries) == 6

    rows = run("b", big())

    assert (Path("b") / GAMES).read_bytes() == whole[0]
    assert same(rows, whole[1])


def test_a_run_that_was_killed_goes_on_with_the_same_games(whole: tuple[bytes, pl.DataFrame]) -> None:
    Path("play.py").write_text(
        "from pathlib import Path\n"
        "from oddville_training.tournament import executors, tournament\n"
        "from oddville_training.tournament.config import tournament_config\n"
        "if __name__ == '__main__':\n"
        f"    config = tournament_config({BIG}, [2, 3], 300, seed=5, moves=True)\n"
        "    tournament.run(config, Path('b'), executors.on_this_machine(2), lambda *_: None)\n"
    )
    process = subprocess.Popen([sys.executable, "play.py"])
    until = time.monotonic() + 120
    while time.monotonic() < until and lines_of("b") < 4 and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert lines_of("b") >= 4
    assert not Path("b", RESULTS).exists()

    rows = run("b", big())

    assert Path("b", GAMES).read_bytes() == whole[0]
    assert same(rows, whole[1])


def lines_of(folder: str) -> int:
    path = Path(folder, "journal.jsonl")
    return path.read_bytes().count(b"\n") if path.exists() else 0


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """Writing on fails, as on a full disk: after a part has been written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_finished_blocks(whole: tuple[bytes, pl.DataFrame]) -> None:
    sentence = "File too large; what was finished is kept in b, and the same command goes on"
    with files_no_longer_than(30_000), pytest.raises(OSError, match=sentence):
        run("b", big())
    with Journal(Path("b"), big()) as journal:
        assert 0 < len(journal.done) < big().schedule.blocks
        assert Path("b/journal.jsonl").read_bytes().count(b"\n") == len(journal.entries)

    rows = run("b", big())

    assert Path("b", GAMES).read_bytes() == whole[0]
    assert same(rows, whole[1])


def test_a_disk_that_is_full_at_the_end_leaves_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    config = tournament_config(["random", "greedy"], [2], 5)
    with monkeypatch.context() as patch:
        patch.setattr(pl.DataFrame, "write_parquet", _full)
        with pytest.raises(OSError, match="No space left"):
            run("a", config)
    assert {path.name for path in Path("a").iterdir()} == {"manifest.json", "journal.jsonl", "records.part"}
    assert len(run("a", config)) == 20


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_finished_run_is_left_as_it_is() -> None:
    config = tournament_config(["random", "greedy"], [2], 5, moves=True)
    run("a", config)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path("a").iterdir()}
    run("a", config)
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path("a").iterdir()} == before


# Workers


def test_a_worker_that_is_killed_is_replaced_and_its_work_done_again() -> None:
    config = tournament_config(["random", "greedy"], [2], 40)
    alone = run("a", config)

    class Loses(Processes):
        lost = False

        def submit(self, chunk: Any) -> None:
            super().submit(chunk)
            if not self.lost and chunk.blocks[0] > 1:
                Loses.lost = True
                next(iter(self._busy.values()))[0].process.kill()

    tournament.run(config, Path("b"), lambda config: Loses(config, 2), nobody_looks)
    assert Loses.lost
    assert same(tournament.read_results(Path("b")), alone)


def test_ray_plays_the_same_games_though_a_worker_is_killed() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'oddville-env[ray]'")
    config = tournament_config(["random", "greedy", "./mine.py:Kills"], [2], 3, moves=True)
    Path("killed").touch()
    alone = run("a", config)
    Path("killed").unlink()

    words = ("--executor", "ray", "--workers", 2, "--blocks", 3, "--moves", "--out", "b")
    for _ in range(3):  # a busy machine may be too slow for Ray, which then ends the program: it is resumed
        code, _, err = said("tournament", *(entrant.spec for entrant in config.entrants), *words)
        if code == 0:
            break

    assert code == 0, err
    assert Path("killed").exists()
    assert Path("b", GAMES).read_bytes() == Path("a", GAMES).read_bytes()
    assert same(tournament.read_results(Path("b")), alone)


def test_a_cluster_that_does_not_answer_is_told() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'oddville-env[ray]'")
    with pytest.raises(WorkerError, match="there is no cluster at nowhere that could be used"):
        executors.on_ray(address="nowhere")(tournament_config(["random", "greedy"]))


def test_ray_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "oddville_training.tournament.cluster", raising=False)
    with pytest.raises(SettingError, match=r"Ray needs the extra ray: pip install 'oddville-env\[ray\]'"):
        executors.on_ray()


def test_workers_that_die_again_and_again_end_the_run() -> None:
    class Loses(Processes):
        def submit(self, chunk: Any) -> None:
            super().submit(chunk)
            for worker, _ in self._busy.values():
                worker.process.kill()

    with pytest.raises(WorkerError, match="4 workers died one after the other, the last with exit code -9"):
        tournament.run(
            tournament_config(["random", "greedy"], [2], 4), Path("a"), lambda config: Loses(config, 2), nobody_looks
        )


ENDED_IN_A_DEL = """
import os, signal
from oddville_training.tournament import executors

class Ends:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        print("still here")

class Pipe:
    def recv(self):
        Ends()
        print("and here")
        raise EOFError

    def send(self, played):
        pass

class Worker:
    def __init__(self, config):
        pass

    def close(self):
        print("closed", flush=True)

executors.Worker = Worker
executors.work(Pipe(), None)
"""


def test_a_worker_that_is_ended_says_nothing_and_leaves_nothing_behind() -> None:
    words = [sys.executable, "-c", ENDED_IN_A_DEL]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "closed\n", "")


def test_a_mistake_in_a_worker_is_told() -> None:
    run("a", tournament_config(["random", "./mine.py:First"], [2], 2), workers=2)
    with pytest.raises(AgentError, match="no agent is called 'nobody'"):
        run("b", tournament_config(["random", "nobody"], [2], 2), workers=2)


# Failures


@pytest.mark.parametrize(("players", "names"), [(2, list(FAILURES)), (3, ["Raises"])])
def test_an_agent_that_fails_loses_its_games_last_and_the_others_play_on(players: int, names: list[str]) -> None:
    good, bad = ["random", "greedy"][: players - 1], [f"./mine.py:{name}" for name in names]
    config = tournament_config([*good, *bad], [players], 1, limit_s=3, memory_mb=600, moves=True)
    (section,) = config.schedule.sections
    alone = tuple(each for each in section.lineups if sum(agent >= len(good) for agent in each) == 1)
    schedule = replace(config.schedule, sections=(replace(section, lineups=alone),))

    rows = run("a", replace(config, schedule=schedule))

    assert rows["game"].n_unique() == len(names) * players
    for spec, name in zip(bad, names, strict=True):
        lost = rows.filter(pl.col("agent") == spec)
        assert lost["rank"].to_list() == [players] * players
        assert lost["failure"].to_list() == [FAILURES[name]] * players
        assert not lost["trigger"].any()
    others = rows.filter(~pl.col("agent").is_in(bad))
    assert others["failure"].is_null().all()
    assert sorted(others["rank"].unique()) == list(range(1, players))
    for record in records("a"):
        assert record["scores"] is record["ranks"] is record["trigger"] is None
        assert not Game.from_record(record).is_over


def test_agents_that_only_look_odd_play_on() -> None:
    specs = ["random", *(f"./mine.py:{name}" for name in HARMLESS)]
    rows = run("a", tournament_config(specs, [2], 1, challenger="random", limit_s=20, memory_mb=600))
    assert rows["failure"].is_null().all()


def test_an_agent_that_ends_its_worker_is_named() -> None:
    config = tournament_config(["random", "./mine.py:KillsItsWorker"], [2], 1)
    sentence = r"4 workers died .* exit code -9, while they played random \| \./mine\.py:KillsItsWorker: one of these"
    with pytest.raises(WorkerError, match=sentence):
        tournament.run(config, Path("a"), lambda config: Processes(config, 1), nobody_looks)


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


def test_an_agent_of_this_package_that_fails_loses_too() -> None:
    class Odd(Agent):
        def act(self, view: View) -> int:
            raise KeyError("lost")

    (played, agent_seeds) = tables(2, 1)
    with pytest.raises(AgentFaultError) as lost:
        play_alone(played, 0, [TimedPlayer(make_agent("random"), 60), TimedPlayer(Odd(), 60)], agent_seeds[0])
    assert lost.value.reason == "raised: KeyError: 'lost'"
    assert (played.failed[0], played.seats[0]) == (1, NOBODY)


def test_an_agent_of_this_package_that_takes_too_long_loses() -> None:
    (played, agent_seeds) = tables(2, 1)
    with pytest.raises(AgentFaultError, match="timed out: more than 1e-09 s for a move"):
        play_alone(played, 0, [TimedPlayer(make_agent("greedy"), 1e-9) for _ in range(2)], agent_seeds[0])


def test_a_guarded_agent_gets_a_state_in_which_the_hidden_is_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    sandbox, game = Sandbox("./mine.py:First", tournament_config(["random", "greedy"])), Game(2, seed=1)
    for _ in range(12):
        game.push(int(np.flatnonzero(game.mask)[-1]))
    monkeypatch.setattr(Sandbox, "_ask", lambda self, question: sent.append(question) or int(game.mask.argmax()))
    for _ in range(2):
        sandbox.move(View(ODDVILLE, game.box, game.state, 0, game.mask))

    states = [np.frombuffer(question[1:], game.box.games) for question in sent]
    encoder = make_encoder(game.box, "features")
    truth, seen = np.zeros((2, encoder.size), np.uint8)
    observe(game.box, game.state, 0, game.state[0].to_move, "features", truth)
    for state in states:
        observe(game.box, state, 0, game.state[0].to_move, "features", seen)
        assert (seen == truth).all()
        assert state[0].seed != game.state[0].seed
        assert (state[0].deck != game.state[0].deck).any()
    assert (states[0][0].deck != states[1][0].deck).any()


def sent_to_a_sandbox(game: Game, seed: int, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the process of an agent is asked when a game begins and when it is to move twice."""
    sent: list[bytes] = []
    sandbox = Sandbox("./mine.py:First", tournament_config(["random", "greedy"]))
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
    config = tournament_config(["random", "./mine.py:ResetsToItself"])
    random, sandbox = TimedPlayer(make_agent("random"), 60), Sandbox("./mine.py:ResetsToItself", config)
    home = TimedPlayer(make_agent("./mine.py:ResetsToItself"), 60)
    try:
        for table in range(2):
            play_alone(own, table, [random, home], agent_seeds[table])
            play_alone(guarded, table, [random, sandbox], agent_seeds[table])
    finally:
        sandbox.close()
    assert (own.games == guarded.games).all()


def test_the_process_of_a_guarded_agent_ends_with_its_worker() -> None:
    sandbox = Sandbox("./mine.py:First", tournament_config(["random", "greedy"]))
    sandbox.start()
    assert sandbox._process is not None
    process = sandbox._process
    sandbox.close()
    assert process.poll() == -signal.SIGKILL


def test_an_agent_that_cannot_be_loaded_is_told_with_its_reason() -> None:
    Path("mine.py").write_text("import sys\nsys.exit('no\\nlicence')")
    with pytest.raises(AgentError, match=r"^agent './mine.py:First': SystemExit: no licence$"):
        Sandbox.version_of("./mine.py:First", tournament_config(["random", "greedy"]))


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
    executor = Processes(config, 1)
    executor.submit(config.schedule.chunk(0, 0, np.arange(1)))
    assert not executor.wait().failed
    executor.close()
    assert all_ended()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_what_an_agent_has_started_ends_with_the_tournament_in_the_middle_of_a_game(how: signal.Signals) -> None:
    options = ("--workers", 2, "--blocks", 2, "--out", "a")
    process = program("tournament", "random", "./mine.py:StartsAndHangs", *options)
    until = time.monotonic() + 120
    while time.monotonic() < until and not Path("started").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(how)
    process.communicate(timeout=60)
    assert all_ended()


# SPRT


def test_a_match_ends_with_the_verdict_at_the_same_block_for_any_number_of_workers() -> None:
    config = tournament_config(["greedy", "random"], [2], 500, moves=True)
    one = run("a", config, sprt=Sprt(0, 50), more={"sprt": "0,50"})
    two = run("b", config, workers=2, sprt=Sprt(0, 50), more={"sprt": "0,50"})

    assert same(one, two)
    assert Path("a", GAMES).read_bytes() == Path("b", GAMES).read_bytes()
    assert one["block"].n_unique() < 100
    told = json.loads(Path("a/manifest.json").read_text())["verdict"]
    assert told.startswith("greedy is 50 Elo points above random rather than 0 (accept H1, ")
    assert f"{one['block'].n_unique()} blocks" in told


# Folders


def test_another_command_in_the_same_folder_is_refused() -> None:
    interrupted("a", tournament_config(["random", "greedy"], [2], 5), 1)
    with pytest.raises(RunError, match="another tournament: blocks is 5 there, not 6; repeat the command"):
        run("a", tournament_config(["random", "greedy"], [2], 6))
    with pytest.raises(RunError, match="agents is random 1, greedy 1 there, not greedy 1, random 1;"):
        run("a", tournament_config(["greedy", "random"], [2], 5))


def test_an_agent_whose_file_has_changed_is_another_one() -> None:
    config = tournament_config(["random", "./mine.py:First"], [2], 5)
    interrupted("a", config, 1)
    Path("mine.py").write_text(AGENTS + "\n# changed\n")
    with pytest.raises(RunError, match=r"another tournament: agents is random 1, \./mine\.py:First 7"):
        run("a", config)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("manifest.json", "{", "manifest.json is no JSON"),
        ("manifest.json", "[]", "holds no manifest of a tournament, expected format 'oddville-tournament', version 1"),
        ("manifest.json", '{"format": "oddville-tournament", "version": 2}', "holds no manifest"),
        ("model.json", "{}", "a holds other files, but no tournament: name a new folder"),
    ],
)
def test_a_folder_that_holds_something_else_is_refused_and_left_alone(name: str, text: str, sentence: str) -> None:
    Path("a").mkdir()
    Path("a", name).write_text(text)
    with pytest.raises(RunError, match=sentence):
        run("a", tournament_config(["random", "greedy"], [2], 5))
    assert [(path.name, path.read_text()) for path in Path("a").iterdir()] == [(name, text)]


def test_two_processes_do_not_share_a_folder() -> None:
    interrupted("a", tournament_config(["random", "greedy"], [2], 5), 1)
    with alone_in(Path("a")), pytest.raises(RunError, match="another process is at work in a"):
        run("a", tournament_config(["random", "greedy"], [2], 5))


# The command line

QUICK = ("--blocks", 4, "--workers", 1)


def said(*words: object) -> tuple[int, str, str]:
    process = program(*words)
    out, err = process.communicate(timeout=200)
    return process.returncode, out, err


def test_a_tournament_shows_how_it_stands_and_writes_a_report() -> None:
    code, out, err = said("tournament", "random", "greedy", "--players", "2,3", "--out", "a", *QUICK)

    assert code == 0, err
    assert "2 players, 8 games in 4 blocks, par 50.0%" in out
    assert "3 players, 24 games in 8 blocks, par 33.3%" in out
    assert {"manifest.json", RESULTS, "report.html", "report.md", "ratings.json", "pairwise.csv"} <= {
        path.name for path in Path("a").iterdir()
    }
    before = Path("a/report.html").read_bytes()
    code, out, err = said("report", "a")
    assert (code, out) == (0, "the report is a/report.html\n"), err
    assert Path("a/report.html").read_bytes() == before


def test_the_exit_code_says_that_an_agent_failed() -> None:
    code, out, _ = said("tournament", "random", "./mine.py:Raises", "--out", "a", *QUICK)
    assert code == 3
    assert "raised: ValueError: no [red]idea[/]" in out
    assert Path("a/report.html").exists()


def test_names_with_odd_letters_are_shown_as_they_are() -> None:
    file = Path("<b>[red] | \u00e9'\".py")
    file.write_text(AGENTS)
    code, out, err = said("tournament", "random", f"./{file}:First", "--out", "a", "--moves", *QUICK)
    assert code == 0, err
    assert f"./{file}:First" in out
    assert "<b>" not in Path("a/report.html").read_text()
    assert {tuple(sorted(record["agents"])) for record in records("a")} == {(f"./{file}:First", "random")}


def test_ctrl_c_keeps_what_was_played_and_the_same_command_goes_on(whole: tuple[bytes, pl.DataFrame]) -> None:
    options = ("--players", "2,3", "--blocks", 300, "--seed", 5, "--moves", "--workers", 2, "--out", "b")
    words = ("tournament", *BIG, *options)
    process = program(*words)
    until = time.monotonic() + 120
    while time.monotonic() < until and lines_of("b") < 4 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "which are kept: the same command goes on" in err
    assert "Traceback" not in out + err
    assert said("report", "b")[2].startswith("error: the tournament in b is not finished: repeat the command")

    assert said(*words)[0] == 0

    assert Path("b", GAMES).read_bytes() == whole[0]
    assert same(tournament.read_results(Path("b")), whole[1])


def test_the_ladder_shows_the_built_in_agents() -> None:
    code, out, err = said("ladder", *QUICK)
    assert code == 0, err
    rows = [line.split()[0] for line in out.splitlines() if "%" in line and "par" not in line]
    assert {rows[0], rows[-1]} >= {"random"}
    assert "greedy" in rows
    assert {path.name for path in Path().iterdir()} == {"mine.py", "program.py"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("random", "a tournament needs at least 2 agents, not 1"),
        ("random nobody", "no agent is called 'nobody'"),
        ("random ./mine.py:Nobody", "agent './mine.py:Nobody': ./mine.py has no class or function 'Nobody'"),
        ("random greedy --players 5", "players must be a whole number from 2 to 4, not 5"),
        ("random greedy --players two", "--players must be 2, 3, 4, or several as 2,3, not 'two'"),
        ("random greedy --players 2,2", "players must be different numbers, not 2, 2"),
        ("random greedy --blocks 0", "blocks must be a whole number from 1 to"),
        ("random greedy --seed -1", "seed must be a whole number of at least 0"),
        ("random greedy --workers 0", "workers must be a whole number of at least 1, not 0"),
        ("random greedy --limit-s 0", "limit_s must be above 0 and at most 86400 seconds, not 0.0"),
        ("random greedy --limit-s inf", "limit_s must be above 0 and at most 86400 seconds, not inf"),
        ("random greedy --memory-mb 0", "memory_mb must be a whole number of at least 1, not 0"),
        ("random greedy --challenger x", "the challenger must be one of the agents (random, greedy), not 'x'"),
        ("random greedy --sprt 5", "--sprt must be elo0,elo1, e.g. 0,20, not '5'"),
        ("random greedy --sprt 5,1", "elo0 must be below elo1, not 5 and 1"),
        ("random greedy --sprt=-1000000,0", "elo0 and elo1 must be -4000 to 4000"),
        ("random greedy --sprt 0,20 --challenger greedy", "--sprt is a match of the first agent against the second"),
        ("random greedy random --sprt 0,5", "--sprt is for a match: two agents and --players 2"),
        ("random greedy --table 4 3", "table's number of columns must be odd"),
        ("random greedy --cards nowhere", "nowhere: there is no such folder"),
        ("random greedy --executor cloud", "--executor must be processes or ray, and --address is for ray only"),
        ("random greedy --address here", "--executor must be processes or ray, and --address is for ray only"),
        ("random greedy --out file/a", "file"),
        ("random greedy --out file", "file"),
    ],
)
def test_a_mistake_ends_in_one_sentence(
    words: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from oddville_env.cli import main

    Path("file").write_text("in the way")
    told = words.split() if "--out" in words else [*words.split(), "--out", "a"]
    monkeypatch.setattr(sys, "argv", ["oddville", "tournament", *told])
    with pytest.raises(SystemExit) as ended:
        main()
    captured = capsys.readouterr()
    assert ended.value.code == 1
    assert sentence in captured.err
    assert len(captured.err.strip().splitlines()) == 1, captured.err
    assert not Path("a").exists()
