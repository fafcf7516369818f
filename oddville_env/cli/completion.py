"""Shell completion by the name of the parameter. It compiles nothing and imports no extra."""

from collections.abc import Callable, Iterable
from copy import copy
from importlib.util import find_spec
from inspect import Parameter
from pathlib import Path
from typing import Annotated, get_args

import typer

from oddville_env.core.game.game_type import GameType, game_type
from oddville_env.core.system.lazy_packages import find_agents
from oddville_env.envs.rewards import REWARDS


def _game(context: typer.Context) -> GameType:
    """The game of the program, which has the name of the game."""
    return game_type(context.find_root().info_name or "")


def _begun(incomplete: str, words: Iterable[str]) -> list[str]:
    """The words with this beginning; of a list `a,b` the last part is completed."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last)]


def agents(context: typer.Context, incomplete: str) -> list[str]:
    """The agents of the roster, and the specs that it uses."""
    game = _game(context).name
    roster = find_agents().roster_of(game)
    known = [*find_agents().built_in(game), *roster.ladder, *roster.measured_against, *roster.trained_against]
    return _begun(incomplete, dict.fromkeys(known))


def seats(context: typer.Context, incomplete: str) -> list[str]:
    """Agents and `human`."""
    return [*_begun(incomplete, ["human"]), *agents(context, incomplete)]


def presets(context: typer.Context, incomplete: str) -> list[str]:
    """Built-in plans of self-play: the files in `presets`."""
    learns = find_agents().roster_of(_game(context).name).self_play
    home = find_spec(f"oddville_training.{learns.rpartition('.')[0]}") if learns else None
    folders = [Path(each) / "presets" for each in (home and home.submodule_search_locations) or ()]
    return _begun(incomplete, sorted(plan.stem for folder in folders for plan in folder.glob("*.toml")))


def encodings(context: typer.Context, incomplete: str) -> list[str]:
    """The names of the encodings."""
    return _begun(incomplete, _game(context).encodings)


def tables(context: typer.Context, incomplete: str) -> list[str]:
    """The names of the reference tables."""
    return _begun(incomplete, [*_game(context).tables, "options"])


def rewards(incomplete: str) -> list[str]:
    """The names of the rewards."""
    return _begun(incomplete, REWARDS)


OFFERS: dict[str, Callable[..., list[str]]] = {
    **dict.fromkeys(("agent", "agents", "against", "best_response", "challenger", "model"), agents),
    "encoding": encodings,
    "name": tables,
    "preset": presets,
    "reward": rewards,
    "seats": seats,
}
"""Functions that complete a parameter, by its name."""


def with_completion(parameter: Parameter) -> Parameter:
    """The parameter with its completion, if there is one."""
    if parameter.name not in OFFERS:
        return parameter
    kind, info = get_args(parameter.annotation)
    told = copy(info)
    told.autocompletion = OFFERS[parameter.name]
    return parameter.replace(annotation=Annotated[kind, told])
