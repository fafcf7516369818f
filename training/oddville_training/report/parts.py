"""The parts of a report, whatever it is written as."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ReportTable:
    """A table; the first column is text, the others are figures."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    caption: str
    words: bool = False  # all columns are text


@dataclass(frozen=True)
class Picture:
    """A picture: its file's name without the ending, and what one sees in it."""

    title: str
    name: str
    svg: str
    caption: str


@dataclass(frozen=True)
class Chapter:
    """All about one number of players."""

    title: str
    summary: str
    parts: list[ReportTable | Picture]


@dataclass(frozen=True)
class Report:
    """Everything that the templates show; facts: what the run was, name -> value."""

    title: str
    facts: dict[str, str]
    agents: ReportTable | None
    chapters: list[Chapter]
