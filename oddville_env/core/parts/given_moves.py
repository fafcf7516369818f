"""What people give as a move: a word, a game's own `Move`, or an id."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np

from oddville_env.core.errors import NotationError, shown


class AnyMove(Protocol):
    """A game's `Move`."""

    @property
    def kind(self) -> Any:
        """What is done."""

    @property
    def parts(self) -> Any:
        """With what."""

    @property
    def is_written(self) -> bool:
        """Its kind and parts are such that it has a word."""

    @classmethod
    def parse(cls, word: str) -> Any:
        """The move of a word; raises NotationError."""


M = TypeVar("M", bound=AnyMove)


def action_of(move: Any, size: int, moves: type[M], id_of: Callable[[M], int | None]) -> int | None:
    """The id, 0 to size - 1, of a word, a move or an id, None where there is none; raises NotationError."""
    if isinstance(move, int | np.integer) and not isinstance(move, bool):
        return int(move) if 0 <= move < size else None
    if not isinstance(move, moves):
        move = moves.parse(str(move) if isinstance(move, bool) else move)
    elif not move.is_written:
        raise NotationError(f"no move has the kind {shown(move.kind)} and the parts {shown(move.parts)}")
    return id_of(move)
