"""Compiling is told where it happens, and can be done ahead."""

import gc
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from llvmlite.binding import ffi
from numba.core import event
from numba.core.errors import TypingError
from rich.console import Console
from rich.progress import track

from oddville_env.core.compiled import cache as kernel_cache
from oddville_env.core.compiled import jit
from oddville_env.core.compiled import jit as compiling
from oddville_env.core.compiled.dispatcher import Compiled
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.system import progress

COUNTED = """
import sys
from numba.core import event
from oddville_env.cli.main import main

class Counter(event.Listener):
    compiled = []
    def on_start(self, event):
        self.compiled.append(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event):
        pass

event.register("numba:compile", Counter())
for words in sys.argv[1:]:
    sys.argv[1:] = words.split()
    try:
        main()
    except SystemExit as end:
        assert not end.code, words
print("compiled", Counter.compiled)
"""


def doubled(number: Any) -> Any:
    return number + number


def quadrupled(number: Any) -> Any:
    return 4 * number


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "folders", lambda: [tmp_path / "kernels"])


def compile_two() -> None:
    with progress.show_compiling():
        assert (kernel(doubled)(2), kernel(quadrupled)(2)) == (4, 8)


def terminal(monkeypatch: pytest.MonkeyPatch) -> Console:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(progress, "error_console", lambda: console)
    return console


def shown(console: Console) -> str:
    return console.file.getvalue()


def test_compiling_leaves_collections_and_events_of_numba_as_they_were() -> None:
    before, during = (gc.get_threshold(), list(ffi.lib._lock._cblist)), []

    def note_settings(number: Any) -> Any:
        return number

    class Listener(event.Listener):
        def on_start(self, event: event.Event) -> None:
            during.append((gc.get_threshold(), list(ffi.lib._lock._cblist)))

        def on_end(self, event: event.Event) -> None:
            """The end tells nothing more."""

    with event.install_listener("numba:compile", Listener()):
        assert kernel(note_settings)(3) == 3
        with pytest.raises(TypingError):
            kernel(note_settings)(object())
    assert during
    assert all(threshold > before[0][0] and not callbacks for (threshold, *_), callbacks in during)
    assert (gc.get_threshold(), list(ffi.lib._lock._cblist)) == before


def test_in_a_file_compiling_is_reported_once_and_cached_kernels_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    compile_two()
    assert capsys.readouterr().err == "compiling, once: this takes up to a minute\n"
    assert jit.NOTICE.is_printed  # it takes the place of the library's notice
    compile_two()
    assert capsys.readouterr().err == ""


def test_in_a_terminal_compiling_is_a_line_that_moves_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    console = terminal(monkeypatch)
    compile_two()
    told = shown(console)
    assert told.index("compiling, once: function 1") < told.index("compiling, once: function 2")
    assert told.endswith("\x1b[2K")  # the line is empty again


def test_compiling_is_reported_below_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    console = terminal(monkeypatch)
    for _ in track(range(1), "playing", console=console):
        compile_two()
    assert "playing" in shown(console)
    assert "compiling, once: function 2" in shown(console)


def test_long_compiling_is_told_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    notice, clock = compiling.CompilingNotice(Compiled), [0.0]
    monkeypatch.setattr(compiling.time, "monotonic", lambda: clock[0])

    def compile_for(seconds: float, dispatcher: Any) -> str:
        happening = event.Event(compiling.EVENT, event.EventStatus.START, {"dispatcher": dispatcher})
        notice.on_start(happening)
        clock[0] += seconds
        notice.on_end(happening)
        return capsys.readouterr().err

    ours = kernel(doubled)
    assert (compile_for(100.0, "somebody else's"), compile_for(1.5, ours)) == ("", "")
    assert compile_for(1.5, ours) == "oddville_env: compiling, once: this takes up to a minute\n"
    assert compile_for(100.0, ours) == ""


@pytest.mark.slow
def test_after_warm_nothing_is_compiled(tmp_path: Path) -> None:
    def compiled(*commands: str) -> str:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-c", COUNTED, *commands]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.splitlines()[-1]

    compiled("warm")
    commands = (
        "warm",
        "simulate --agents greedy,search:sims=20,random --games 1 --out games.jsonl",
        "analyse games.jsonl --move 20 --agent champion",
        "evaluate greedy --against random --games 4",
        "train --folder trained --steps 600 --envs 8 --against greedy",
        "perft --depth 2",
        "bench --quick",
    )
    assert compiled(*commands) == "compiled []"
