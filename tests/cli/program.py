"""How a run of the program ended, and what runs it."""

import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest


class Said(NamedTuple):
    """How a run of the program ended."""

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
