"""Options of several commands, those of the game among them, and the way to the packages of an extra."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.completion import with_completion
from oddville_env.core.checked.settings import whole_number
from oddville_env.core.game.game_type import GameType, Option
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.lazy_packages import find_training

PROCESSES, RAY = "processes", "ray"
MOST_GAMES = 1_000_000_000


def _games(number: int) -> int:
    return whole_number("games", number, 1, MOST_GAMES)


Players = Annotated[int, typer.Option(help="How many play.")]
Seed = Annotated[int, typer.Option(help="Seed of the deal; of several games the k-th has seed + k.")]
Games = Annotated[int, typer.Option(help="How many games.", callback=_games)]
File = Annotated[Path, typer.Argument(help="A file of records, one a line; may be packed with gzip.")]
Index = Annotated[int, typer.Option(help="Which game of the file, from 0.")]
JsonOut = Annotated[Path | None, typer.Option("--json", help="Write it as JSON to this file; - is standard output.")]

Minutes = Annotated[float | None, typer.Option(help="Stop after so many minutes.")]
Threads = Annotated[int | None, typer.Option(help="Threads of the network.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder, as it was set.")]
Evaluated = Annotated[bool, typer.Option("--evaluate", help="Then play against the usual agents.")]

Workers = Annotated[int | None, typer.Option(help="Processes that play; one for each core if left out.")]
Where = Annotated[str, typer.Option("--executor", help="processes on this machine, or ray.")]
Address = Annotated[str | None, typer.Option(help="A Ray cluster; one is started here if it is left out.")]

Command = Callable[..., None]
Settings = Mapping[str, Any]
"""Settings of the game, by their names."""


def bound(command: Command, game_type: GameType) -> Command:
    """A command for one game, which it gets as `game_type`.

    A parameter `settings` becomes an option for each setting of the game beside `players`, a parameter `data` one for
    each that a record does not hold.
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


def typed(context: typer.Context, values: Settings, spelled: Mapping[str, str] = {}) -> dict[str, Any]:
    """Those of the options that the person gave; spelled: what options are called whose values have another name."""
    sources = {name: context.get_parameter_source(spelled.get(name, name)) for name in values}
    return {name: values[name] for name, source in sources.items() if source and source.name == "COMMANDLINE"}


def training_module(needy: str, extra: str, module: str) -> Any:
    """A module of `oddville_training`; raises SettingError where the extra is not installed that somebody needs."""
    with needs_extra(needy, extra):
        return find_training(module)


learning_module = partial(training_module, "training needs", "train")
tournament_module = partial(training_module, "tournaments need", "tournament")
