"""A game's program: its commands in one list, and errors told in a sentence."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer

from oddville_env import __version__
from oddville_env.cli.examples import EXAMPLES
from oddville_env.cli.lists import ListCommand
from oddville_env.cli.options import bound
from oddville_env.cli.output import terminal
from oddville_env.core.errors import OddVilleError, shown_path
from oddville_env.core.extras import extra_of, how_to_install
from oddville_env.core.game_type import GameType
from oddville_env.core.interrupts import listening
from oddville_env.core.progress import show_compiling

COMMANDS = (
    "train", "selfplay", "imitate", "evaluate", "tournament", "ladder", "benchmark", "report", "play", "view",
    "simulate", "watch", "agents", "verify", "replay", "draw", "film", "analyse", "perft", "tables", "bench", "export",
    "dataset", "warm", "cards",
)  # fmt: skip
"""Modules of `commands`, in the order of the help: each holds the function of its name, or adds a group."""


class App(typer.Typer):
    """A program about one game, whose commands read lists, and show examples below their help."""

    def __init__(self, game_type: GameType, **settings: Any) -> None:
        super().__init__(no_args_is_help=True, **settings)
        self.game_type = game_type

    def command(self, name: str | None = None, **settings: Any) -> Callable[..., Any]:
        """Add a command, bound to the game."""

        def add(command: Callable[..., Any]) -> Callable[..., Any]:
            examples = [
                f"{self.game_type.name} {each}"
                for each in EXAMPLES.get(command.__name__) or EXAMPLES.get(name or "", ())
            ]
            epilog = "\n\n".join(["Examples:", *examples]) if examples else None
            words = {"cls": ListCommand, "epilog": epilog, **settings}
            return super(App, self).command(name, **words)(bound(command, self.game_type))

        return add


def make_app(game_type: GameType) -> App:
    """The program of a game."""
    least, most = game_type.players[0], game_type.players[-1]
    app = App(
        game_type,
        help=f"{game_type.title}: a board game for {least}-{most} players as a reinforcement-learning environment.",
        pretty_exceptions_enable=False,
    )

    def tell_version(asked: bool) -> None:
        if asked:
            typer.echo(f"{game_type.name} {__version__}")
            raise typer.Exit

    @app.callback()
    def program(
        version: Annotated[
            bool, typer.Option("--version", callback=tell_version, is_eager=True, help="Say its version.")
        ] = False,
    ) -> None:
        """The options of the program itself."""

    for name in (*COMMANDS, *game_type.commands):
        module = import_module(f"oddville_env.cli.commands.{name}")
        if hasattr(module, "add_to"):
            module.add_to(app)
        else:
            app.command(cls=getattr(module, "COMMAND", ListCommand))(getattr(module, name))
    return app


def run(game_type: GameType) -> None:
    """Run a game's command line; what a person did wrong ends it with one sentence and exit code 1."""
    try:
        with listening(), show_compiling():
            make_app(game_type)(prog_name=game_type.name)
    except (OddVilleError, OSError, UnicodeError, ImportError) as error:
        if isinstance(error, ImportError) and extra_of(error) is None:
            raise
        typer.secho("error: ", fg="red", bold=True, nl=False, err=True)
        terminal(err=True).print(_sentence(error), soft_wrap=True)
        sys.exit(1)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{shown_path(error.filename)}: {error.strerror}"
    if isinstance(error, ImportError) and (extra := extra_of(error)):
        return f"this needs the extra {extra}: {how_to_install(extra)} ({error})"
    return str(error)
