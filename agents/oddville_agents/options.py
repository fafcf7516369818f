"""The options of an agent as data, declared where its class takes them.

`threads: Annotated[int, Option(whole(1), "trees that grow side by side")] = 1`: name, type and default are the
signature's, the range and what it does for people stand beside them. The roster checks every spec by them; commands,
the page and the tables of the documentation print them.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

from oddville_agents.player import AgentError
from oddville_env.core.checked.kinds import ValueKind, above_zero, text
from oddville_env.core.errors import shown

VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
USUAL_MS = 200
NAMED = text()._replace(holds=lambda value: True)
"""A name, or a file's, which may look like a number: who looks for it says what there is."""


class Option(NamedTuple):
    """An option. kind: what its values must be, beside the default; text: what it does. The signature names it."""

    kind: ValueKind = ValueKind("anything", lambda value: True)
    text: str = ""
    name: str = ""
    default: Any = None

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"name": self.name, "default": self.default, "expected": self.kind.expected, "what": self.text}


Ms = Annotated[float | None, Option(above_zero(), f"milliseconds for a move; {USUAL_MS} where `sims` is not said")]
NetworkName = Annotated[str, Option(text(), "the value network: `learned`, or a `.safetensors` file")]


def clock_of(ms: float | None, sims: int | None) -> float | None:
    """The milliseconds that a search thinks for; None where it counts iterations. Raises ValueError for both."""
    if ms is not None and sims is not None:
        raise ValueError("it thinks for ms milliseconds or for sims iterations, not for both")
    return None if sims is not None else USUAL_MS if ms is None else ms


def options_of(make: Callable[..., Any]) -> tuple[Option, ...]:
    """The options of what makes an agent, in the order of its signature; of undeclared ones name and default alone."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return ()
    return tuple(_option(each) for each in parameters if each.kind not in VARIADIC)


def _option(parameter: inspect.Parameter) -> Option:
    notes = getattr(parameter.annotation, "__metadata__", ())
    declared = next((note for note in notes if isinstance(note, Option)), Option())
    default = None if parameter.default is parameter.empty else parameter.default
    return declared._replace(name=parameter.name, default=default)


def check_options(make: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raises AgentError for the first value that an option cannot have."""
    for option in options_of(make):
        value = given.get(option.name, option.default)
        if value is not option.default and not option.kind.holds(value):
            raise AgentError(f"{option.name} must be {option.kind.expected}, not {shown(value)}")
