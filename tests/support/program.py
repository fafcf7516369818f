"""How a run of the program ended, and what runs it."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest


class Said(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Said]


def runner(name: str, main: Callable[[], None], patch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[str]) -> Run:
    """A program by its name and what it runs; the words are those behind its name."""

    def said(*words: object) -> Said:
        patch.setattr(sys, "argv", [name, *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        return Said(code, *captured.readouterr())

    return said


def works(said: Said) -> Said:
    """It ended well; what it said."""
    assert said.code == 0, said.err
    return said


def fails(said: Said, sentence: str, code: int = 1) -> None:
    """It ended with one sentence about what was wrong."""
    assert said.code == code
    assert sentence in said.err.replace("\n", " ")
    assert "Traceback" not in said.out + said.err
    if code == 1:
        lines = [line for line in said.err.splitlines() if line.strip() and not line.startswith("compiling, once")]
        assert len(lines) == 1, said.err


def left(folder: Path) -> set[str]:
    """All names in a folder, hidden ones too."""
    return {path.name for path in folder.rglob("*")}
