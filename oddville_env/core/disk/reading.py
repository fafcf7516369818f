"""Reads of bounded size: whole files, lines of records, JSON and TOML. Malformed input is a clear error."""

import errno
import gzip
import json
import os
import stat
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import lru_cache, wraps
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from oddville_env.core.disk.files import open_file, write_whole
from oddville_env.core.errors import GameError, shown, shown_path

MEGABYTE = 1 << 20
LARGEST_TEXT = 16 * MEGABYTE
"""Of a file of JSON or TOML that is read as a whole."""
LONGEST_LINE = 16 * MEGABYTE  # characters
MOST_HELD = 256 * MEGABYTE  # of memory, for all lines of a file
KEPT = 256  # files whose contents are cached
Found = TypeVar("Found")


def read_whole(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """Return the content of a regular file of at most `most` bytes; raises OSError for any other file, unread."""
    at_once = getattr(os, "O_NONBLOCK", 0)  # opens a pipe without a writer too
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | at_once)) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        if about.st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most // MEGABYTE} MB, the most for such a file", str(path))
        return file.read(about.st_size)


def numbered_lines(path: Path, error: type[GameError]) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, text) of every line that is not empty, of a plain or `.gz` text.

    Lines are read one by one, as a small compressed file may hold more than the memory. Raises `error` if the file
    cannot be read to its end or a line is too long, and OSError if it cannot be opened.
    """
    try:
        with open_file(path, "r") as file:
            for number in count(1):
                line = file.readline(LONGEST_LINE + 1)
                if len(line) > LONGEST_LINE:
                    raise error(f"{shown_path(path)}, line {number} is longer than {LONGEST_LINE:,} characters")
                if not line:
                    break
                if line.strip():
                    yield number, line
    except (EOFError, UnicodeError, zlib.error, gzip.BadGzipFile) as reason:
        cut = f"it cannot be read to the end ({reason}): it may have been cut off"
        raise error(f"{shown_path(path)}: {cut}") from None


def all_lines(path: Path, error: type[GameError]) -> list[tuple[int, str]]:
    """Return the same in a list; raises `error` also if the lines take more than MOST_HELD."""
    held, lines = 0, []
    for number, line in numbered_lines(path, error):
        held += sys.getsizeof(line) + 100  # what a line takes beside its text
        if held > MOST_HELD:
            raise error(f"{shown_path(path)}: it holds more than {MOST_HELD // MEGABYTE} MB: split it")
        lines.append((number, line))
    return lines


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; raises ValueError for any other text, and for a field that stands twice."""
    try:
        return json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("its values are nested too deeply") from None


def _once_each(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(fields)
    if len(found) < len(fields):
        name, _ = Counter(name for name, _ in fields).most_common(1)[0]
        raise ValueError(f"field {shown(name)} appears more than once")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def read_json(path: Path, what: str, error: type[GameError]) -> Any:
    """Return the value of a JSON file; raises `error`, which says that `what` was expected."""
    name = shown_path(path)
    try:
        return parse_json(read_whole(path))
    except FileNotFoundError:
        raise error(f"there is no file {name}, expected {what}") from None
    except OSError as found:
        raise error(f"{name} cannot be read ({found.strerror}), expected {what}") from None
    except ValueError as found:
        raise error(f"{name} is not JSON ({found}), expected {what}") from None


def read_toml(path: Path, what: str, error: type[GameError]) -> dict[str, Any]:
    """Return the fields of a TOML file; raises `error`, which says that `what` was expected."""
    try:
        return tomllib.loads(read_whole(path).decode())
    except OSError as found:
        raise error(f"{path} cannot be read ({found.strerror}), expected a TOML file with {what}") from None
    except (ValueError, RecursionError) as found:
        raise error(f"{path} is not a TOML file ({found})") from None


class JsonFormat(NamedTuple):
    """A kind of JSON files, which have its name and version in the fields `format` and `version`."""

    name: str
    version: int
    what: str
    """The content of such a file in a few words, for messages."""
    error: type[GameError]
    """The error that is raised for a file of another kind."""

    def read(self, path: Path) -> dict[str, Any]:
        """Return the other fields of such a file."""
        name, plain = shown_path(path), read_json(path, f"the {self.what}", self.error)
        fields = (plain.pop("format", None), plain.pop("version", None)) if isinstance(plain, dict) else None
        if fields != (self.name, self.version):
            raise self.error(f"{name} holds no {self.what}, expected format {self.name!r}, version {self.version}")
        return dict(plain)

    def write(self, path: Path, plain: Mapping[str, Any]) -> None:
        """Write such a file, whole or not at all."""
        write_whole(path, self.text(plain))

    def text(self, plain: Mapping[str, Any], indent: int | None = 1) -> str:
        """Return the text of such a file; without an indent it is one line, which is written much faster."""
        return json.dumps({"format": self.name, "version": self.version, **plain}, indent=indent) + "\n"


def kept_by_file(read: Callable[[Path], Found]) -> Callable[[Path], Found]:
    """Cache a function of a file or folder; it is called again when a file has changed."""
    kept = lru_cache(maxsize=KEPT)(lambda path, stamp: read(path))

    @wraps(read)
    def read_or_kept(path: Path) -> Found:
        return kept(path, _stamp(path))

    return read_or_kept


def _stamp(path: Path) -> Hashable:
    """The identity, size and time of change of a file, or of a folder's files."""
    try:
        files = [path, *sorted(path.iterdir())] if path.is_dir() else [path]
        states = [each.stat() for each in files]
        return tuple((f, s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns) for f, s in zip(files, states, strict=True))
    except OSError:
        return None
