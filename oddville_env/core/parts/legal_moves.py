"""The legal moves, as people ask for them."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from oddville_env.core.errors import NotationError

Move = TypeVar("Move")


class LegalMoves(Generic[Move]):
    """The legal moves of a position: iterate over them, count them, ask with `in` for a word, a Move or an id."""

    def __init__(self, mask: np.ndarray, move: Callable[[int], Move], action: Callable[[Any], int | None]) -> None:
        """move: id -> the game's Move; action: word, Move or id -> id, None where there is none."""
        self._mask, self._move, self._action = mask, move, action

    def __iter__(self) -> Iterator[Move]:
        return iter(sorted(map(self._move, np.flatnonzero(self._mask).tolist()), key=str))

    def __len__(self) -> int:
        return int(self._mask.sum())

    def count(self) -> int:
        """The number of legal moves."""
        return len(self)

    def __contains__(self, move: Any) -> bool:
        try:
            action = self._action(move)
        except NotationError:
            return False
        return action is not None and bool(self._mask[action])

    def words(self) -> list[str]:
        """Their words, sorted."""
        return [str(move) for move in self]

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves: {', '.join(self.words())}>"
