"""Checks of arguments, the same for every game."""

import os
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from oddville_env.core.errors import SettingError, shown


def whole_number(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return a setting as an int; raises SettingError for anything but a whole number in low..high."""
    expected = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise SettingError(f"{name} must be {expected}, not {shown(value)}")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise SettingError(f"{name} must be {expected}, not {shown(value)}")
    return number


def as_it_was_set(name: str, there: object, asked: object) -> None:
    """Raise SettingError if an option asks a resumed run for another setting than the stored one."""
    if asked != there:
        told = f"its {name} is {shown(there)}, not {shown(asked)} as --{name.replace('_', '-')} says"
        raise SettingError(f"--resume goes on with the run as it was set: {told}")


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
