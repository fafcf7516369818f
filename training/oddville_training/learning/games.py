"""Statistics of the games that a run played: the callback that counts them."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

FACTS = ("win_rate", "score", "margin", "decisions")


class GameStatistics(BaseCallback):
    """Keeps the last games against each opponent.

    opponent_of: the spec of an environment's opponents; window: how many games are kept of each.
    """

    def __init__(self, opponent_of: Callable[[int], str], window: int) -> None:
        super().__init__()
        self._opponent_of, self._window = opponent_of, window
        self._last: dict[str, deque[np.ndarray]] = defaultdict(lambda: deque(maxlen=window))
        self._lengths: defaultdict[int, int] = defaultdict(int)

    def _on_step(self) -> bool:
        for index, (done, info) in enumerate(zip(self.locals["dones"], self.locals["infos"], strict=True)):
            self._lengths[index] += 1
            if done:
                self._last[self._opponent_of(index)].append(_facts_of_game(info, self._lengths.pop(index)))
        return True

    def means(self) -> dict[str, dict[str, float]]:
        """Opponent -> fact -> its mean over the last games."""
        return {
            opponent: dict(zip(FACTS, np.stack(games).mean(0, np.float64).tolist(), strict=True))
            for opponent, games in self._last.items()
        }

    def drop_unfinished(self) -> None:
        """The games that are being played will not be finished."""
        self._lengths.clear()

    def state(self) -> dict[str, np.ndarray]:
        """Opponent -> the facts of its last games, float32 [games, 4]."""
        return {opponent: np.stack(games) for opponent, games in self._last.items()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Take over what `state` gave."""
        for opponent, games in state.items():
            self._last[opponent].extend(games)


def _facts_of_game(info: dict[str, Any], decisions: int) -> np.ndarray:
    """Of one game: 1 for a win, which winners share, the score, the lead over the mean of the others, and decisions.

    float32 [4].
    """
    scores, seat = info["scores"], info["seat"]
    lead = scores[seat] - np.delete(scores, seat).mean()
    won = (info["ranks"][seat] == 1) / info["ranks"].count(1)
    return np.array([won, scores[seat], lead, decisions], np.float32)
