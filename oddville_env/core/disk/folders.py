"""Folders of files that are written atomically."""

import errno
from collections.abc import Mapping
from pathlib import Path

from oddville_env.core.disk.files import atomic_write, folder_for_now, remove_unfinished


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder that is new or empty; raises OSError for any other folder.

    Some of the files may be there already with the same content, from a process that was killed between two files.
    """
    with folder_for_now(folder):
        for name in files:
            remove_unfinished(folder, name)
        there = list(folder.iterdir())
        if len(there) == len(files) or not all(_holds(path, files.get(path.name)) for path in there):
            raise OSError(errno.ENOTEMPTY, "it is not empty, expected a new folder", str(folder))
        for name, content in files.items():
            with atomic_write(folder / name, "wb") as file:
                file.write(content)


def _holds(path: Path, content: bytes | None) -> bool:
    """It is a file that holds this."""
    same_size = content is not None and path.is_file() and path.stat().st_size == len(content)
    return same_size and path.read_bytes() == content
