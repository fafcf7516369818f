"""`verify`, `replay`, `draw`: files of records."""

import json
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track

from oddville_env.cli.options import File, Index, JsonOut, Settings
from oddville_env.cli.output import check_out, is_standard_output, out_file, terminal, write_json
from oddville_env.core.errors import RecordError, SettingError, shown
from oddville_env.core.files import numbered_lines
from oddville_env.core.game_type import GameType

PICTURES = (".svg", ".png")
MOST_BAD = 10_000  # lines that `verify` tells of


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (verify, replay, draw):
        app.command()(command)


def game_of(game_type: GameType, file: Path, index: int, data: Settings) -> Any:
    """The index-th game of a file; raises RecordError."""
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


def take_back(game: Any, move: int) -> None:
    """Take moves back until so many are left; raises RecordError."""
    played = len(game.moves)
    if not 0 <= move <= played:
        raise RecordError(f"the game has {played} moves, --move must be from 0 to that, not {shown(move)}")
    for _ in range(played - move):
        game.pop()


def verify(game_type: GameType, file: File, json_out: JsonOut = None, data: Settings = {}) -> None:  # noqa: B006
    """Replay each record and compare moves, scores and ranks; say what differs."""
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


def replay(
    game_type: GameType,
    file: File,
    index: Index = 0,
    positions: Annotated[bool, typer.Option(help="One line of JSON for each decision, before it is played.")] = False,
    data: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Show a recorded game move by move."""
    game = game_of(game_type, file, index, data)
    moves = game.moves
    take_back(game, 0)
    for number, move in enumerate(moves, 1):
        if positions:
            legal = game.legal_moves.words()
            typer.echo(json.dumps({"position": game.position(), "legal": legal, "move": move.word}))
        else:
            typer.echo(f"{number:4}  seat {game.to_move}  {move.word}")
        game.push(move)
    if not positions and game.outcome:
        typer.echo(f"scores {list(game.outcome.scores)}, ranks {list(game.outcome.ranks)}")


def draw(
    game_type: GameType,
    file: File,
    out: Annotated[Path, typer.Option(help="The picture: .svg, .png with the extra `render`, or - for SVG.")],
    index: Index = 0,
    move: Annotated[int | None, typer.Option(help="After so many moves; all of them if it is left out.")] = None,
    data: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Draw a position of a recorded game."""
    check_picture(out)
    game = game_of(game_type, file, index, data)
    if move is not None:
        take_back(game, move)
    check_out(out)
    write_picture(out, game.svg())


def check_picture(out: Path) -> None:
    """Raises SettingError where the name is not one of a picture."""
    if out.suffix not in PICTURES and not is_standard_output(out):
        raise SettingError(f"--out must end in {' or '.join(PICTURES)}, not {shown(out.name)}")


def write_picture(out: Path, svg: str) -> None:
    """Write an SVG, as what the file's name asks for."""
    picture = svg.encode()
    if out.suffix == ".png":
        from oddville_env.envs.render import png

        picture = png(svg)
    with out_file(out, "wb") as unfinished:
        unfinished.write(picture)
    typer.echo(f"drawn to {out}", err=is_standard_output(out))
