"""Outputs: files, standard output (`-`), the terminal and the table as text."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import track

from oddville_env.core.disk.files import STANDARD_OUTPUT, atomic_write, check_writable
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.progress import error_console


def terminal(*outs: Path | None, err: bool = False) -> Console:
    """The console for messages: standard error where a file is standard output. Markup is off."""
    if err or any(is_standard_output(out) for out in outs):
        return error_console()
    return Console(markup=False, emoji=False, highlight=False)


def shown_progress(work: Iterable[Any], what: str, total: int | None = None) -> Iterable[Any]:
    """The work, with a bar on standard error that disappears at the end."""
    return track(work, what, total, console=error_console(), transient=True)


def is_standard_output(path: Path | None) -> bool:
    """Whether the file is standard output."""
    return path is not None and str(path) in (STANDARD_OUTPUT, "/dev/stdout")


def check_out(path: Path | None) -> Path | None:
    """Return a path; raises OSError for a file that cannot be written. Creates nothing."""
    if path is not None and not is_standard_output(path):
        check_writable(path, streams=True)
    return path


@contextmanager
def out_file(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file that is written atomically; `-` is standard output."""
    if is_standard_output(path):
        if sys.stdout is None:
            raise SettingError("standard output is closed: name a file in place of -")
        yield sys.stdout.buffer if "b" in mode else sys.stdout
        sys.stdout.flush()
    else:
        with atomic_write(path, mode, streams=True) as file:
            yield file


def write_out(path: Path, content: str | bytes) -> None:
    """Write a text or bytes; `-` is standard output."""
    with out_file(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)


def write_json(path: Path | None, value: Any) -> None:
    """Write plain values as JSON, if a file is asked for."""
    if path is not None:
        write_out(path, f"{json.dumps(value, indent=1)}\n")


class Screen:
    """Shows positions: a terminal is cleared before each, other outputs get one below the other."""

    def __init__(self, game_type: GameType, console: Console) -> None:
        self._draw, self._console = game_type.draw_text, console

    def show(self, position: Mapping[str, Any], box: Any, said: str, room: int = 0) -> None:
        """Show a position and a message below it, with room for `room` more lines."""
        if self._console.is_terminal:
            columns, lines = self._console.size
            self._console.clear()
            below = 2 + room  # the message and the line of the cursor
            self._console.print(self._draw(position, box, (columns, max(lines - below, 1))), end="", soft_wrap=True)
            self._console.print(said[:columns], soft_wrap=True)
        else:
            self._console.print(self._draw(position, box), soft_wrap=True)
            self._console.print(said, soft_wrap=True)
