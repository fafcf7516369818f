"""JSON read strictly: every mistake becomes one sentence, and all of them one error."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from oddville_env.core.errors import OddVilleError
from oddville_env.oldtown.cards.words import NOTHING

SHOWN_PROBLEMS = 10
LONGEST_SHOWN = 40
KEY = "[a-z]+(_[a-z]+)*"


class DeckError(OddVilleError):
    """A file that is no deck; `problems` holds a sentence for every mistake."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        """The first problems, one a line, and how many more there are."""
        unshown = len(self.problems) - SHOWN_PROBLEMS
        return "\n".join([*self.problems[:SHOWN_PROBLEMS], *([f"and {unshown} more"] if unshown > 0 else [])])


class _DoubledError(ValueError):
    """A key stands twice in a JSON object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise _DoubledError(f"the key {key!r} stands twice in one object")
    return dict(pairs)


def read_json(path: Path) -> Any:
    """What a file of JSON says; raises DeckError, also where an object says a key twice."""
    try:
        return json.loads(path.read_bytes(), object_pairs_hook=_once)
    except FileNotFoundError:
        raise DeckError([f"{path}: there is no such file"]) from None
    except _DoubledError as error:
        raise DeckError([f"{path}: {error}"]) from None
    except (OSError, ValueError, RecursionError) as error:
        raise DeckError([f"{path}: this is no JSON ({error})"]) from None


class Checks:
    """Readers of plain values; each returns something usable and notes what was wrong in `problems`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def blame(self, where: str, what: str) -> None:
        """Note a mistake."""
        self.problems.append(f"{where}: {what}")

    def fields(self, where: str, plain: object, names: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
        """A JSON object's known fields, each of which must be there unless it is optional."""
        if not isinstance(plain, Mapping):
            self.blame(where, f"expected an object with {', '.join(names)}, found {shown(plain)}")
            return {}
        for name in names:
            if name not in plain:
                self.blame(where, f"field {name} is missing")
        for name in plain:
            if name not in (*names, *optional):
                self.blame(where, f"unknown field {name!r}, expected {', '.join(names)}")
        return {name: plain[name] for name in names if name in plain}

    def entries(self, where: str, plain: object) -> Sequence[Any]:
        """A JSON array."""
        if plain is not None and not isinstance(plain, list):
            self.blame(where, f"expected a list, found {shown(plain)}")
        return plain if isinstance(plain, list) else []

    def number(self, where: str, name: str, plain: object, low: int, high: int) -> int:
        """A whole number in low..high, else NOTHING."""
        if type(plain) is int and low <= plain <= high:
            return plain
        self.blame(where, f"field {name}: expected a whole number from {low} to {high}, found {shown(plain)}")
        return NOTHING

    def text(self, where: str, name: str, plain: object, most: int | None = None) -> str:
        """A text that is not empty."""
        if isinstance(plain, str) and plain.strip() and plain.isprintable() and len(plain) <= (most or len(plain)):
            return plain
        if plain is not None:
            short = f" of at most {most} letters" if most else ""
            self.blame(where, f"field {name}: expected a text{short}, found {shown(plain)}")
        return ""

    def key(self, where: str, plain: object) -> str:
        """A key: small letters and single underscores."""
        if isinstance(plain, str) and re.fullmatch(KEY, plain):
            return plain
        if plain is not None:
            self.blame(where, f"field key: expected small letters and underscores, found {shown(plain)}")
        return ""

    def one_of(self, where: str, name: str, plain: object, words: Sequence[str]) -> int:
        """The place of one of the words, else NOTHING."""
        if isinstance(plain, str) and plain in words:
            return words.index(plain)
        self.blame(where, f"field {name}: unknown building {shown(plain)}, expected {', '.join(words)}")
        return NOTHING


def shown(plain: object) -> str:
    """A value as a message quotes it: short."""
    text = repr(plain)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
