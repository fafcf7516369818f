"""Taking moves back: what they revealed, a deal anew for who plays alone, the consent of others."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oddville_env.core.errors import GameError

SAMPLES = 5  # deals that must agree with what happened, for a move that revealed nothing


@dataclass
class Asked:
    """Somebody wants to go back to the position after so many moves; waits: the seats of who has not agreed yet."""

    seats: list[int]
    move: int
    waits: set[int] = field(default_factory=set)

    def plain(self) -> dict[str, Any]:
        """What everybody is told of it."""
        return {"what": "undo", "seats": self.seats, "move": self.move, "waits": sorted(self.waits)}


def reveals(before: Any, word: str, after: Any, seats: int) -> bool:
    """[K] Some seat knows more after a move than it could foresee, knowing the word.

    Each one's unknown things are dealt anew a few times: what happens is foreseen where it is the same in all deals.
    seats: how many of them to ask; one where all know the same.
    """
    rng = np.random.default_rng()
    for seat in range(seats):
        seen = after.position(view=seat)
        for _ in range(SAMPLES):
            trial = before.sample_unseen(seat, rng)
            try:
                trial.push(word)
            except GameError:
                return True
            if trial.position(view=seat) != seen:
                return True
    return False


class Revealing:
    """Which moves of a game revealed something; each is looked at once. seats: how many to ask, as above."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._known: dict[int, bool] = {}

    def by(self, number: int, word: str, at: Callable[[int], Any]) -> bool:
        """The move after so many moves did. at: the game as it was after a number of moves."""
        if number not in self._known:
            self._known[number] = reveals(at(number), word, at(number + 1), self._seats)
        return self._known[number]

    def forget(self, number: int) -> None:
        """The moves from this one on were taken back."""
        self._known = {move: told for move, told in self._known.items() if move < number}
