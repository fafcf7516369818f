"""Files written whole: under a temporary name first, then renamed, so that nobody meets half a file.

Both are seen safely on the disk, so that this holds after a power failure too.
"""

import errno
import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, NamedTuple, cast

from oddville_env.core.errors import OddVilleError, shown


@contextmanager
def written_whole(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write into, which takes its name when the block ends, and is forgotten when it fails.

    Text in a file called `.gz` is packed; bytes are written as they are.
    """
    _check_name(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_unfinished(path)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with _open(unfinished, mode, packed=path.suffix == ".gz") as file:
            yield file
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
        sync_names(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def sync_names(folder: Path) -> None:
    """See the names of a folder's files safely on the disk, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def remove_unfinished(path: Path) -> None:
    """Remove what processes that are gone began to write of a file."""
    for other in path.parent.glob(f".{escape(path.name)}.*"):
        process = other.name.removeprefix(f".{path.name}.")
        if process.isdecimal() and not _is_alive(int(process)):
            other.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    """A process of this number runs, whoever started it."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def check_writable(path: Path) -> None:
    """Raises OSError where no file can have this name; what is made to find out is taken away again."""
    _check_name(path)
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    finally:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()


def _check_name(path: Path) -> None:
    if path.is_dir() or not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """A text file to read, packed with gzip or not."""
    with _open(path, "r", packed=path.suffix == ".gz") as file:
        yield file


def _open(path: Path, mode: str, packed: bool) -> IO[Any]:
    if "b" in mode:
        return path.open(mode)
    if packed:
        return cast(IO[Any], gzip.open(path, f"{mode}t", encoding="utf-8"))
    return path.open(mode, encoding="utf-8")


def parse_json(text: str | bytes) -> Any:
    """What a JSON text says; raises ValueError where it is none, or where a field stands more than once."""
    return json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)


def _once_each(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(fields)
    if len(found) < len(fields):
        name, _ = Counter(name for name, _ in fields).most_common(1)[0]
        raise ValueError(f"field {shown(name)} stands more than once")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


class JsonFormat(NamedTuple):
    """A kind of JSON files, whose fields `format` and `version` say that they are of it."""

    name: str
    version: int
    what: str
    """What such a file holds, for messages."""
    error: type[OddVilleError]
    """What is raised for a file that is none."""

    def read(self, path: Path) -> dict[str, Any]:
        """What such a file says beside the two fields."""
        try:
            plain = parse_json(path.read_bytes())
        except FileNotFoundError:
            raise self.error(f"there is no file {path}, expected the {self.what}") from None
        except (OSError, ValueError, RecursionError) as error:
            raise self.error(f"{path} is no JSON ({error}), expected the {self.what}") from None
        fields = (plain.pop("format", None), plain.pop("version", None)) if isinstance(plain, dict) else None
        if fields != (self.name, self.version):
            raise self.error(f"{path} holds no {self.what}, expected format {self.name!r}, version {self.version}")
        return dict(plain)

    def write(self, path: Path, plain: Mapping[str, Any]) -> None:
        """Write such a file, whole or not at all."""
        with written_whole(path) as file:
            file.write(self.text(plain))

    def text(self, plain: Mapping[str, Any], indent: int | None = 1) -> str:
        """What such a file says; without an indent on one line, which is written much faster."""
        return json.dumps({"format": self.name, "version": self.version, **plain}, indent=indent) + "\n"
