"""The results of a run as files: a table of all games, and their records."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from oddville_env.core.disk.files import atomic_write
from oddville_env.core.disk.reading import MEGABYTE, read_whole
from oddville_env.core.errors import shown
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.seated_batch import Failed
from oddville_training.tournament.store import manifest
from oddville_training.tournament.store.journal import Journal
from oddville_training.tournament.store.manifest import GAMES, RESULTS, RunError, is_finished

LARGEST = 4096 * MEGABYTE  # of the file: what the largest runs write is smaller by far
MOST_ROWS = 200_000_000  # a small file may hold any number of equal ones

COLUMNS: dict[str, type[pl.DataType]] = {
    "players": pl.UInt8, "block": pl.UInt32, "pairing": pl.String, "deal": pl.UInt64, "game": pl.UInt32,
    "seat": pl.UInt8, "agent": pl.String, "rank": pl.UInt8, "score": pl.Int16, "decisions": pl.UInt16,
    "think_ms": pl.Float32, "slowest_ms": pl.Float32, "rounds": pl.UInt16, "trigger": pl.Boolean,
    "truncated": pl.Boolean, "failure": pl.String,
}  # fmt: skip
"""Those of every game; behind the score each game has columns of its own, which tell where the points came from."""


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
    with atomic_write(folder / RESULTS, "wb") as file:
        file.write(results.getbuffer())


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


def check_finished(folder: Path) -> None:
    """Raises RunError where a folder holds no tournament, or one that is not finished."""
    manifest.read(folder)
    if not is_finished(folder):
        raise RunError(f"the tournament in {folder} is not finished: repeat the command that it was begun with")


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
