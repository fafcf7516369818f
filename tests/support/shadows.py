"""Modules that are called as others are and note that they were run: in the current folder they are nobody's."""

from pathlib import Path

SHADOWS = ("struct", "signal", "selectors", "pickle", "random", "select", "logging", "queue", "tempfile", "polars")
NOTED = "ran"  # the file of their names


def cast_shadows(folder: Path) -> None:
    """Write them into a folder."""
    noted = folder / NOTED
    for name in SHADOWS:
        text = f"open({str(noted)!r}, 'a').write({name!r} + ' ')\nraise ImportError('not the one that was meant')\n"
        (folder / f"{name}.py").write_text(text)


def ran(folder: Path) -> str:
    """The names of those that were run."""
    noted = folder / NOTED
    return noted.read_text() if noted.exists() else ""
