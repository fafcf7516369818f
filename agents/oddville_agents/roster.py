"""The agents of each game, by the names that a spec may begin with, and their options.

An option is data, declared in the signature of an agent's class:
`threads: Annotated[int, Option(whole(1), "trees that grow side by side")] = 1`. Name, type and default come from the
signature, range and description from the annotation. Specs are checked by them; commands, the page and the tables of
the documentation print them.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from oddville_agents.player import AgentFaultError, faults_of
from oddville_env.core.checked import ValueKind, above_zero, text
from oddville_env.core.game.game_type import known_games
from oddville_env.core.parts.printed import markdown
from oddville_env.core.system.extras import entry_points

USUAL_MS = 200
NAMED = text()._replace(holds=lambda value: True)
"""A name or a file's path, which may look like a number; the lookup reports unknown names."""


class Option(NamedTuple):
    """An option. kind: the allowed values, beside the default; text: its description."""

    kind: ValueKind = ValueKind("anything", lambda value: True)
    text: str = ""
    name: str = ""
    default: Any = None

    def plain(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {"name": self.name, "default": self.default, "expected": self.kind.expected, "what": self.text}


Ms = Annotated[float | None, Option(above_zero(), f"milliseconds for a move; {USUAL_MS} without `sims`")]
NetworkName = Annotated[str, Option(text(), "the value network: `learned`, or a `.safetensors` file")]


def clock_of(ms: float | None, sims: int | None) -> float | None:
    """Return the milliseconds for a move, None if iterations are counted. Raises ValueError if both are given."""
    if ms is not None and sims is not None:
        raise ValueError("it takes ms (milliseconds) or sims (iterations), not both")
    return None if sims is not None else USUAL_MS if ms is None else ms


def options_of(make: Callable[..., Any]) -> tuple[Option, ...]:
    """Return the options of an agent's class in their order; undeclared ones have only a name and a default."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return ()
    found = []
    for each in parameters:
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            notes = getattr(each.annotation, "__metadata__", ())
            declared = next((note for note in notes if isinstance(note, Option)), Option())
            found.append(
                declared._replace(name=each.name, default=None if each.default is each.empty else each.default)
            )
    return tuple(found)


AFTERSTATES = "oddville_agents.policies.afterstates:AfterstatesAgent"
AFTERSTATES_BASELINES: dict[str, tuple[str, Mapping[str, Any]]] = {
    f"afterstates-{minutes}": (AFTERSTATES, {}) for minutes in (5, 20)
}
LEVELS = ("beginner", "easy", "medium", "hard", "master")  # of strength, on the page; rosters name their agents
BASELINE = "baseline:"  # before the names of pretrained networks
FIRST_GAME = "oddville"  # the default game of a spec
EVERY_GAME = {"random": "oddville_agents.policies.baselines:RandomAgent"}  # the agents that play any game
ASKING = {"chat": "oddville_agents.policies.asking:ChatAgent"}
"""Agents of any game that ask other programs: they do not count as own code, so no file may name one."""
PLUG_INS = "oddville_env.agents"  # the entry-point group of agents; other games than the first add a dot and their name


class Roster(NamedTuple):
    """A game's own agents: `ROSTER` of the package of its agents.

    built_in: names and the classes behind them (`module:Class`) · baselines: names of pretrained networks, files of the
    game's folder `baselines`, with the classes that play by them and their other options · networks: the `Networks` of
    trained models (`module:NAME`) · ladder: specs, the weakest first · measured_against: default opponents in
    evaluation · trained_against: default opponents in training, dealt out to the environments · levels: the specs of
    LEVELS · self_play: the module of `oddville_training` whose `run` learns by self-play.
    """

    built_in: Mapping[str, str] = {}
    baselines: Mapping[str, tuple[str, Mapping[str, Any]]] = {}
    networks: str = ""
    ladder: tuple[str, ...] = ("random",)
    measured_against: tuple[str, ...] = ("random",)
    trained_against: tuple[str, ...] = ("random",)
    levels: tuple[str, ...] = ()
    self_play: str = ""


@cache
def roster_of(game: str) -> Roster:
    """Return the roster of a game, by the game's name; a game without agents here has those of other packages."""
    home = f"oddville_agents.{game}"
    try:
        own: Roster = importlib.import_module(home).ROSTER
    except ModuleNotFoundError as error:
        if error.name is None or not home.startswith(error.name):
            raise
        return Roster()
    return own


def built_in(game: str = FIRST_GAME) -> dict[str, str]:
    """Return the agents' names and their classes (`module:Class`): plug-ins first, then the game's own agents."""
    group = PLUG_INS if game == FIRST_GAME else f"{PLUG_INS}.{game}"
    plugged = {point.name: point.value for point in entry_points(group=group)}
    return {**plugged, **own_agents(game)}


def own_agents(game: str) -> dict[str, str]:
    """Return the names and classes of the agents that come with this package."""
    roster = roster_of(game)
    pretrained = {f"{BASELINE}{name}": home for name, (home, _) in roster.baselines.items()}
    return {**EVERY_GAME, **roster.built_in, **pretrained}


def options_of_baseline(game: str, name: str) -> dict[str, Any]:
    """Return the options of a baseline, its `network` among them, nothing for other agents."""
    if not name.startswith(BASELINE) or name not in own_agents(game):
        return {}
    own = name.removeprefix(BASELINE)
    file = Path(__file__).resolve().parent / game / "baselines" / f"{own}.safetensors"
    return {"network": str(file), **roster_of(game).baselines[own][1]}


def known_agents(game: str, wanted: str) -> dict[str, str]:
    """Return the agents that a spec may name; only the own ones, where `wanted` is one: plug-ins take time to find."""
    own = own_agents(game)
    return own if wanted in own else _all_agents(game)


def _all_agents(game: str) -> dict[str, str]:
    return {**built_in(game), **(ASKING if game in known_games() else {})}


def hint_agent(game: str) -> str:
    """Return the agent of a game that gives hints."""
    return "greedy" if "greedy" in known_agents(game, "greedy") else "random"


class Listed(NamedTuple):
    """An agent in a list. what: the first line of its class's docstring; home: `module:Class`."""

    name: str
    what: str
    home: str
    options: tuple[Option, ...]

    def plain(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        options = [option.plain() for option in self.options]
        return {"name": self.name, "what": self.what, "class": self.home, "options": options}


def listed(game: str) -> list[Listed]:
    """Return the agents of a game, plug-ins included; one that cannot be imported says so."""
    agents = []
    for name, home in _all_agents(game).items():
        try:
            with faults_of(home, "when it was imported"):
                found = _class_of(home)
                what, options = (found.__doc__ or "no description").splitlines()[0], options_of(found)
                if options_of_baseline(game, name):
                    what, options = f"Pretrained. {what}", ()
        except AgentFaultError as error:
            what, options = f"cannot be loaded ({error.reason})", ()
        agents.append(Listed(name, what, home, options))
    return agents


def option_table(game: str) -> str:
    """Return the options of a game's own agents as a markdown table."""
    rows = []
    for name, home in (EVERY_GAME | dict(roster_of(game).built_in)).items():
        for option in options_of(_class_of(home)):
            default = "" if option.default in (None, "") else f"`{option.default}`"
            rows.append((f"`{name}`", f"`{option.name}`", default, option.kind.expected, option.text))
    return markdown(("agent", "option", "default", "expected", "what"), rows)


def _class_of(home: str) -> Any:
    module, _, name = home.rpartition(":")
    return getattr(importlib.import_module(module), name)
