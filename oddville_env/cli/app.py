"""The program of a game: its commands, and errors as one sentence."""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import chain
from typing import Annotated, Any

import typer
from typer.main import get_command

from oddville_env import __version__
from oddville_env.cli.examples import EXAMPLES
from oddville_env.cli.lists import ListCommand
from oddville_env.cli.options import bound
from oddville_env.cli.output import terminal
from oddville_env.core.errors import GameError, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import extra_of, how_to_install
from oddville_env.core.system.interrupts import listening
from oddville_env.core.system.progress import show_compiling

PANELS = {
    "Play": ("play", "watch"),
    "Train and evaluate": ("train", "selfplay", "imitate", "evaluate", "dataset", "export"),
    "Compare agents": ("agents", "simulate", "tournament", "ladder", "benchmark", "report"),
    "Game records": ("view", "verify", "replay", "draw", "film", "analyse"),
    "Tools": ("doctor", "warm", "cards", "tables", "perft", "bench"),
}
"""The commands of every game by the groups of the help: modules of `commands`, each of which holds the function of its
name or adds a group of commands."""
OF_ONE_GAME = "Play"  # group of the commands that only one game has


class App(typer.Typer):
    """A Typer app for one game; its commands accept lists and show examples below their help."""

    def __init__(self, game_type: GameType, **settings: Any) -> None:
        super().__init__(no_args_is_help=True, **settings)
        self.game_type = game_type

    def command(self, name: str | None = None, **settings: Any) -> Callable[..., Any]:
        """Return a decorator that adds a command bound to the game."""

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
            bool, typer.Option("--version", callback=tell_version, is_eager=True, help="Show the version.")
        ] = False,
    ) -> None:
        """The options of the program itself."""

    for name in (*chain(*PANELS.values()), *game_type.commands):
        module = import_module(f"oddville_env.cli.commands.{name}")
        if hasattr(module, "add_to"):
            module.add_to(app)
        else:
            app.command()(getattr(module, name))
    commands: list[Any] = [*app.registered_commands, *app.registered_groups]
    for command in commands:
        name = command.name or command.callback.__name__
        command.rich_help_panel = next((title for title, names in PANELS.items() if name in names), OF_ONE_GAME)
    return app


def run(game_type: GameType) -> None:
    """Run the command line of a game; a mistake of the user ends it with one sentence and exit code 1."""
    try:
        with listening(), show_compiling():
            _program(game_type)(prog_name=game_type.name)
    except (GameError, OSError, UnicodeError, ImportError) as error:
        if isinstance(error, ImportError) and extra_of(error) is None:
            raise
        typer.secho("error: ", fg="red", bold=True, nl=False, err=True)
        terminal(err=True).print(_sentence(error), soft_wrap=True)
        sys.exit(1)


@cache
def _program(game_type: GameType) -> Callable[..., Any]:
    """The command line of a game, built once per process."""
    return get_command(make_app(game_type))


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{shown_path(error.filename)}: {error.strerror}"
    if isinstance(error, ImportError) and (extra := extra_of(error)):
        return f"this needs the extra {extra}: {how_to_install(extra)} ({error})"
    return str(error)
