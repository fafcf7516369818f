"""Runs that were stopped, killed or damaged continue with the same games; folders and commands."""

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from oddville_agents import AgentError
from oddville_env.cli import main
from oddville_env.core.errors import SettingError
from oddville_training.processes.pools import WorkerError
from oddville_training.statistics.sprt import Sprt
from oddville_training.tournament import executors, tournament
from oddville_training.tournament.config import TournamentConfig, tournament_config
from oddville_training.tournament.executors import on_ray, on_this_machine
from oddville_training.tournament.manifest import GAMES, RESULTS, RunError
from oddville_training.tournament.results import Journal
from support.program import Run, runner
from support.training import tournaments
from support.training.tournaments import interrupted, run, same, short, wait_until_it_stops

pytestmark = pytest.mark.usefixtures("here", "forked")


def assert_undisturbed(rows: pl.DataFrame, whole: tuple[bytes, pl.DataFrame]) -> None:
    """The run in `b` has the records and results of one that nothing disturbed."""
    assert Path("b", GAMES).read_bytes() == whole[0]
    assert same(rows, whole[1])


def test_two_workers_play_the_games_that_one_plays_and_a_mistake_in_a_worker_is_told() -> None:
    config = tournament_config(["./mine.py:First", "./mine.py:Thinker"], [2], 3, moves=True, max_rounds=8)
    assert same(run("a", config, workers=1), run("b", config, workers=2))
    assert Path("a", GAMES).read_bytes() == Path("b", GAMES).read_bytes()
    run("c", tournament_config(["random", "./mine.py:First"], [2], 2), workers=2)
    with pytest.raises(AgentError, match="no agent is called 'nobody'"):
        run("d", tournament_config(["random", "nobody"], [2], 2), workers=2)


def test_stopped_run_continues_with_the_same_games(short_whole: tuple[bytes, pl.DataFrame]) -> None:
    interrupted("b", short())
    with Journal(Path("b"), short()) as journal:
        done = len(journal.done)
    seen: list[int] = []
    tournament.run(
        short(), Path("b"), on_this_machine(1), lambda rows, _: seen.extend(np.unique(rows["block"]).tolist())
    )
    assert 6 <= done < short().schedule.blocks
    assert sorted(seen) == list(range(short().schedule.blocks))
    assert_undisturbed(tournament.read_results(Path("b")), short_whole)
    assert {path.name for path in Path("b").iterdir()} == {GAMES, RESULTS, "manifest.json"}


@pytest.mark.parametrize("harm", ["torn line", "line without end", "damaged line", "lost records", "torn records"])
def test_a_damaged_journal_costs_only_what_was_damaged(short_whole: tuple[bytes, pl.DataFrame], harm: str) -> None:
    interrupted("b", short())
    lines, packed = Path("b/journal.jsonl"), Path("b/records.part")
    text, records = lines.read_bytes(), packed.read_bytes()
    longer, other = text + text.splitlines()[0][:50], text.replace(b'"failed"', b'"Failed"', 1)
    harmed = {"torn line": text[:-100], "line without end": longer, "damaged line": other}
    lines.write_bytes(harmed.get(harm, text))
    packed.write_bytes({"lost records": b"", "torn records": records[:-5]}.get(harm, records))
    with Journal(Path("b"), short()) as journal:
        left = len(journal.entries)
    assert left == {"line without end": 6, "lost records": 0}.get(harm, 5)
    assert_undisturbed(run("b", short()), short_whole)


@pytest.mark.parametrize("torn", ["records.part", "journal.jsonl"])
def test_blocks_played_again_after_damage_count_once(short_whole: tuple[bytes, pl.DataFrame], torn: str) -> None:
    interrupted("b", short())
    with Journal(Path("b"), short()) as journal:
        last, packed = journal.entries[-1], dict(journal.records())
    Path("b", torn).write_bytes(Path("b", torn).read_bytes()[:-5])
    with Journal(Path("b"), short()) as journal:
        assert len(journal.entries) == 5
        journal.add(last.rows, last.failed, [packed[block] for block in last.blocks.tolist()])
    with Journal(Path("b"), short()) as journal:
        assert len(journal.entries) == 6
    assert_undisturbed(run("b", short()), short_whole)


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """Writing on fails, as on a full disk: after a part has been written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_finished_blocks(short_whole: tuple[bytes, pl.DataFrame]) -> None:
    sentence = "File too large; what was finished is kept in b, and the same command resumes the run"
    with files_no_longer_than(12_000), pytest.raises(OSError, match=sentence):
        run("b", short())
    with Journal(Path("b"), short()) as journal:
        assert 0 < len(journal.done) < short().schedule.blocks
        assert Path("b/journal.jsonl").read_bytes().count(b"\n") == len(journal.entries)
    assert_undisturbed(run("b", short()), short_whole)


def test_a_finished_run_is_left_as_it_is() -> None:
    config = tournament_config(["random", "greedy"], [2], 5, moves=True)
    run("a", config)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path("a").iterdir()}
    run("a", config)
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path("a").iterdir()} == before


def test_a_cluster_that_does_not_answer_is_told() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'oddville-env[ray]'")
    with pytest.raises(WorkerError, match="there is no cluster at nowhere that could be used"):
        on_ray(address="nowhere")(tournament_config(["random", "greedy"]))


def test_ray_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingError, match=r"Ray needs the extra ray: pip install 'oddville-env\[ray\]'"):
        on_ray()


ENDED_IN_A_DEL = """
import os, signal
from oddville_training.processes import pools

class Ends:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        print("still here")

class Pipe:
    send = None

    def recv(self):
        Ends()
        raise EOFError

pools.ENDINGS.append(lambda: print("closed", flush=True))
pools.work(Pipe())
"""


def test_worker_that_is_ended_where_python_drops_exceptions_ends_what_it_started_and_itself() -> None:
    done = subprocess.run([sys.executable, "-c", ENDED_IN_A_DEL], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "closed\n", "")


def test_a_match_ends_with_the_verdict_at_the_same_block_for_any_number_of_workers() -> None:
    config = tournament_config(["greedy", "random"], [2], 500, moves=True)
    one = run("a", config, sprt=Sprt(0, 50), more={"sprt": "0,50"})
    assert same(one, run("b", config, workers=2, sprt=Sprt(0, 50), more={"sprt": "0,50"}))
    assert Path("a", GAMES).read_bytes() == Path("b", GAMES).read_bytes()
    assert one["block"].n_unique() < 100
    told = json.loads(Path("a/manifest.json").read_text())["verdict"]
    assert told.startswith("greedy is 50 Elo points above random rather than 0 (accept H1, ")
    assert f"{one['block'].n_unique()} blocks" in told


def test_another_command_in_the_same_folder_or_an_agent_whose_file_has_changed_is_refused() -> None:
    def config(*agents: str, blocks: int = 5) -> TournamentConfig:
        return tournament_config(agents, [2], blocks)

    mine = "./mine.py:First"
    interrupted("a", config("random", mine), 1)
    with pytest.raises(RunError, match="another tournament: blocks is 5 there, not 6; repeat the command"):
        run("a", config("random", mine, blocks=6))
    with pytest.raises(RunError, match=r"agents is random 1, \./mine.py:First 7 \w+ there, not "):
        run("a", config(mine, "random"))
    Path("mine.py").write_text(tournaments.AGENTS + "\n# changed\n")
    with pytest.raises(RunError, match=r"another tournament: agents is random 1, \./mine\.py:First 7"):
        run("a", config("random", mine))


@pytest.mark.parametrize(("name", "text", "sentence"), [
    ("manifest.json", "{", "manifest.json is not JSON"),
    ("manifest.json", "[]", "holds no manifest of a tournament, expected format 'oddville-tournament', version 1"),
    ("manifest.json", '{"format": "oddville-tournament", "version": 2}', "holds no manifest"),
    ("model.json", "{}", "a holds other files, but no tournament: name a new folder"),
])  # fmt: skip
def test_a_folder_that_holds_something_else_is_refused_and_left_alone(name: str, text: str, sentence: str) -> None:
    Path("a").mkdir()
    Path("a", name).write_text(text)
    with pytest.raises(RunError, match=sentence):
        run("a", tournament_config(["random", "greedy"], [2], 5))
    assert [(path.name, path.read_text()) for path in Path("a").iterdir()] == [(name, text)]


QUICK = ("--blocks", 4, "--workers", 1)


@pytest.fixture
def oddville(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    return runner("oddville", main, monkeypatch, capsys)


def test_a_tournament_shows_how_it_stands_and_writes_a_report(oddville: Run) -> None:
    code, out, err = oddville("tournament", "random", "greedy", "--players", "2,3", "--out", "a", *QUICK)
    assert code == 0, err
    assert "2 players, 8 games in 4 blocks, par 50.0%" in out
    assert "3 players, 24 games in 8 blocks, par 33.3%" in out
    assert {"manifest.json", RESULTS, "report.html", "report.md", "ratings.json", "pairwise.csv"} <= {
        path.name for path in Path("a").iterdir()
    }
    before = Path("a/report.html").read_bytes()
    code, out, err = oddville("report", "a")
    assert (code, out) == (0, "the report is a/report.html\n"), err
    assert Path("a/report.html").read_bytes() == before


def test_the_exit_code_says_that_an_agent_failed(oddville: Run) -> None:
    code, out, _ = oddville("tournament", "random", "./mine.py:Raises", "--out", "a", *QUICK)
    assert code == 3
    assert "raised: ValueError: no [red]idea[/]" in out
    assert Path("a/report.html").exists()


def test_ctrl_c_keeps_blocks_and_the_command_continues(short_whole: tuple[bytes, pl.DataFrame], oddville: Run) -> None:
    options = ("--players", "2,3", "--blocks", tournaments.BLOCKS, "--seed", 5, "--moves", "--workers", 2, "--out", "b")
    words = ("tournament", *tournaments.TRIO, *options)
    process = tournaments.program(*words, before=tournaments.STOPS)
    wait_until_it_stops(process, "b")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "which are stored: the same command resumes" in err
    assert "Traceback" not in out + err
    assert oddville("report", "b").err.startswith("error: the tournament in b is not finished: repeat the command")
    assert (oddville(*words).code, Path("b", GAMES).read_bytes()) == (0, short_whole[0])
    assert same(tournament.read_results(Path("b")), short_whole[1])


def test_ray_is_asked_for_as_many_workers_as_the_words_say(oddville: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(executors, "on_ray", lambda *words: asked.append(words) or on_this_machine(1))
    words = ("--executor", "ray", "--address", "there", "--workers", 3, "--blocks", 1, "--out", "a")
    assert (oddville("tournament", "random", "greedy", *words).code, asked) == (0, [(3, "there")])


def test_the_ladder_shows_the_built_in_agents(oddville: Run) -> None:
    code, out, err = oddville("ladder", "--blocks", 2, "--workers", 1)
    assert code == 0, err
    rows = [line.split()[0] for line in out.splitlines() if "%" in line and "par" not in line]
    assert {rows[0], rows[-1]} >= {"random"}
    assert "greedy" in rows
    assert {path.name for path in Path().iterdir()} == {"mine.py"}
