"""`verify`: records replayed and compared."""

from itertools import chain

import typer
from rich.progress import track

from oddville_env.cli.options import NONE, File, JsonOut, Settings
from oddville_env.cli.output import check_out, is_standard_output, terminal, write_json
from oddville_env.core.disk.reading import numbered_lines
from oddville_env.core.errors import RecordError
from oddville_env.core.game.game_type import GameType

MOST_BAD = 10_000  # lines reported


def verify(game_type: GameType, file: File, json_out: JsonOut = None, data: Settings = NONE) -> None:
    """Replay records and report every difference in moves, scores or ranks."""
    check_out(json_out)
    good, bad = 0, []
    lines = numbered_lines(file, RecordError)
    first = next(lines, None)
    if first is None:
        raise RecordError(f"{file}: there is no record in it")
    for number, line in track(chain([first], lines), "replaying", console=terminal(err=True), transient=True):
        try:
            game_type.game.from_record(line, **data)
            good += 1
        except RecordError as error:
            bad.append({"line": number, "error": str(error)})
            typer.echo(f"{file}, line {number}: {error}", err=True)
            if len(bad) == MOST_BAD:
                typer.echo(f"{file}: after {MOST_BAD:,} such lines the rest is not looked at", err=True)
                break
    sentence = f"{file}: {good} of {good + len(bad)} records replay to the same end"
    typer.echo(sentence, err=is_standard_output(json_out))
    if json_out is not None:
        write_json(json_out, {"file": str(file), "records": good + len(bad), "good": good, "bad": bad})
    if bad:
        raise typer.Exit(1)
