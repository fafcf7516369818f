"""The rulebook's words as small integers: how data says them, and how compiled code does."""

from enum import IntEnum
from functools import cache


class Word(IntEnum):
    """An index with a name: `Phase.MAIN.word == "main"`."""

    @property
    def word(self) -> str:
        """The member as tables, moves and JSON write it."""
        return self.name.lower()

    @classmethod
    @cache
    def words(cls) -> tuple[str, ...]:
        """All words of this kind, in the order of their numbers."""
        return tuple(member.word for member in cls)
