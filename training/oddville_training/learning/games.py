"""What became of the games that a run played: the callback that counts them."""

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback


class GameStatistics(BaseCallback):
    """Keeps the last games against each opponent.

    opponent_of: the spec of an environment's opponents; window: how many games are kept of each.
    """

    def __init__(self, opponent_of: Callable[[int], str], window: int) -> None:
        super().__init__()
        self._opponent_of = opponent_of
        self._last: dict[str, deque[dict[str, float]]] = defaultdict(lambda: deque(maxlen=window))
        self._lengths: defaultdict[int, int] = defaultdict(int)
        self.finished = 0

    def _on_step(self) -> bool:
        for index, (done, info) in enumerate(zip(self.locals["dones"], self.locals["infos"], strict=True)):
            self._lengths[index] += 1
            if done:
                self._last[self._opponent_of(index)].append(_game_facts(info) | {"decisions": self._lengths.pop(index)})
                self.finished += 1
        return True

    def means(self) -> dict[str, dict[str, float]]:
        """Opponent -> fact -> its mean over the last games."""
        return {
            opponent: {fact: float(np.mean([game[fact] for game in games])) for fact in games[0]}
            for opponent, games in self._last.items()
        }


def _game_facts(info: dict[str, Any]) -> dict[str, float]:
    """Of one game: 1 for a win, the score, and the lead over the mean of the others."""
    scores, seat = info["scores"], info["seat"]
    lead = scores[seat] - np.delete(scores, seat).mean()
    return {"win_rate": float(info["ranks"][seat] == 1), "score": float(scores[seat]), "margin": float(lead)}
