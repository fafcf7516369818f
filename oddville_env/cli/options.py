"""Options and lists on the command line, their completion, and imports from the extras."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import partial, wraps
from importlib.util import find_spec
from inspect import Parameter
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand

from oddville_env.cli.output import check_out
from oddville_env.core.checked import whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType, Option
from oddville_env.core.system.extras import find_agents, find_training, needs_extra
from oddville_env.envs.rewards import REWARDS

LONGEST_COMPLAINT = 200  # characters


class ListCommand(TyperCommand):
    """A command whose list options take all words up to the next option, and whose pairs accept a comma."""

    def parse_args(self, ctx, args):  # type: ignore[no-untyped-def]
        """`--against a b` becomes `--against a --against b`, and `--table 17,9` becomes `--table 17 9`."""
        if ctx.resilient_parsing:  # shell completion of an unfinished line
            return super().parse_args(ctx, args)
        _refuse_blanks(args)
        try:
            return super().parse_args(ctx, self._spread(list(args)))
        except typer.BadParameter as error:
            if len(error.message) > LONGEST_COMPLAINT:
                half = LONGEST_COMPLAINT // 2
                error.message = f"{error.message[:half]}…{error.message[-half:]}"
            raise

    def _spread(self, words: list[str]) -> list[str]:
        lists = {name for param in self.params if getattr(param, "multiple", False) for name in param.opts}
        pairs = {name for param in self.params if param.nargs > 1 for name in param.opts}
        spread: list[str] = []
        while words:
            name, equals, value = words.pop(0).partition("=")
            values = [value] if equals else []
            if name in lists:
                while words and _is_of_list(values, words[0]):
                    values.append(words.pop(0))
                if not values:
                    raise typer.BadParameter("it is followed by nothing, expected at least one", param_hint=f"'{name}'")
                spread += [part for each in values for part in (name, each)]
            elif name in pairs and (equals or (words and "," in words[0])):
                spread += [name, *(value if equals else words.pop(0)).split(",")]
            elif name == "--":
                return [*spread, name, *words]
            else:
                spread.append(f"{name}{equals}{value}")
        return spread


def _refuse_blanks(words: Sequence[str]) -> None:
    """Refuse blank values: as a folder, a blank would mean the current one."""
    for before, word in pairwise(["", *words]):
        name, equals, value = word.partition("=") if word.startswith("--") else ("", "=", word)
        if equals and not value.strip():
            name = name or (before if before.startswith("-") else "")
            if not name:
                raise typer.BadParameter("an argument is blank")
            raise typer.BadParameter("it is followed by nothing", param_hint=f"'{name}'")


def _is_of_list(values: Sequence[str], word: str) -> bool:
    """Whether a word belongs to the list: not an option, and in a list of numbers a number."""
    return not word.startswith("-") and (not values or not _is_number(values[0]) or _is_number(word))


def _is_number(word: str) -> bool:
    return word.replace(",", "").isdecimal()


def specs_of(words: Iterable[str]) -> list[str]:
    """Split specs: `["greedy,search:ms=50,threads=2", "random"]` -> greedy, search:ms=50,threads=2, random."""
    specs: list[str] = []
    for word in words:
        start = len(specs)
        for part in word.removesuffix(",").split(","):
            if len(specs) > start and "=" in part and ":" not in part.partition("=")[0]:
                specs[-1] += f",{part}"
            else:
                specs.append(part.strip())
    return specs


def whole_numbers(flag: str, expected: str, words: Iterable[str]) -> list[int]:
    """`["2,3", "4"]` -> [2, 3, 4]. Raises SettingError."""
    parts = [part.strip() for word in words for part in word.removesuffix(",").split(",")]
    if not all(part.isdecimal() and len(part) <= len(str(2**63)) for part in parts):
        raise SettingError(f"{flag} must be {expected}, not {shown(', '.join(words))}")
    return [int(part) for part in parts]


player_counts = partial(whole_numbers, "--players", "2, 3, 4, or several as 2,3")


def _agents(game_type: GameType) -> Iterable[str]:
    """The agents of the roster, and the specs that it uses."""
    roster = find_agents().roster_of(game_type.name)
    built_in = find_agents().built_in(game_type.name)
    return dict.fromkeys([*built_in, *roster.ladder, *roster.measured_against, *roster.trained_against])


def _presets(game_type: GameType) -> list[str]:
    """Built-in plans of self-play: the files in `presets`."""
    learns = find_agents().roster_of(game_type.name).self_play
    home = find_spec(f"oddville_training.{learns.rpartition('.')[0]}") if learns else None
    folders = [Path(each) / "presets" for each in (home and home.submodule_search_locations) or ()]
    return sorted(plan.stem for folder in folders for plan in folder.glob("*.toml"))


COMPLETIONS: dict[str, Callable[[GameType], Iterable[str]]] = {
    **dict.fromkeys(("agent", "agents", "against", "best_response", "challenger", "model"), _agents),
    "encoding": lambda game_type: game_type.encodings,
    "name": lambda game_type: [*game_type.tables, "options"],
    "preset": _presets,
    "reward": lambda _: REWARDS,
    "seats": lambda game_type: ["human", *_agents(game_type)],
}
"""The words that complete a parameter, by its name. They compile nothing and import no extra."""


def _completed(parameter: Parameter, game_type: GameType) -> Parameter:
    if parameter.name not in COMPLETIONS:
        return parameter

    def complete(incomplete: str) -> list[str]:
        """The words with this beginning; of a list `a,b` the last part is completed."""
        before, comma, last = incomplete.rpartition(",")
        words = COMPLETIONS[parameter.name](game_type)
        return [f"{before}{comma}{word}" for word in words if word.startswith(last)]

    kind, info = get_args(parameter.annotation)
    info = copy(info)
    info.autocompletion = complete
    return parameter.replace(annotation=Annotated[kind, info])


PROCESSES, RAY = "processes", "ray"
MOST_GAMES = 1_000_000_000


def option(text: str, *flags: str, default: str | None = None, **more: Any) -> Any:
    """An option with its help; `default` says what a missing value means where typer cannot show it."""
    return typer.Option(*flags, help=text, show_default=default or True, **more)


def out_option(text: str, *flags: str) -> Any:
    """An option with a file to write, `-` for standard output. Raises OSError where the file cannot be written."""
    return option(text, *flags, callback=check_out)


def argument(text: str, default: str | None = None) -> Any:
    """An argument with its help."""
    return typer.Argument(help=text, show_default=default or True)


Players = Annotated[int, option("Number of players.")]
Seed = Annotated[int, option("Seed of the deal; game k of several uses seed + k.")]
Games = Annotated[int, option("Number of games.", callback=lambda games: whole_number("games", games, 1, MOST_GAMES))]
File = Annotated[Path, argument("File of game records, a JSON object per line; may be gzipped.")]
Index = Annotated[int, option("Number of the game in the file, from 0.")]
JsonOut = Annotated[Path | None, out_option("Also write JSON to this file; - is standard output.", "--json")]

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

    parameters = [*(_completed(each, game_type) for each in own), *map(_parameter, options)]

    @wraps(command)
    def for_game(**words: Any) -> None:
        settings = {name: words.pop(name) for name in names if name in words}
        command(**given, **words, **dict.fromkeys(asked, settings))

    for_game.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
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
