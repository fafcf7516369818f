"""JSON read strictly: every mistake becomes one sentence, and all of them one error."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from oddville_env.core.disk.reading import parse_json, read_whole
from oddville_env.core.errors import ProblemsError, shown, shown_path
from oddville_env.oldtown.cards.words import NOTHING

KEY = "[a-z]+(_[a-z]+)*"
MOST_LETTERS = 40  # of a key


class DeckError(ProblemsError):
    """A file that is no deck; `problems` holds a sentence for every mistake."""


def read_json(path: Path) -> Any:
    """The value of a file of JSON; raises DeckError, also where an object says a key twice."""
    try:
        return parse_json(read_whole(path))
    except FileNotFoundError:
        raise DeckError([f"{shown_path(path)}: there is no such file"]) from None
    except OSError as error:
        raise DeckError([f"{shown_path(path)}: it cannot be read ({error.strerror})"]) from None
    except ValueError as error:
        raise DeckError([f"{shown_path(path)}: this is no JSON ({error})"]) from None


class Checks:
    """Readers of plain values; each returns something usable and notes what was wrong in `problems`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def blame(self, where: str, what: str) -> None:
        """Note a mistake."""
        self.problems.append(f"{where}: {what}")

    def fields(
        self,
        where: str,
        plain: object,
        names: Sequence[str],
        optional: Sequence[str] = (),
        nullable: Sequence[str] = (),
    ) -> dict[str, Any]:
        """A JSON object's known fields, each of which must be there unless it is optional.

        Null stands only where a field is nullable; the other readers take it as told here.
        """
        if not isinstance(plain, Mapping):
            self.blame(where, f"expected an object with {', '.join(names)}, found {shown(plain)}")
            return {}
        for name in names:
            if name not in plain:
                self.blame(where, f"field {name} is missing")
            elif plain[name] is None and name not in nullable:
                self.blame(where, f"field {name} is null")
        for name in plain:
            if name not in (*names, *optional):
                self.blame(where, f"unknown field {shown(name)}, expected {', '.join(names)}")
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

    def text(self, where: str, name: str, plain: object, most: int) -> str:
        """A text that is not empty."""
        if isinstance(plain, str) and plain.strip() and plain.isprintable() and len(plain) <= most:
            return plain
        if plain is not None:
            self.blame(where, f"field {name}: expected a text of at most {most} letters, found {shown(plain)}")
        return ""

    def key(self, where: str, plain: object) -> str:
        """A key: small letters and single underscores."""
        if isinstance(plain, str) and len(plain) <= MOST_LETTERS and re.fullmatch(KEY, plain):
            return plain
        if plain is not None:
            expected = f"small letters and underscores, at most {MOST_LETTERS}"
            self.blame(where, f"field key: expected {expected}, found {shown(plain)}")
        return ""

    def one_of(self, where: str, name: str, plain: object, words: Sequence[str]) -> int:
        """The place of one of the words, else NOTHING."""
        if isinstance(plain, str) and plain in words:
            return words.index(plain)
        self.blame(where, f"field {name}: unknown building {shown(plain)}, expected {', '.join(words)}")
        return NOTHING
