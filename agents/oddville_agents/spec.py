"""Specs: the texts that name agents, such as `search:ms=500`, parsed and checked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from oddville_agents.player import AgentError
from oddville_agents.roster import FIRST_GAME, own_agents
from oddville_env.core.errors import shown

LONGEST_SPEC = 1000
MODELS = (".safetensors", ".zip")
MODEL_FORMAT = "-model"
"""The format of a model's description is the game's name and this."""


class AgentSpec(NamedTuple):
    """A spec as values. Programs use it where a text could be misread.

    where: a name, `package.module:Class`, `./file.py:Class` or a model's file; options: those of the agent's class.
    """

    where: str
    options: Mapping[str, Any] = {}

    def __str__(self) -> str:
        """Return the spec as a text."""
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.where}:{options}" if options else self.where


def parse_spec(spec: object) -> AgentSpec:
    """Return the values of a spec. Raises AgentError for what is no text, or for options that cannot be read."""
    if isinstance(spec, AgentSpec):
        return spec
    if not isinstance(spec, str) or not 0 < len(spec) <= LONGEST_SPEC:
        raise AgentError(f"an agent is named by a text such as greedy, not {shown(spec)}")
    where, _, last = spec.rpartition(":")
    if not where or "=" not in last:
        return AgentSpec(spec)
    options = {}
    for option in last.split(","):
        key, equals, value = option.partition("=")
        if not equals or not key.isidentifier():
            raise AgentError(f"agent {spec!r}: options are written key=value,key=value, not {option!r}")
        options[key] = _value(value)
    return AgentSpec(where, options)


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def is_own_code(spec: str, game: str = FIRST_GAME) -> bool:
    """Return whether a spec names code of this package only: a built-in agent, or a model that holds only weights."""
    where, _ = parse_spec(spec)
    return where in own_agents(game) or where.endswith(".safetensors")


def check_spec_from_file(spec: object, file: Path, game: str = FIRST_GAME) -> str:
    """Return a spec that a file names if making its agent runs code of this package only.

    Raises AgentError otherwise: untrusted files could name a class or a `.zip`, which can run any code.
    """
    if not isinstance(spec, str) or not spec:
        raise AgentError(f"{file}: an agent is named by a text such as greedy, not {shown(spec)}")
    try:
        own = is_own_code(spec, game)
    except AgentError as error:
        raise AgentError(f"{file}: {error}") from None
    if not own:
        raise AgentError(
            f"{file} names the agent {shown(spec)}, which has code of its own: files may name built-in agents and "
            ".safetensors models only, so name it on the command line too if you trust it"
        )
    return spec


def files_of(spec: str) -> list[Path]:
    """Return the files that a spec names and that decide how its agent plays: code, a model, files in options."""
    where, options = parse_spec(spec)
    path = where if where.endswith(MODELS) else where.rpartition(":")[0]
    found = [path] if path.endswith((".py", *MODELS)) else []
    found += [value for value in options.values() if isinstance(value, str) and value.endswith(".json")]
    return [Path(each) for each in found]
