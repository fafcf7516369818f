"""`questions`, and what it shares with `puzzles dataset`: writing entries of a data set for language models."""

import json
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.options import Players, option, out_option, specs_of
from oddville_env.cli.output import is_standard_output, out_file, shown_progress
from oddville_env.core.checked import whole_number
from oddville_env.core.disk.files import STANDARD_OUTPUT
from oddville_env.core.errors import SettingError, shown, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.questions import KINDS, entries
from oddville_env.core.system.extras import needs_extra

PARQUET = ".parquet"
SUFFIXES = (".jsonl", ".jsonl.gz", PARQUET)

DataSet = Annotated[Path, out_option(f"File to write: {', '.join(SUFFIXES)}; - is standard output.")]


def questions(
    game_type: GameType,
    kinds: Annotated[list[str] | None, option(f"Kinds of questions: {', '.join(KINDS)}.", default="all")] = None,
    count: Annotated[int, option("Number of questions.")] = 10,
    players: Players = 2,
    seed: Annotated[int, option("Seed of the questions.")] = 0,
    out: DataSet = Path(STANDARD_OUTPUT),
) -> None:
    """Write questions about positions of random games with the engine's answers; Ctrl-C keeps finished ones."""
    check_suffix(out)
    made = entries(game_type, seed, specs_of(kinds or KINDS), players)
    write_entries(made, count, out, "question")


def amount(number: int, what: str) -> str:
    """A number of things, in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def check_suffix(out: Path) -> None:
    """Raises SettingError where a data set cannot have this name, or the extra that writes it is not installed."""
    if not (is_standard_output(out) or out.name.endswith(SUFFIXES)):
        raise SettingError(f"out must end in {', '.join(SUFFIXES)}, not {shown(out.name)}")
    if out.suffix == PARQUET:
        with needs_extra(f"{PARQUET} needs", "data"):
            import polars  # noqa: F401


def write_entries(made: Iterator[dict[str, Any]], count: int, out: Path, what: str) -> None:
    """Write so many entries of an endless row, those that are made where Ctrl-C ends it. Raises SettingError."""
    whole_number("count", count, 1, 1_000_000)
    rows: list[dict[str, Any]] = []
    try:
        for row in shown_progress(islice(made, count), "making", count):
            rows.append(row)
    except KeyboardInterrupt:
        typer.echo(f"interrupted after {amount(len(rows), what)}", err=True)
    if out.suffix == PARQUET:
        import polars

        # Objects are texts in JSON, so that all files have the same columns.
        plain = lambda value: json.dumps(value) if isinstance(value, dict) else value  # noqa: E731
        flat = [{name: plain(value) for name, value in row.items()} for row in rows]
        written = BytesIO()  # polars has its own errors for a file that cannot be written
        polars.DataFrame(flat, infer_schema_length=None).write_parquet(written)
        with out_file(out, "wb") as file:
            file.write(written.getvalue())
    else:
        with out_file(out) as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    typer.echo(f"{amount(len(rows), what)} written to {shown_path(out)}", err=True)
