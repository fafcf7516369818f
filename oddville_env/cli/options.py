"""What several commands share: options, those of the game among them, and the way to the packages of an extra."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.core.extras import how_to_install
from oddville_env.core.game_type import Option
from oddville_env.oddville.game_type import ODDVILLE

GAME = ODDVILLE
"""The game that the commands are about."""
MOST_GAMES = 1_000_000_000


def _games(number: int) -> int:
    return whole_number("games", number, 1, MOST_GAMES)


Players = Annotated[int, typer.Option(help=f"How many play: {', '.join(map(str, GAME.players))}.")]
Seed = Annotated[int, typer.Option(help="Seed of the deal; of several games the k-th has seed + k.")]
Games = Annotated[int, typer.Option(help="How many games.", callback=_games)]
File = Annotated[Path, typer.Argument(help="A file of records, one a line; may be packed with gzip.")]
Index = Annotated[int, typer.Option(help="Which game of the file, from 0.")]
JsonOut = Annotated[Path | None, typer.Option("--json", help="Write it as JSON to this file; - is standard output.")]

Command = Callable[..., None]


def with_settings(command: Command) -> Command:
    """The command with an option for each setting of the game beside `players`, in place of its `settings`."""
    return _with_options(command, GAME.options)


def with_data(command: Command) -> Command:
    """The command with an option for each setting that a record does not hold, in place of its `settings`."""
    return _with_options(command, [option for option in GAME.options if option.data])


def _with_options(command: Command, options: Iterable[Option]) -> Command:
    signature, names = inspect.signature(command), [option.name for option in options]
    own = [parameter for name, parameter in signature.parameters.items() if name != "settings"]

    @wraps(command)
    def with_options(*own: Any, **given: Any) -> None:
        settings = {name: given.pop(name) for name in names if name in given}
        command(*own, settings=settings, **given)

    with_options.__signature__ = signature.replace(parameters=[*own, *map(_parameter, options)])  # type: ignore[attr-defined]
    return with_options


def _parameter(option: Option) -> inspect.Parameter:
    flag = f"--{option.name.replace('_', '-')}"
    kind = Annotated[option.kind, typer.Option(flag, help=option.help)]  # type: ignore[name-defined]
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)


def training_module(needy: str, extra: str, module: str) -> Any:
    """A module of `oddville_training`; raises SettingError where the extra is not installed that somebody needs."""
    try:
        return import_module(f"oddville_training.{module}")
    except ImportError as error:
        raise SettingError(f"{needy} the extra {extra}: {how_to_install(extra)} ({error})") from None
