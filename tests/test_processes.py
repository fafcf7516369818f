"""Child processes import modules from the current folder only if the user names them; threads share work.

The workers of Ray are tested in `training/test_selfplay.py`.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from oddville_env.core.compiled.threads import in_parts
from support.shadows import ran, write_shadows

PROGRAM = Path(sys.executable).with_name("oddville")
AGENT = "def first(observation, mask):\n    return int(mask.argmax())\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with an agent, and with modules that shadow others."""
    monkeypatch.chdir(tmp_path)
    write_shadows(tmp_path)
    Path("mine.py").write_text(AGENT)


def program(*words: object) -> str:
    if not PROGRAM.exists():
        pytest.skip("the program is not installed")
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=500, check=False)
    assert not ran(Path())
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("needed", "words"), [
    ("polars", "tournament ./mine.py:first mine:first --blocks 1 --workers 2 --out cup"),
    ("torch", "imitate random --games 1 --workers 2 --out data"),
    ("numba", "simulate --agents mine:first,random --games 1"),
])  # fmt: skip
def test_processes_import_from_the_current_folder_only_named_modules(needed: str, words: str) -> None:
    pytest.importorskip(needed)
    program(*words.split())


def test_process_that_is_measured_is_not_given_modules_of_the_current_folder() -> None:
    from oddville_env.cli.commands.bench import _process

    _process("import struct, tempfile")
    assert not ran(Path())


def test_environment_is_unchanged_when_a_library_has_started_its_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    from oddville_env.core.system.processes import VARIABLE, safe_path

    for before in ("", "0", None):
        if before is not None:
            monkeypatch.setenv(VARIABLE, before)
        else:
            monkeypatch.delenv(VARIABLE, raising=False)
        with safe_path():
            assert os.environ[VARIABLE] == "1"
        assert os.environ.get(VARIABLE) == before


# Threads


def test_each_part_is_done_once_by_a_thread_of_its_own() -> None:
    done: dict[tuple[int, int], int] = {}
    together = threading.Barrier(3)

    def work(low: int, high: int) -> None:
        together.wait(60)  # passes only if all three are at work
        done[low, high] = threading.get_ident()

    in_parts(work, [0, 4, 8, 10])
    assert (sorted(done), len(set(done.values()))) == ([(0, 4), (4, 8), (8, 10)], 3)
    assert done[0, 4] == threading.get_ident()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_errors_of_a_part_are_raised_after_all_parts_have_ended(error: type[BaseException]) -> None:
    ended = []

    def work(low: int, high: int) -> None:
        if low:
            ended.append(low)
        raise error(f"part {low}")

    with pytest.raises(error, match="part 0"):
        in_parts(work, [0, 1, 2, 3])
    assert sorted(ended) == [1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_forked_processes_start_threads_of_their_own() -> None:
    in_parts(lambda low, high: None, [0, 1, 2])
    child = os.fork()
    if child == 0:
        done: list[int] = []
        in_parts(lambda low, high: done.append(low), [0, 1, 2])
        os._exit(0 if sorted(done) == [0, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0
