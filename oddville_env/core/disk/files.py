"""Files written whole: under a temporary name first, then renamed, so that nobody meets half a file.

Both are seen safely on the disk, so that this holds after a power failure too. What is there already stays what it is:
a link keeps leading to its target, which is what is written; a device or a pipe is written to and never replaced; a
file keeps its owner and its permissions. Only other hard links to a file keep what it held before.
"""

import errno
import gzip
import json
import os
import stat
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import IO, Any, NamedTuple, cast

from oddville_env.core.errors import GameError, shown, shown_path

MEGABYTE = 1 << 20
LARGEST_TEXT = 16 * MEGABYTE
"""Of a file of JSON or TOML that is read as a whole."""
LONGEST_LINE = 16 * MEGABYTE  # characters
MOST_HELD = 256 * MEGABYTE  # of memory, for all lines of a file
OF_A_LINE = 100  # bytes that a line takes beside its text

STANDARD_OUTPUT = "-"
PARTS = "parts"  # before the process, in the name of a folder


@contextmanager
def written_whole(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write into, which takes its name when the block ends, and is forgotten when it fails.

    Text in a file called `.gz` is packed; bytes are written as they are.
    """
    place, there, packed = *_place(path), path.suffix == ".gz"
    if _is_stream(there):
        with _open(path, mode, packed) as file:
            yield file
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    remove_unfinished(place)
    unfinished = _unfinished(place)
    try:
        if there is not None:
            _make_like(unfinished, there)
        with _open(unfinished, mode, packed) as file:
            yield file
        with unfinished.open("ab") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, place)
        sync_names(place.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _place(path: Path) -> tuple[Path, os.stat_result | None]:
    """The path of a file behind all links, and what lies there already.

    Raises OSError where no file can be or where it may not be written.
    """
    if str(path) == STANDARD_OUTPUT:
        raise OSError(errno.EINVAL, "this is not written to standard output", STANDARD_OUTPUT)
    try:
        there = path.stat()
    except FileNotFoundError:
        there = None
    if not path.name or (there is not None and stat.S_ISDIR(there.st_mode)):
        raise _refused(errno.EISDIR, path)
    if there is not None and not os.access(path, os.W_OK):
        raise _refused(errno.EACCES, path)
    return Path(os.path.realpath(path)) if path.is_symlink() else path, there


def _refused(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def _is_stream(there: os.stat_result | None) -> bool:
    """It is no file that could be replaced by another: a device, a pipe."""
    return there is not None and not stat.S_ISREG(there.st_mode)


def _make_like(path: Path, other: os.stat_result) -> None:
    """Make an empty file with the owner, where the system lets us, and the permissions of another one."""
    path.touch(0o600)
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, other.st_uid, other.st_gid)
    path.chmod(stat.S_IMODE(other.st_mode))


def sync_names(folder: Path) -> None:
    """See the names of a folder's files safely on the disk, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def folder_of_parts(path: Path) -> Iterator[Path]:
    """A folder beside a file, for what it is put together from: it is gone after the block.

    What processes that are gone left of theirs goes too.
    """
    remove_unfinished(path)
    folder = _unfinished(path.with_name(f"{path.name}.{PARTS}"))
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


def _unfinished(path: Path) -> Path:
    """The name of a file while this process writes it."""
    return path.with_name(f".{path.name}.{os.getpid()}")


def remove_unfinished(path: Path) -> None:
    """Remove what processes that are gone began to write of a file."""
    _remove_unfinished(path.parent.glob(f".{escape(path.name)}.*"))


def remove_all_unfinished(folder: Path) -> None:
    """Remove what processes that are gone began to write anywhere in a folder that is the caller's own."""
    _remove_unfinished(folder.rglob(".*.*"))


def _remove_unfinished(paths: Iterable[Path]) -> None:
    for path in list(paths):
        *_, kind, process = path.name.split(".")
        if not process.isdecimal() or _is_alive(int(process)):
            continue
        if kind == PARTS:
            rmtree(path, ignore_errors=True)
        elif not path.is_dir():
            path.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    """A process of this number runs, whoever started it; or nobody can tell, as on Windows."""
    if sys.platform == "win32":  # where `os.kill` would end it, or send it Ctrl-C
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def check_writable(path: Path) -> None:
    """Raises OSError where no file can have this name; what is made to find out is taken away again."""
    place, there = _place(path)
    if _is_stream(there):
        return
    with folder_for_now(place.parent):
        remove_unfinished(place)
        unfinished = _unfinished(place)
        try:
            unfinished.touch()
        finally:
            unfinished.unlink(missing_ok=True)


def check_folder(folder: Path) -> None:
    """Raises OSError for a folder that somebody who wrote `-` meant as standard output, or one in it."""
    if folder.parts[:1] == (STANDARD_OUTPUT,):
        raise OSError(errno.EINVAL, "a folder is not written to standard output", STANDARD_OUTPUT)


@contextmanager
def folder_for_now(folder: Path) -> Iterator[None]:
    """A folder is there; what was made for that is gone after the block if nothing came into it."""
    check_folder(folder)
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for each in missing:
            with suppress(OSError):
                each.rmdir()


def read_whole(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """All of a regular file of at most so many bytes; raises OSError for any other, before a byte of it is read.

    A pipe in a stranger's folder would be waited for, a device would never end.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        if about.st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most // MEGABYTE} MB, the most for such a file", str(path))
        return file.read(about.st_size)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file, a pipe too that nobody writes into."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def numbered_lines(path: Path, error: type[GameError]) -> Iterator[tuple[int, str]]:
    """(number from 1, text) of every line of a text, packed with gzip or not, that is not empty.

    One line after the other is read, as a small packed file may hold more than there is memory. Raises the error where
    the file cannot be read or a line has no end, and OSError.
    """
    try:
        with _open(path, "r", packed=path.suffix == ".gz") as file:
            for number in count(1):
                line = file.readline(LONGEST_LINE + 1)
                if len(line) > LONGEST_LINE:
                    raise error(f"{shown_path(path)}, line {number} is longer than {LONGEST_LINE:,} characters")
                if not line:
                    break
                if line.strip():
                    yield number, line
    except (EOFError, UnicodeError, zlib.error, gzip.BadGzipFile) as reason:
        cut = f"it cannot be read to its end ({reason}): it may have been cut off"
        raise error(f"{shown_path(path)}: {cut}") from None


def all_lines(path: Path, error: type[GameError]) -> list[tuple[int, str]]:
    """The same, all in memory; raises the error also where they take more than there may be."""
    held, lines = 0, []
    for number, line in numbered_lines(path, error):
        held += sys.getsizeof(line) + OF_A_LINE
        if held > MOST_HELD:
            raise error(f"{shown_path(path)}: it holds more than {MOST_HELD // MEGABYTE} MB, give it in parts")
        lines.append((number, line))
    return lines


def _open(path: Path, mode: str, packed: bool) -> IO[Any]:
    try:
        if "b" in mode:
            return path.open(mode)
        if packed:
            return cast(IO[Any], gzip.open(path, f"{mode}t", encoding="utf-8"))
        return path.open(mode, encoding="utf-8")
    except ValueError as error:  # of a name that no file can have
        raise OSError(errno.EINVAL, str(error), str(path)) from None


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; raises ValueError where it is none, or where a field stands more than once."""
    try:
        return json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("its values lie too deep in each other") from None


def _once_each(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(fields)
    if len(found) < len(fields):
        name, _ = Counter(name for name, _ in fields).most_common(1)[0]
        raise ValueError(f"field {shown(name)} stands more than once")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def read_json(path: Path, what: str, error: type[GameError]) -> Any:
    """The value of a file of JSON; raises the error, which tells that it should hold `what`."""
    name = shown_path(path)
    try:
        return parse_json(read_whole(path))
    except FileNotFoundError:
        raise error(f"there is no file {name}, expected {what}") from None
    except OSError as found:
        raise error(f"{name} cannot be read ({found.strerror}), expected {what}") from None
    except ValueError as found:
        raise error(f"{name} is no JSON ({found}), expected {what}") from None


def read_toml(path: Path, what: str, error: type[GameError]) -> dict[str, Any]:
    """The fields of a TOML file; raises the error, which tells that it should hold `what`."""
    try:
        return tomllib.loads(read_whole(path).decode())
    except OSError as found:
        raise error(f"{path} cannot be read ({found.strerror}), expected a TOML file with {what}") from None
    except (ValueError, RecursionError) as found:
        raise error(f"{path} is no TOML file ({found})") from None


class JsonFormat(NamedTuple):
    """A kind of JSON files, whose fields `format` and `version` say that they are of it."""

    name: str
    version: int
    what: str
    """A few words for such a file's content, for messages."""
    error: type[GameError]
    """The class of the error that is raised for a file that is none."""

    def read(self, path: Path) -> dict[str, Any]:
        """The fields of such a file beside the two."""
        name, plain = shown_path(path), read_json(path, f"the {self.what}", self.error)
        fields = (plain.pop("format", None), plain.pop("version", None)) if isinstance(plain, dict) else None
        if fields != (self.name, self.version):
            raise self.error(f"{name} holds no {self.what}, expected format {self.name!r}, version {self.version}")
        return dict(plain)

    def write(self, path: Path, plain: Mapping[str, Any]) -> None:
        """Write such a file, whole or not at all."""
        with written_whole(path) as file:
            file.write(self.text(plain))

    def text(self, plain: Mapping[str, Any], indent: int | None = 1) -> str:
        """The text of such a file; without an indent on one line, which is written much faster."""
        return json.dumps({"format": self.name, "version": self.version, **plain}, indent=indent) + "\n"
