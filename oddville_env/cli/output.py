"""Outputs: files, standard output (`-`) and the terminal."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from rich.console import Console

from oddville_env.core.disk.files import STANDARD_OUTPUT, atomic_write, check_writable
from oddville_env.core.errors import SettingError
from oddville_env.core.system.progress import error_console

BY_NAME = "/dev/stdout"


def terminal(*outs: Path | None, err: bool = False) -> Console:
    """The console for messages: standard error where a file is standard output. Markup is off."""
    if err or any(is_standard_output(out) for out in outs):
        return error_console()
    return Console(markup=False, emoji=False, highlight=False)


def is_standard_output(path: Path | None) -> bool:
    """Whether the file is standard output."""
    return path is not None and str(path) in (STANDARD_OUTPUT, BY_NAME)


def check_out(*paths: Path | None) -> None:
    """Raises OSError for a file that cannot be written; creates nothing."""
    for path in paths:
        if path is not None and not is_standard_output(path):
            check_writable(path, streams=True)


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


def write_json(path: Path, value: Any) -> None:
    """Write plain values as JSON."""
    with out_file(path) as file:
        json.dump(value, file, indent=1)
        file.write("\n")
