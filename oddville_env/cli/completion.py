"""Shell completion of a word that was begun: by the name of the parameter, the same in all commands.

Nothing is compiled or loaded for it but lists of names.
"""

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
    """The game of the program, which is called as the game is."""
    return game_type(context.find_root().info_name or "")


def _begun(incomplete: str, words: Iterable[str]) -> list[str]:
    """The words that begin so; of a list `a,b` the last part is gone on with."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last)]


def agents(context: typer.Context, incomplete: str) -> list[str]:
    """Specs: the agents that the game's roster names, and those specs of them that it uses itself."""
    game = _game(context).name
    roster = find_agents().roster_of(game)
    known = [*find_agents().built_in(game), *roster.ladder, *roster.measured_against, *roster.trained_against]
    return _begun(incomplete, dict.fromkeys(known))


def seats(context: typer.Context, incomplete: str) -> list[str]:
    """Who may sit at the table: agents and people."""
    return [*_begun(incomplete, ["human"]), *agents(context, incomplete)]


def presets(context: typer.Context, incomplete: str) -> list[str]:
    """Plans of self-play that come with the package: files beside what the game learns itself by."""
    learns = find_agents().roster_of(_game(context).name).self_play
    home = find_spec(f"oddville_training.{learns.rpartition('.')[0]}") if learns else None
    folders = [Path(each) / "presets" for each in (home and home.submodule_search_locations) or ()]
    return _begun(incomplete, sorted(plan.stem for folder in folders for plan in folder.glob("*.toml")))


def encodings(context: typer.Context, incomplete: str) -> list[str]:
    """The names of the game's observations."""
    return _begun(incomplete, _game(context).encodings)


def tables(context: typer.Context, incomplete: str) -> list[str]:
    """The names of the tables that the game prints."""
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
"""By the names of parameters: what gives the words that may stand there."""


def with_completion(parameter: Parameter) -> Parameter:
    """The parameter of a command, whose words a shell completes where it is known what they may be."""
    if parameter.name not in OFFERS:
        return parameter
    kind, info = get_args(parameter.annotation)
    told = copy(info)
    told.autocompletion = OFFERS[parameter.name]
    return parameter.replace(annotation=Annotated[kind, told])
