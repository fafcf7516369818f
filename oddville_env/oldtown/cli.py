"""`oldtown verify` and `oldtown replay`: files of records."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from oddville_env.core.errors import OddVilleError, RecordError
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.replay import game_of, lines_of
from oddville_env.oldtown.replay import positions as positions_of

app = typer.Typer(
    help="Old Town: a game of clue cards and deduction for 1-4 players.", no_args_is_help=True, add_completion=False
)

File = Annotated[Path, typer.Argument(help="Records, a line each; may be packed with gzip.")]
DeckFile = Annotated[Path | None, typer.Option("--deck", help="Another deck.json.")]


@app.command()
def verify(file: File, deck: DeckFile = None) -> None:
    """Replay each record and compare moves, scores and ranks; say what differs."""
    bad = good = 0
    for number, line in lines_of(file):
        try:
            OldTown.from_record(line, deck)
            good += 1
        except RecordError as error:
            bad += 1
            typer.echo(f"{file}, line {number}: {error}", err=True)
    if not good + bad:
        raise RecordError(f"{file}: there is no record in it")
    typer.echo(f"{file}: {good} of {good + bad} records replay to the same end")
    if bad:
        raise typer.Exit(1)


@app.command()
def replay(
    file: File,
    index: Annotated[int, typer.Option(help="Which game of the file, from 0.")] = 0,
    positions: Annotated[bool, typer.Option(help="One line of JSON for each decision, before it is played.")] = False,
    deck: DeckFile = None,
) -> None:
    """Show a recorded game move by move."""
    if positions:
        for line in positions_of(file, index, deck):
            typer.echo(line)
        return
    game = game_of(file, index, deck)
    for number, move in enumerate(game.moves, 1):
        typer.echo(f"{number:4}  {move.word}")
    if game.outcome:
        typer.echo(f"scores {list(game.outcome.scores)}, ranks {list(game.outcome.ranks)}")


def main() -> None:
    """Run the command line; what a person did wrong ends it with one sentence and exit code 1."""
    try:
        app()
    except (OddVilleError, OSError, UnicodeError) as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(1)
