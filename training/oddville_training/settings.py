"""Settings of runs as dataclass fields, each with its default and the kind of its value."""

from collections.abc import Collection, Mapping
from dataclasses import field, fields
from math import inf
from typing import Any

from oddville_env.core.checked import ValueKind
from oddville_env.core.errors import GameError, SettingError, shown

LARGEST_SEED = 2**32 - 1  # of numpy's and torch's generators alike


def setting(default: Any, kind: ValueKind) -> Any:
    """A dataclass field with the kind of its value."""
    return field(default=default, metadata={"kind": kind})


def known_settings(plain: Mapping[str, Any], known: Collection[str], error: type[GameError]) -> dict[str, Any]:
    """The settings of a file, its lists as tuples; raises the error where one is not known."""
    for name in plain:
        if name not in known:
            raise error(f"there is no setting {shown(name)}, expected some of {', '.join(known)}")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}


def kinds_of(config: Any) -> dict[str, ValueKind]:
    """The kinds of all fields of a dataclass that were made by `setting`."""
    return {each.name: each.metadata["kind"] for each in fields(config) if each.metadata}


def check_minutes(minutes: float | None) -> None:
    """Raises SettingError unless a time limit is None or a finite number above 0."""
    if minutes is not None and not 0 < minutes < inf:
        raise SettingError(f"minutes must be a number above 0, not {minutes}")
