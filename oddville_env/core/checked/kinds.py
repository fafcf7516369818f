"""Kinds of plain values in files and messages: a kind is declared once, and checked with one error sentence."""

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any, NamedTuple

from oddville_env.core.errors import GameError, shown


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


def whole(low: int, high: float = inf) -> ValueKind:
    """Whole numbers in low..high, without truth values."""
    expected = f"a whole number of at least {low}" if high == inf else f"a whole number from {low} to {high}"
    return ValueKind(expected, lambda value: type(value) is int and low <= value <= high)


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


def several(kind: ValueKind, least: int, most: int) -> ValueKind:
    """Lists and tuples of `least` to `most` values of a kind."""
    amount = str(least) if least == most else f"{least} to {most}"

    def holds(value: Any) -> bool:
        return isinstance(value, list | tuple) and least <= len(value) <= most and all(map(kind.holds, value))

    return ValueKind(f"a list of {amount} values, each {kind.expected}", holds, kind)


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
