"""The options of an agent as data, declared in the signature of its class.

`threads: Annotated[int, Option(whole(1), "trees that grow side by side")] = 1`: name, type and default come from the
signature, range and description from the annotation. Specs are checked by them; commands, the page and the tables of
the documentation print them.
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
    return tuple(_option(each) for each in parameters if each.kind not in VARIADIC)


def _option(parameter: inspect.Parameter) -> Option:
    notes = getattr(parameter.annotation, "__metadata__", ())
    declared = next((note for note in notes if isinstance(note, Option)), Option())
    default = None if parameter.default is parameter.empty else parameter.default
    return declared._replace(name=parameter.name, default=default)


def check_options(make: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise AgentError for the first value outside its option's range."""
    for option in options_of(make):
        value = given.get(option.name, option.default)
        if value is not option.default and not option.kind.holds(value):
            raise AgentError(f"{option.name} must be {option.kind.expected}, not {shown(value)}")
