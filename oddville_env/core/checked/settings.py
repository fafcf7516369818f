"""Checks of arguments, the same for every game."""

import os
from collections.abc import Sequence
from math import inf
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from oddville_env.core.checked.kinds import whole
from oddville_env.core.errors import SettingError, shown


def whole_number(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return a setting as an int; raises SettingError for anything but a whole number in low..high."""
    kind = whole(low, inf if high is None else high)
    if not isinstance(value, Integral) or isinstance(value, bool) or not kind.holds(int(value)):
        raise SettingError(f"{name} must be {kind.expected}, not {shown(value)}")
    return int(value)


def check_unchanged(name: str, stored: object, asked: object) -> None:
    """Raise SettingError if an option asks a resumed run for another setting than the stored one."""
    if asked != stored:
        said = f"its {name} is {shown(stored)}, not {shown(asked)} as --{name.replace('_', '-')} says"
        raise SettingError(f"--resume uses the stored settings: {said}")


def path_of(name: str, value: object) -> Path:
    """Return a setting as a path; raises SettingError for anything else."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise SettingError(f"{name} must be a path, not {shown(value)}")
    return Path(value)


def sequence(name: str, value: object) -> Sequence[Any]:
    """Return a setting as a sequence; raises SettingError for anything else, texts too."""
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise SettingError(f"{name} must be a list, not {shown(value)}")
    return value


def put_checked(settings: object, **checked: object) -> None:
    """Put checked values into the fields of a frozen dataclass, in its `__post_init__`."""
    for name, value in checked.items():
        object.__setattr__(settings, name, value)
