"""A csv file as rows of checked fields, with every mistake in it and its place."""

import codecs
import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.disk.reading import read_whole
from oddville_env.core.errors import ProblemsError, shown


class Column(NamedTuple):
    """A kind of fields."""

    read: Callable[[str], Any]
    """The text of a field, without spaces around it -> its value; raises ValueError."""
    write: Callable[[Any], str] = str
    """A value -> its text."""


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


SEPARATORS = {";": "semicolons", "\t": "tabs"}


class Row(NamedTuple):
    """A line of a table: the values of its readable fields by column."""

    line: int
    values: Mapping[str, Any]


class SheetForm(NamedTuple):
    """The form of a file: its columns, of which the first one names the row, and what the rows must be."""

    file: str
    columns: Mapping[str, Column]
    checks: tuple[Callable[["Sheet"], None], ...]
    prefix: str = ""
    """The beginning of the names that the columns have in a card set."""

    @property
    def key(self) -> str:
        """The column that names the row."""
        return next(iter(self.columns))


class Sheet:
    """A table as it was read: `rows` and `problems`; without problems every row has a value in every column."""

    def __init__(self, folder: Path, table: SheetForm) -> None:
        """Read the table's file in the folder; every fault becomes a problem, never an error."""
        self.table = table
        self.rows: list[Row] = []
        self.problems: list[Problem] = []
        try:
            (line, header), *body = read_lines(folder / table.file)
            names = self._columns(line, header)
        except CardError as error:
            self.problems.extend(error.problems)
            return
        self.rows = [self._row(line, names, fields) for line, fields in body]
        for check in table.checks:
            check(self)
        self.problems.sort(key=lambda problem: math.inf if problem.line is None else problem.line)

    def blame(self, line: int | None, column: str | None, text: str) -> None:
        """Note a problem of this table."""
        self.problems.append(Problem(self.table.file, line, column, text))

    def column(self, name: str) -> list[Any]:
        """The values of a column in the order of the first one; only for a sheet without problems."""
        return [row.values[name] for row in sorted(self.rows, key=lambda row: row.values[self.table.key])]

    def _columns(self, line: int, header: list[str]) -> list[str]:
        names = [name.lower() for name in header]
        expected = f"expected the columns {', '.join(self.table.columns)}"
        if not set(names) & set(self.table.columns):
            separator = next((name for mark, name in SEPARATORS.items() if mark in header[0]), None)
            found = f"separated by commas, found {separator}" if separator else f"found {quoted(', '.join(header))}"
            raise CardError([Problem(self.table.file, line, None, f"{expected}, {found}")])
        for name in self.table.columns:
            if name not in names:
                self.blame(line, name, "this column is missing")
            if names.count(name) > 1:
                self.blame(line, name, "this column appears more than once")
        for name in names:
            if name not in self.table.columns:
                self.blame(line, None, f"{expected}, found {quoted(name)}")
        return names

    def _row(self, line: int, names: list[str], fields: list[str]) -> Row:
        if len(fields) != len(names):
            self.blame(line, None, f"expected {len(names)} fields as in the header, found {len(fields)}")
            return Row(line, {})
        values = {}
        for name, text in zip(names, fields, strict=True):
            if name in self.table.columns:
                try:
                    values[name] = self.table.columns[name].read(text)
                except ValueError as error:
                    self.blame(line, name, str(error))
        return Row(line, values)


def read_lines(path: Path) -> list[tuple[int, list[str]]]:
    """The lines of a csv file that are not blank, each with its number and its trimmed fields.

    Raises CardError where the file cannot be read as csv or has no such line.
    """
    try:
        data = read_whole(path).removeprefix(codecs.BOM_UTF8)
        text = data.decode()
    except FileNotFoundError:
        raise CardError([Problem(path.name, None, None, "this file is missing")]) from None
    except OSError as error:
        raise CardError([Problem(path.name, None, None, f"this file cannot be read: {error.strerror}")]) from None
    except UnicodeDecodeError as error:
        line = len((data[: error.start] + b"?").splitlines())
        raise CardError([Problem(path.name, line, None, "not UTF-8, save the table as CSV UTF-8")]) from None
    lines = [(line, fields) for line, fields in split_lines(path.name, text) if any(fields)]
    if not lines:
        raise CardError([Problem(path.name, None, None, "this file is empty")])
    return lines


def split_lines(file: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a csv text; a quoted field may run over several, they count from the first."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for fields in reader:
            yield line, [field.strip() for field in fields]
            line = reader.line_num + 1
    except csv.Error as error:
        text = f'no csv from here on, is a quotation mark (") missing or too many? ({error})'
        raise CardError([Problem(file, line, None, text)]) from None
