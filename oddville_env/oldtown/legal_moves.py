"""What may be played, as people ask for it."""

from collections.abc import Iterator

import numpy as np

from oddville_env.core.errors import NotationError
from oddville_env.oldtown.moves import Move, action_of, move_of
from oddville_env.oldtown.rules.actions import Layout


class LegalMoves:
    """The legal moves of a position: iterate over them, count them, ask with `in` for a word, a Move or an id."""

    def __init__(self, layout: Layout, mask: np.ndarray) -> None:
        self._layout, self._mask = layout, mask

    def __iter__(self) -> Iterator[Move]:
        moves = [move_of(self._layout, action) for action in np.flatnonzero(self._mask).tolist()]
        return iter(sorted(moves, key=str))

    def __len__(self) -> int:
        return int(self._mask.sum())

    def count(self) -> int:
        """How many there are."""
        return len(self)

    def __contains__(self, move: "str | Move | int") -> bool:
        try:
            action = action_of(self._layout, move)
        except NotationError:
            return False
        return action is not None and bool(self._mask[action])

    def words(self) -> list[str]:
        """Their words, sorted."""
        return [move.word for move in self]

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves: {', '.join(self.words())}>"
