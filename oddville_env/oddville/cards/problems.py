"""Problems of a card set with their places, and the one error that carries them all."""

from typing import NamedTuple

from oddville_env.core.errors import ProblemsError, shown


class Problem(NamedTuple):
    """A mistake in a table and where it stands.

    `file` is the table's file name (for a missing folder: the folder), `line` counts as a text editor does (the header
    is line 1), `column` is a column's name; both are None where they make no sense.
    """

    file: str
    line: int | None
    column: str | None
    text: str

    def __str__(self) -> str:
        """One sentence: `buildings.csv, line 7, column cost: unknown resource 'wod', expected ...`."""
        line = "" if self.line is None else f", line {self.line}"
        column = "" if self.column is None else f", column {self.column}"
        return f"{self.file}{line}{column}: {self.text}"


class CardError(ProblemsError):
    """A folder is no card set; `problems` holds every mistake found in it, table by table, in the order of lines."""

    problems: tuple[Problem, ...]


def quoted(text: str) -> str:
    """The text of a field as a message quotes it."""
    return shown(text) if text else "an empty field"
