"""Options that several commands share, the settings of the game as options, and imports from the extras."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from oddville_env.cli.completion import with_completion
from oddville_env.core.checked.settings import whole_number
from oddville_env.core.game.game_type import GameType, Option
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.lazy_packages import find_training

PROCESSES, RAY = "processes", "ray"
MOST_GAMES = 1_000_000_000


def option(text: str, *flags: str, default: str | None = None, **more: Any) -> Any:
    """An option with its help; `default` says what a missing value means where typer cannot show it."""
    return typer.Option(*flags, help=text, show_default=default or True, **more)


def argument(text: str, default: str | None = None) -> Any:
    """An argument with its help."""
    return typer.Argument(help=text, show_default=default or True)


def _games(number: int) -> int:
    return whole_number("games", number, 1, MOST_GAMES)


Players = Annotated[int, option("Number of players.")]
Seed = Annotated[int, option("Seed of the deal; game k of several uses seed + k.")]
Games = Annotated[int, option("Number of games.", callback=_games)]
File = Annotated[Path, argument("File of game records, a JSON object per line; may be gzipped.")]
Index = Annotated[int, option("Number of the game in the file, from 0.")]
JsonOut = Annotated[Path | None, option("Also write JSON to this file; - is standard output.", "--json")]

Minutes = Annotated[float | None, option("Stop after this many minutes.", default="no limit")]
Threads = Annotated[int | None, option("Threads that torch uses.", default="1")]
Resume = Annotated[bool, option("Resume the run in --folder with its stored settings.", "--resume")]
Evaluated = Annotated[bool, option("Then evaluate the result against the standard opponents.", "--evaluate")]

Workers = Annotated[int | None, option("Number of worker processes.", default="one per core")]
Where = Annotated[str, option("Where workers run: processes (on this machine) or ray.", "--executor")]
Address = Annotated[str | None, option("Address of a Ray cluster.", default="start one here")]

Command = Callable[..., None]
Settings = Mapping[str, Any]
"""Settings of the game by name."""
NONE: Settings = MappingProxyType({})


def bound(command: Command, game_type: GameType) -> Command:
    """Return a command bound to a game, which the command receives as `game_type`.

    A parameter `settings` becomes one option per setting of the game except `players`; a parameter `data` becomes one
    per setting that a record does not hold.
    """
    signature = inspect.signature(command)
    asked = signature.parameters.keys() & {"settings", "data"}
    options = [option for option in game_type.options if "settings" in asked or (asked and option.data)]
    names = [option.name for option in options]
    given = {"game_type": game_type} if "game_type" in signature.parameters else {}
    own = [each for name, each in signature.parameters.items() if name not in {*asked, *given}]

    @wraps(command)
    def for_game(**words: Any) -> None:
        settings = {name: words.pop(name) for name in names if name in words}
        command(**given, **words, **dict.fromkeys(asked, settings))

    for_game.__signature__ = signature.replace(parameters=[*map(with_completion, own), *map(_parameter, options)])  # type: ignore[attr-defined]
    return for_game


def _parameter(option: Option) -> inspect.Parameter:
    flag = f"--{option.name.replace('_', '-')}"
    kind = Annotated[option.kind, typer.Option(flag, help=option.help)]  # type: ignore[name-defined]
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)


def typed(context: typer.Context, values: Settings, spelled: Mapping[str, str] = NONE) -> dict[str, Any]:
    """Return the options given on the command line; `spelled` maps names of values to names of options."""
    sources = {name: context.get_parameter_source(spelled.get(name, name)) for name in values}
    return {name: values[name] for name, source in sources.items() if source and source.name == "COMMANDLINE"}


def training_module(needy: str, extra: str, module: str) -> Any:
    """Import a module of `oddville_training`. Raises SettingError where its extra is not installed."""
    with needs_extra(needy, extra):
        return find_training(module)


learning_module = partial(training_module, "training needs", "train")
tournament_module = partial(training_module, "tournaments need", "tournament")
