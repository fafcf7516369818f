"""The agents of a game for people: what each says of itself, and its options."""

from importlib import import_module
from typing import Any, NamedTuple

from oddville_agents.options import Option, options_of
from oddville_agents.player import AgentFaultError, faults_of
from oddville_agents.roster import built_in, own_agents
from oddville_env.core.parts.printed import markdown


class Listed(NamedTuple):
    """An agent that a spec may name. what: the first line of what its class says of itself; home: `module:Class`."""

    name: str
    what: str
    home: str
    options: tuple[Option, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        options = [option.plain() for option in self.options]
        return {"name": self.name, "what": self.what, "class": self.home, "options": options}


def listed(game: str) -> list[Listed]:
    """The agents of a game (by its name), those of other packages too."""
    return [_listed(name, home) for name, home in built_in(game).items()]


def _listed(name: str, home: str) -> Listed:
    """An agent; a plug-in may be broken, and says so."""
    try:
        with faults_of(home, "when it was imported"):
            found = _class_of(home)
            return Listed(name, (found.__doc__ or "it says nothing of itself").splitlines()[0], home, options_of(found))
    except AgentFaultError as error:
        return Listed(name, f"cannot be loaded ({error.reason})", home, ())


def option_table(game: str) -> str:
    """The options of a game's own agents, for its page."""
    rows = [
        (f"`{name}`", f"`{option.name}`", _usual(option), option.kind.expected, option.text)
        for name, home in own_agents(game).items()
        for option in options_of(_class_of(home))
    ]
    return markdown(("agent", "option", "if not said", "expected", "what"), rows)


def _usual(option: Option) -> str:
    return "" if option.default in (None, "") else f"`{option.default}`"


def _class_of(home: str) -> Any:
    module, _, name = home.rpartition(":")
    return getattr(import_module(module), name)
