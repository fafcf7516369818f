"""The program in unusual terminals, and without what Python lacks on Windows."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from oddville_env.core.disk.files import unfinished_name
from support import forked
from support.helpers import random_game


@pytest.fixture
def games(tmp_path: Path) -> Path:
    (tmp_path / "g.jsonl").write_text(json.dumps(random_game(2, 1, moves=12).record()) + "\n")
    return tmp_path


def ended(folder: Path, words: str, redirect: str = "", **environment: str) -> tuple[int, str]:
    line = f'"{sys.executable}" -m oddville_env {words} {redirect}'
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, errors="replace",
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


def test_program_runs_in_any_terminal(games: Path) -> None:
    for environment in (
        {"COLUMNS": "0", "LINES": "0"},
        {"TERM": "dumb", "NO_COLOR": "1", "LC_ALL": "C", "COLUMNS": "1"},
        {"HOME": "/gone", "TMPDIR": "/gone"},
    ):
        assert ended(games, "play --terminal --seats human,random --seed 1", **environment)[0] == 0, environment


@pytest.mark.parametrize(("words", "redirect", "code", "sentence"), [
    ("simulate --agents random,random --games 1 --out -", ">&-", 1, "standard output is closed"),
    ("tables rules", ">/dev/full", 1, "No space left on device"),
    ("replay g.jsonl --positions", "| head -1", 0, '{"position": '),
    ("verify g.jsonl", ">&-", 0, ""),
])  # fmt: skip
def test_unwritable_output_is_reported(games: Path, words: str, redirect: str, code: int, sentence: str) -> None:
    found = ended(games, words, redirect)
    assert found[0] == code
    assert sentence in found[1]


WINDOWS = """
import sys
import asyncio, concurrent.futures.process, multiprocessing.popen_spawn_posix, multiprocessing.resource_tracker
import multiprocessing.connection, multiprocessing.queues, multiprocessing.spawn, multiprocessing.synchronize
import os, platform, shutil, signal, socket, ssl, subprocess, tempfile, types
import filelock, gymnasium, numba, numpy, pettingzoo, rich.console, rich.live, rich.progress, typer.main
if __name__ == "__main__":  # workers need none of these
    for library in {libraries!r}:
        __import__(library)

# How Python itself starts and ends processes here is left as it is.
kept = {{each.__name__: types.SimpleNamespace(**vars(each)) for each in (os, signal, sys)}}
for name, module in list(sys.modules.items()):
    if name.startswith(("multiprocessing", "concurrent", "subprocess", "tempfile", "shutil")):
        for each in kept.keys() & vars(module).keys():
            setattr(module, each, kept[each])

for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in (
    "chown", "fork", "forkpty", "getuid", "geteuid", "getgid", "killpg", "mkfifo", "mknod", "nice", "sched_getaffinity",
    "sched_setaffinity", "setsid", "uname", "wait",
):
    delattr(os, name)
for name in ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2"):
    delattr(signal, name)

def no_kill(process, how):
    raise SystemError("os.kill ends the process on Windows, or sends it Ctrl-C")

def open_no_folder(path, *words, _open=os.open, **more):
    if isinstance(path, (str, os.PathLike)) and os.path.isdir(path):
        raise PermissionError(13, "Windows opens no folder", str(path))
    return _open(path, *words, **more)

os.kill, os.open = no_kill, open_no_folder
sys.platform = "win32"
os.environ["COLUMNS"] = "200"

if __name__ == "__main__":
    from oddville_env.cli.main import main
    main()
"""
FEW = ("games", "search_games", "value_games")  # of the plan
TOURNAMENT = ("polars", "matplotlib.figure", "jinja2")
TRAIN = ("torch", "torch.utils.tensorboard", "safetensors.numpy", "scipy.optimize", "sb3_contrib", "matplotlib.axes")


def said(folder: Path, *words: str, libraries: tuple[str, ...] = ()) -> forked.Done:
    """The output of the program, run without what Windows lacks."""
    (folder / "windows.py").write_text(WINDOWS.format(libraries=libraries))
    return forked.run(folder / "windows.py", *words, folder=folder)


PLAN = """
players = [2]
rounds = 1
search_rounds = 0
value_rounds = 0
warm_games = [21]
sims = 2
batch = 64
evaluation = 12
"""


@pytest.mark.parametrize(("words", "libraries"), [
    ("simulate --agents random,greedy --games 2 --out a.jsonl", ()),
    ("evaluate greedy --against random --games 2 --json a.json", ()),
    ("tournament greedy random --blocks 4 --workers 2 --moves --out cup", TOURNAMENT),
    ("imitate random --games 2 --workers 2 --out data", TRAIN),
    ("selfplay --config plan.toml --workers 2 --folder run", TRAIN),
], ids=lambda each: each.split()[0] if isinstance(each, str) else "")  # fmt: skip
def test_commands_run_on_windows(tmp_path: Path, words: str, libraries: tuple[str, ...]) -> None:
    pytest.importorskip((*libraries, "numba")[0])
    out = tmp_path / words.split()[-1]
    if out.suffix:
        out.write_text("an earlier file")
        unfinished_name(out, 99999999).write_text("another process has begun this")
    (tmp_path / "plan.toml").write_text(PLAN + "".join(f"{name} = [2]\n" for name in FEW))
    done = said(tmp_path, *words.split(), libraries=libraries)
    assert done.returncode == 0, done.stderr
    assert not out.suffix or "earlier" not in out.read_text()


def test_agent_with_code_of_its_own_is_refused_in_a_tournament_on_windows(tmp_path: Path) -> None:
    pytest.importorskip("polars", reason="the extra tournament is not installed")
    (tmp_path / "mine.py").write_text("def first(observation, mask):\n    return int(mask.argmax())\n")
    words = "tournament ./mine.py:first random --blocks 1 --out cup"
    done = said(tmp_path, *words.split(), libraries=TOURNAMENT)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: agent './mine.py:first' runs its own code")
