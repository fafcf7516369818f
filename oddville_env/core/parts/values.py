"""The values of games: words as small integers, card sets, and boxes, of which agents get copies."""

from copy import copy
from enum import IntEnum
from functools import cache, cached_property
from typing import Any, Self

import numpy as np


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


class DefensiveCopy:
    """The base of the games' boxes, which hold all that is fixed for a game; compiled code reads their `record` [1]."""

    record: np.ndarray

    @cached_property
    def _theirs(self) -> tuple[Self, np.ndarray, np.ndarray]:
        """The box of agents, and the bytes of its record and of this one's: plain bytes are copied fifty times faster
        than records."""
        other = copy(self)
        object.__setattr__(other, "record", self.record.copy())
        return other, other.record.view(np.uint8), self.record.view(np.uint8)

    def for_agents(self) -> Self:
        """Returns an equal box, always the same one, without what agents wrote into it before.

        It is no read-only one: compiled code is compiled anew for arrays that are.
        """
        other, theirs, ours = self._theirs
        theirs[:] = ours
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_theirs"}


class ByDigest:
    """Cards of a game: equal when their digests are; names do not matter."""

    __slots__ = ()
    name: str
    digest: str

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        """The name and how the digest begins: `<CardSet base 1234567890ab>`."""
        return f"<{type(self).__name__} {self.name} {self.digest[:12]}>"
