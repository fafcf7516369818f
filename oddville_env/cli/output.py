"""Places for results: files, standard output (`-`), and the terminal."""

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

BY_NAME = "/dev/stdout"  # what the system calls it


def terminal(*outs: Path | None, err: bool = False) -> Console:
    """The console for people: standard error where one of the files is standard output. Nothing is read as markup."""
    if err or any(is_standard_output(out) for out in outs):
        return error_console()
    return Console(markup=False, emoji=False, highlight=False)


def is_standard_output(path: Path | None) -> bool:
    """The file is standard output."""
    return path is not None and str(path) in (STANDARD_OUTPUT, BY_NAME)


def check_out(*paths: Path | None) -> None:
    """Raises OSError where one of the files could not be written; makes nothing."""
    for path in paths:
        if path is not None and not is_standard_output(path):
            check_writable(path, streams=True)


@contextmanager
def out_file(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write into, whole or not at all; `-` is standard output."""
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
