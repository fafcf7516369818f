"""The program: its commands in one list, and errors told in a sentence."""

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from oddville_env import __version__
from oddville_env.cli import analyse, cards, compete, film, learn, look, play, records, serve, warm
from oddville_env.cli.examples import EXAMPLES
from oddville_env.cli.lists import ListCommand
from oddville_env.cli.options import GAME
from oddville_env.cli.output import terminal
from oddville_env.core.errors import OddVilleError, shown_path
from oddville_env.core.progress import show_compiling


class App(typer.Typer):
    """A program whose commands read lists, and show examples below their help."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[..., Any]:
        """Add a command."""

        def add(command: Callable[..., Any]) -> Callable[..., Any]:
            examples = EXAMPLES.get(name or command.__name__, ())
            epilog = "\n\n".join(["Examples:", *examples]) if examples else None
            return super(App, self).command(name, **{"cls": ListCommand, "epilog": epilog, **settings})(command)

        return add


app = App(
    help=f"{GAME.title}: a board game for 2-4 players as a reinforcement-learning environment.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"{GAME.name} {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Say its version.")]


@app.callback()
def _program(version: Version = False) -> None:
    """The options of the program itself."""


learn.add_to(app)
compete.add_to(app)
serve.add_to(app)
play.add_to(app)
records.add_to(app)
film.add_to(app)
analyse.add_to(app)
look.add_to(app)
warm.add_to(app)
cards.add_to(app, App(help="Card sets: check the tables that you typed in.", no_args_is_help=True))


def main() -> None:
    """Run the command line; what a person did wrong ends it with one sentence and exit code 1."""
    try:
        with show_compiling():
            app(prog_name=GAME.name)
    except (OddVilleError, OSError, UnicodeError) as error:
        typer.secho("error: ", fg="red", bold=True, nl=False, err=True)
        terminal(err=True).print(_sentence(error), soft_wrap=True)
        sys.exit(1)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{shown_path(error.filename)}: {error.strerror}"
    return str(error)
