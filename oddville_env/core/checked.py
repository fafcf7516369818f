"""Checks of values from outside, each with one error sentence: files, messages, arguments and seeds."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.errors import GameError, SettingError, shown


class ValueKind(NamedTuple):
    """A kind of plain values: `expected` describes it in messages, `holds` tells whether a value is one.

    each: the kind of the values of a list.
    """

    expected: str
    holds: Callable[[Any], bool]
    each: "ValueKind | None" = None

    def fault(self, value: Any) -> str:
        """Return what is wrong with a value that is not of this kind."""
        if self.each is not None and isinstance(value, list | tuple):
            for part in value:
                if not self.each.holds(part):
                    return self.each.fault(part)
        return f"expected {self.expected}, found {shown(value)}"

    def or_none(self) -> "ValueKind":
        """Return the kind that also allows None."""
        return ValueKind(f"{self.expected}, or None", lambda value: value is None or self.holds(value))


LIST = ValueKind("a list", lambda value: isinstance(value, list))
OBJECT = ValueKind("an object", lambda value: isinstance(value, Mapping))


def whole(low: float = -inf, high: float = inf) -> ValueKind:
    """Whole numbers in low..high, without truth values."""
    bounds = f" from {low} to {high}" if high < inf else f" of at least {low}" if low > -inf else ""
    return ValueKind(f"a whole number{bounds}", lambda value: type(value) is int and low <= value <= high)


def number(low: float, high: float) -> ValueKind:
    """Finite numbers in low..high."""
    expected = f"a number from {low:g} to {high:g}"
    return ValueKind(expected, lambda value: type(value) in (int, float) and low <= value <= high)


def above_zero(high: float = inf) -> ValueKind:
    """Finite numbers above 0, at most high."""
    expected = "a number above 0" if high == inf else f"a number above 0 and at most {high:g}"
    return ValueKind(expected, lambda value: type(value) in (int, float) and 0 < value <= high and value < inf)


def truth() -> ValueKind:
    """True or False."""
    return ValueKind("true or false", lambda value: type(value) is bool)


def text() -> ValueKind:
    """Texts that are not empty."""
    return ValueKind("a text", lambda value: isinstance(value, str) and value != "")


def one_of(*words: str) -> ValueKind:
    """One of these texts."""
    return ValueKind(f"one of {', '.join(words)}", lambda value: isinstance(value, str) and value in words)


def several(kind: ValueKind, least: int = 0, most: float = inf) -> ValueKind:
    """Lists and tuples of `least` to `most` values of a kind."""
    amount = "" if most == inf else f"{least} " if least == most else f"{least} to {most} "

    def holds(value: Any) -> bool:
        return isinstance(value, list | tuple) and least <= len(value) <= most and all(map(kind.holds, value))

    return ValueKind(f"a list of {amount}values, each {kind.expected}", holds, kind)


def having(kinds: Mapping[str, ValueKind], others: ValueKind | None = None) -> ValueKind:
    """Objects with these names and kinds of values; `others` is the kind of the values of all other names."""
    parts = [f"{name}: {kind.expected}" for name, kind in kinds.items()]
    parts += [f"any other name: {others.expected}"] if others else []

    def holds(value: Any) -> bool:
        if not isinstance(value, dict) or not kinds.keys() <= value.keys():
            return False
        found = ((kinds.get(name, others), each) for name, each in value.items())
        return all(kind is None or kind.holds(each) for kind, each in found)

    return ValueKind(f"an object with {', '.join(parts)}" if parts else "an object", holds)


def anything() -> ValueKind:
    """All values."""
    return ValueKind("anything", lambda value: True)


def label(most: int) -> ValueKind:
    """Texts of at most `most` letters, which can be printed; not blank ones."""
    fits = f"a text of at most {most} letters"
    return ValueKind(
        fits,
        lambda value: isinstance(value, str) and len(value) <= most and value.isprintable() and value.strip() != "",
    )


def different(kind: ValueKind, most: int, least: int = 0) -> ValueKind:
    """Lists and tuples of `least` to `most` different, hashable values of a kind."""
    amount = str(least) if least == most else f"{least} to {most}"
    expected = f"a list of {amount} different values, each {kind.expected}"
    among = several(kind, least, most)
    return ValueKind(expected, lambda value: among.holds(value) and len(set(value)) == len(value), kind)


def instance(of: type) -> ValueKind:
    """Instances of a class."""
    return ValueKind(f"of the class {of.__name__}", lambda value: isinstance(value, of))


def check(values: Mapping[str, Any], kinds: Mapping[str, ValueKind], error: type[GameError]) -> None:
    """Raise `error` for the first name whose value is missing or not of its kind."""
    for name, kind in kinds.items():
        if name not in values:
            raise error(f"{name} is missing, expected {kind.expected}")
        if not kind.holds(values[name]):
            raise error(f"{name} must be {kind.expected}, not {shown(values[name])}")


def faults(where: str, plain: object, kinds: Mapping[str, ValueKind], optional: Iterable[str] = ()) -> list[str]:
    """Return a sentence for each field of an object that is missing, not of its kind or unknown."""
    if not isinstance(plain, Mapping):
        return [f"{where}: expected an object with {', '.join(kinds)}, found {shown(plain)}"]
    found = [f"{where}: field {name} is missing" for name in kinds if name not in plain and name not in optional]
    for name, value in plain.items():
        if name not in kinds:
            found.append(f"{where}: unknown field {shown(name)}, expected {', '.join(kinds)}")
        elif not kinds[name].holds(value):
            found.append(f"{where}: field {name}: {kinds[name].fault(value)}")
    return found


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


def check_seed(seed: object) -> int:
    """The seed itself, or a fresh one where there is none; raises SettingError."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if not isinstance(seed, Integral) or isinstance(seed, bool) or int(seed) < 0:
        raise SettingError(f"seed must be a whole number of at least 0, or None, not {shown(seed)}")
    return int(seed)


def game_seeds(seed: int, number: int = 1) -> np.ndarray:
    """Seeds of games, uint64 [number]: the first ones are the same for any number."""
    return np.random.SeedSequence(seed).generate_state(number, np.uint64)
