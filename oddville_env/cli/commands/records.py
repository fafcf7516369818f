"""`verify`, `replay` and `draw`: recorded games."""

import json
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli import options
from oddville_env.cli.options import NONE, Settings, option
from oddville_env.cli.output import check_out, is_standard_output, shown_progress, write_json, write_out
from oddville_env.core.disk.reading import numbered_lines
from oddville_env.core.errors import RecordError, SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.played_game import replayed

PICTURES = (".svg", ".png")


def game_of(game_type: GameType, file: Path, index: int, data: Settings) -> Any:
    """Return game number `index` of a file. Raises RecordError."""
    found = -1
    for found, (number, line) in enumerate(numbered_lines(file, RecordError)):
        if found == index:
            try:
                return game_type.game.from_record(line, **data)
            except RecordError as error:
                raise RecordError(f"{file}, line {number}: {error}") from None
    if found < 0:
        raise RecordError(f"{file}: there is no record in it")
    raise RecordError(f"{file}: there is no game {shown(index)}, expected 0 to {found}")


def check_picture(out: Path) -> None:
    """Raises SettingError for a file name that is not one of a picture."""
    if out.suffix not in PICTURES and not is_standard_output(out):
        raise SettingError(f"--out must end in {' or '.join(PICTURES)}, not {shown(out.name)}")


def write_picture(out: Path, svg: str) -> None:
    """Write an SVG in the format of the file name."""
    picture = svg.encode()
    if out.suffix == ".png":
        from oddville_env.envs.render import WIDTH, png

        picture = png(svg, WIDTH)
    write_out(out, picture)
    typer.echo(f"drawn to {out}", err=is_standard_output(out))


MOST_BAD = 10_000  # lines reported


def verify(game_type: GameType, file: options.File, json_out: options.JsonOut = None, data: Settings = NONE) -> None:
    """Replay records and report every difference in moves, scores or ranks."""
    check_out(json_out)
    good, bad = 0, []
    lines = numbered_lines(file, RecordError)
    first = next(lines, None)
    if first is None:
        raise RecordError(f"{file}: there is no record in it")
    for number, line in shown_progress(chain([first], lines), "replaying"):
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
    write_json(json_out, {"file": str(file), "records": good + len(bad), "good": good, "bad": bad})
    if bad:
        raise typer.Exit(1)


def replay(
    game_type: GameType,
    file: options.File,
    index: options.Index = 0,
    positions: Annotated[bool, option("Print each decision as JSON: position, legal moves, move.")] = False,
    data: Settings = NONE,
) -> None:
    """Print the moves of a recorded game."""
    game = game_of(game_type, file, index, data)
    for number, word in enumerate(replayed(game), 1):
        if positions:
            legal = game.legal_moves.words()
            typer.echo(json.dumps({"position": game.position(), "legal": legal, "move": word}))
        else:
            typer.echo(f"{number:4}  seat {game.to_move}  {word}")
    if not positions and game.outcome:
        typer.echo(f"scores {list(game.outcome.scores)}, ranks {list(game.outcome.ranks)}")


def draw(
    game_type: GameType,
    file: options.File,
    out: Annotated[Path, option("File to write: .svg, or .png with the extra `render`; - prints SVG.")],
    index: options.Index = 0,
    move: Annotated[int | None, option("Position after this many moves.", default="the last one")] = None,
    data: Settings = NONE,
) -> None:
    """Draw a position of a recorded game."""
    check_picture(out)
    game = game_of(game_type, file, index, data)
    if move is not None:
        played = len(game.moves)
        if not 0 <= move <= played:
            raise RecordError(f"the game has {played} moves, --move must be from 0 to that, not {shown(move)}")
        game.take_back(move)
    check_out(out)
    write_picture(out, game.svg())
