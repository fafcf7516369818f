"""The results of a run as files: a journal while it is played, then a table of all games, and their records.

A line of the journal is a checksum and a JSON object, for each chunk that was played, so that nothing finished is ever
played again. Records lie in a file beside it, each block's packed by itself; the line tells where. A line counts only
if it is whole, its checksum and that of its records are right, and it tells games of this run: whatever was torn when a
run was killed, when the disk was full or when the power failed is played again.
"""

import base64
import json
import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import polars as pl

from oddville_env.core.disk.files import atomic_write, sync_names, write_whole
from oddville_env.core.disk.reading import MEGABYTE, parse_json, read_whole
from oddville_env.core.errors import shown
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament.config import Schedule, TournamentConfig
from oddville_training.tournament.executors import Entry, Notes
from oddville_training.tournament.manifest import GAMES, LINES, RECORDS, RESULTS
from oddville_training.tournament.seated_batch import Failed, row_type

CHECKSUM = 8  # letters
LARGEST = 4096 * MEGABYTE  # of the file: what the largest runs write is smaller by far
MOST_ROWS = 200_000_000  # a small file may hold any number of equal ones

COLUMNS: dict[str, type[pl.DataType]] = {
    "players": pl.UInt8, "block": pl.UInt32, "pairing": pl.String, "deal": pl.UInt64, "game": pl.UInt32,
    "seat": pl.UInt8, "agent": pl.String, "rank": pl.UInt8, "score": pl.Int16, "decisions": pl.UInt16,
    "think_ms": pl.Float32, "slowest_ms": pl.Float32, "rounds": pl.UInt16, "trigger": pl.Boolean,
    "truncated": pl.Boolean, "failure": pl.String,
}  # fmt: skip
"""Those of every game; behind the score each game has columns of its own, which tell where the points came from."""


class Journal(Notes):
    """A run's unfinished results in a folder: read what is there, then add to it."""

    def __init__(self, folder: Path, config: TournamentConfig) -> None:
        """Raises OSError where the folder cannot be used; no other process may work in it."""
        self._config, self._row = config, row_type(config.game.sources)
        self.path, self.records_path = folder / LINES, folder / RECORDS
        self._lines = self.path.open("ab+", buffering=0)
        self._records = self.records_path.open("ab+", buffering=0)
        sync_names(folder)
        self.entries = self._read()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._records.close()

    def _read(self) -> list[Entry]:
        """Take in what is right, and cut off what is torn."""
        self._lines.seek(0)
        text = self._lines.read()
        self._lines.truncate(text.rfind(b"\n") + 1)
        whole = text.split(b"\n")[:-1]
        entries: list[Entry] = []
        seen: set[int] = set()  # blocks played again, after damage, may mend the records of the damaged line
        for line in whole:
            entry = self._entry(line)
            if entry is not None and seen.isdisjoint(blocks := entry.blocks.tolist()):
                entries.append(entry)
                seen.update(blocks)
        self._records.truncate(max((entry.first + sum(entry.sizes) for entry in entries), default=0))
        return entries

    def _entry(self, line: bytes) -> Entry | None:
        """The contents of a line, None where it was damaged or tells no games of this run."""
        checksum, _, text = line.partition(b" ")
        if checksum != _checksum(text):
            return None
        try:
            fields = parse_json(text)
            rows = np.frombuffer(base64.b64decode(fields["rows"]), self._row)
            entry = Entry(rows, [Failed(*each) for each in fields["failed"]], fields["first"], fields["sizes"])
            if not self._is_of_this_run(entry):
                return None
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        self._records.seek(entry.first)
        records = self._records.read(sum(entry.sizes))
        return entry if _checksum(records).decode() == fields["records"] else None

    def _is_of_this_run(self, entry: Entry) -> bool:
        """Rows are of whole blocks of the schedule, failures are of their games, records lie in the file."""
        if not is_whole(entry.rows, self._config.schedule):
            return False
        seats = set(zip(entry.rows["game"].tolist(), entry.rows["seat"].tolist(), strict=True))
        blocks = len(entry.blocks) if self._config.moves else 0
        numbers = [entry.first, *entry.sizes]
        return (
            all(isinstance(each.why, str) and each.why.isprintable() for each in entry.failed)
            and seats.issuperset((each.game, each.seat) for each in entry.failed)
            and len(entry.sizes) == blocks
            and all(type(number) is int and number >= 0 for number in numbers)
            and sum(numbers) <= self.records_path.stat().st_size
        )

    def add(self, rows: np.ndarray, failed: list[Failed], records: list[bytes]) -> None:
        """Write a chunk down; raises OSError where it cannot be, and then leaves nothing of it."""
        lines, first = self.path.stat().st_size, self.records_path.stat().st_size
        sizes, packed = [len(record) for record in records], b"".join(records)
        fields = {
            "failed": failed,
            "first": first,
            "sizes": sizes,
            "records": _checksum(packed).decode(),
            "rows": base64.b64encode(rows.tobytes()).decode(),
        }
        text = json.dumps(fields).encode()
        try:
            _write(self._records, packed)
            _write(self._lines, _checksum(text) + b" " + text + b"\n")
        except OSError:
            self._lines.truncate(lines)
            self._records.truncate(first)
            raise
        self.entries.append(Entry(rows, failed, first, sizes))

    @property
    def failed(self) -> list[Failed]:
        """All failures, in the order of games."""
        return sorted(failed for entry in self.entries for failed in entry.failed)

    def records(self) -> Iterator[tuple[int, bytes]]:
        """The packed records of every block, in order, with its number."""
        where = []
        for entry in self.entries:
            starts = entry.first + np.cumsum([0, *entry.sizes])
            where += list(zip(entry.blocks.tolist(), starts.tolist(), entry.sizes, strict=False))
        for block, start, size in sorted(where):
            self._records.seek(start)
            yield block, self._records.read(size)

    def remove(self) -> None:
        """Remove the files: all that they held has been written elsewhere. Without lines records mean nothing."""
        self.path.unlink()
        self.records_path.unlink()


def is_whole(rows: np.ndarray, schedule: Schedule) -> bool:
    """The rows are all seats of all games of some blocks of one line-up, in their order."""
    blocks = np.unique(rows["block"])
    if not len(blocks) or blocks[-1] >= schedule.blocks:
        return False
    sections, lineups, deals = schedule.places(blocks)
    if (sections != sections[0]).any() or (lineups != lineups[0]).any():
        return False
    games = schedule.games_of(schedule.chunk(int(sections[0]), int(lineups[0]), deals))
    players = games.agents.shape[1]
    expected = {
        "block": games.blocks.repeat(players),
        "game": games.games.repeat(players),
        "seat": np.tile(np.arange(players), len(games.games)),
        "agent": games.agents.reshape(-1),
    }
    ranked = bool(((rows["rank"] >= 1) & (rows["rank"] <= players)).all())
    return ranked and all(np.array_equal(rows[name], values) for name, values in expected.items())


def _checksum(data: bytes) -> bytes:
    return f"{crc32(data):0{CHECKSUM}x}".encode()


def _write(file: Any, data: bytes) -> None:
    """Write all of it, and see it safely on the disk."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
    os.fsync(file.fileno())


def write_results(config: TournamentConfig, folder: Path, journal: Journal, last: int | None) -> None:
    """Write the journal's blocks, up to the last one if there is one, as results and records."""
    rows, failed = journal.rows, journal.failed
    if last is not None:
        rows = rows[rows["block"] <= last]
        failed = [each for each in failed if each.game <= rows["game"].max()]
    if config.moves:
        with atomic_write(folder / GAMES, "wb") as file:
            file.writelines(packed for block, packed in journal.records() if last is None or block <= last)
    results = BytesIO()  # polars has errors of its own for a full disk
    table_of(rows, failed, config).write_parquet(results)
    write_whole(folder / RESULTS, results.getvalue())


def table_of(rows: np.ndarray, failed: list[Failed], config: TournamentConfig) -> pl.DataFrame:
    """The results table: rows in the order of block, game and seat."""
    schedule, names = config.schedule, config.names
    sections, lineups, deals = schedule.places(rows["block"])
    pairings = [" | ".join(names[agent] for agent in lineup) for part in schedule.sections for lineup in part.lineups]
    first = np.cumsum([0, *(len(section.lineups) for section in schedule.sections)])
    of_blocks = {
        "players": np.array([section.players for section in schedule.sections])[sections],
        "pairing": pl.Series(pairings, dtype=pl.String).gather(first[sections] + lineups),
        "deal": schedule.deals[deals],
    }
    played = {name: rows[name] for name in rows.dtype.names or ()}
    table = pl.DataFrame({**played, **of_blocks, "agent": pl.Series(names, dtype=pl.String).gather(rows["agent"])})
    why = pl.DataFrame(failed, schema={"game": pl.UInt32, "seat": pl.UInt8, "failure": pl.String}, orient="row")
    table = table.join(why, on=["game", "seat"], how="left", maintain_order="left")
    return table.select(pl.col(name).cast(kind) for name, kind in columns_of(config.game.sources).items())


def columns_of(sources: Sequence[str]) -> dict[str, type[pl.DataType]]:
    """The columns of a game whose points come from these sources."""
    names = list(COLUMNS)
    middle = names.index("score") + 1
    ordered = [*names[:middle], *sources, *names[middle:]]
    return {name: COLUMNS.get(name, pl.Int16) for name in ordered}


def sources_of(rows: pl.DataFrame) -> list[str]:
    """The sources of points of results: the columns that not every game has."""
    return [name for name in rows.columns if name not in COLUMNS]


def read_results(folder: Path) -> pl.DataFrame:
    """The results of a run, a row for each game and seat, as `columns_of` says. Raises ResultsError."""
    path = folder / RESULTS
    try:
        file = BytesIO(read_whole(path, LARGEST))
        number = pl.scan_parquet(file).select(pl.len()).collect().item()  # it is written there, nothing is unpacked
        if number > MOST_ROWS:
            raise ResultsError(f"{path} holds {number:,} rows, expected at most {MOST_ROWS:,}: split the run")
        rows = pl.read_parquet(file)
    except FileNotFoundError:
        raise ResultsError(f"{folder} holds no {RESULTS}, expected the folder of a tournament") from None
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = str(error).partition("\n")[0]
        raise ResultsError(f"{path} cannot be read ({why}), expected the results of a tournament") from None
    missing = [name for name in COLUMNS if name not in rows.columns]
    if missing:
        raise ResultsError(f"{path} has no column {missing[0]!r}, expected {', '.join(COLUMNS)}")
    columns = columns_of(sources_of(rows))
    return pl.DataFrame([_checked(rows[name], kind, path) for name, kind in columns.items()])


def _checked(column: pl.Series, kind: type[pl.DataType], path: Path) -> pl.Series:
    """A column of the results as its type should be; raises ResultsError."""
    may_be_empty = column.name == "failure"
    if kind.is_integer():
        fits, expected = column.dtype.is_integer(), "whole numbers"
    elif kind.is_float():
        fits, expected = column.dtype.is_numeric(), "numbers"
    else:
        fits, expected = column.dtype == kind, f"{kind}"
    if not fits and not (may_be_empty and column.dtype == pl.Null):
        raise ResultsError(f"{path}: column {column.name!r} should hold {expected}, not {shown(column.dtype)}")
    if column.has_nulls() and not may_be_empty:
        raise ResultsError(f"{path}: a row has no {column.name!r}")
    try:
        column = column.cast(kind)
    except pl.exceptions.PolarsError:
        raise ResultsError(f"{path}: a number in column {column.name!r} is too large, expected {kind}") from None
    if kind.is_float() and not (column.is_finite() & (column >= 0)).all():
        raise ResultsError(f"{path}: column {column.name!r} should hold numbers of at least 0")
    return column
