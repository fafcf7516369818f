"""Runs that were stopped, killed or damaged continue with the same games, whatever plays them."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from oddville_agents import AgentError
from oddville_env.core.errors import SettingError
from oddville_training.tournament import tournament
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.executors import on_ray, on_this_machine
from oddville_training.tournament.store.journal import Journal
from oddville_training.tournament.store.manifest import GAMES, RESULTS
from oddville_training.work.pools import WorkerError
from support.training.tournaments import interrupted, run, same, short

pytestmark = pytest.mark.usefixtures("here", "forked")


def assert_undisturbed(rows: pl.DataFrame, whole: tuple[bytes, pl.DataFrame]) -> None:
    """The run in `b` has the records and results of one that nothing disturbed."""
    assert Path("b", GAMES).read_bytes() == whole[0]
    assert same(rows, whole[1])


def test_two_workers_play_the_games_of_guarded_agents_that_one_plays() -> None:
    config = tournament_config(["./mine.py:First", "./mine.py:Thinker"], [2], 3, moves=True, max_rounds=8)
    assert same(run("a", config, workers=1), run("b", config, workers=2))
    assert Path("a", GAMES).read_bytes() == Path("b", GAMES).read_bytes()


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
    lines.write_bytes(
        {
            "torn line": text[:-100],
            "line without end": text + text.splitlines()[0][:50],
            "damaged line": text.replace(b'"failed"', b'"Failed"', 1),
        }.get(harm, text)
    )
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


# Workers


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
from oddville_training.work import pools

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


def test_a_mistake_in_a_worker_is_told() -> None:
    run("a", tournament_config(["random", "./mine.py:First"], [2], 2), workers=2)
    with pytest.raises(AgentError, match="no agent is called 'nobody'"):
        run("b", tournament_config(["random", "nobody"], [2], 2), workers=2)
