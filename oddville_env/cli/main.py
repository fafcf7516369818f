"""The program: its commands in one list, and errors told in a sentence."""

import sys

import typer
from rich.console import Console
from rich.markup import escape

from oddville_env.cli import analyse, cards, compete, learn, look, play, records
from oddville_env.core.errors import OddVilleError
from oddville_env.oddville.cards import CardError

app = typer.Typer(
    help="OddVille: a board game for 2-4 players as a reinforcement-learning environment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
learn.add_to(app)
compete.add_to(app)
play.add_to(app)
records.add_to(app)
analyse.add_to(app)
look.add_to(app)
app.add_typer(cards.app, name="cards")


def main() -> None:
    """Run the command line; what a person did wrong ends it with one sentence and exit code 1."""
    try:
        app()
    except (OddVilleError, CardError, OSError, UnicodeError) as error:
        Console(stderr=True).print(f"[bold red]error:[/] {escape(_sentence(error))}", highlight=False, soft_wrap=True)
        sys.exit(1)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)
