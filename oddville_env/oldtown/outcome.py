"""How a game ended."""

from typing import NamedTuple

import numpy as np

from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import End, Phase


class Outcome(NamedTuple):
    """[E1-E4] Scores and ranks (1 is best, equals share the better one) by seat, and which end it was."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    end: str

    @property
    def winners(self) -> tuple[int, ...]:
        """[E4] The seats with the most points."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


def scores_of(box: Box, games: np.ndarray, index: int = 0) -> list[int]:
    """[E3] Every seat's score."""
    out = np.zeros(box.players, np.int64)
    batch.scores(box.record, games, index, out)
    return out.tolist()


def outcome_of(box: Box, games: np.ndarray, index: int = 0) -> Outcome | None:
    """How one of the games ended, None while it has not."""
    game = games[index]
    if game.phase != Phase.OVER:
        return None
    points, ranks = np.array(scores_of(box, games, index)), np.zeros(box.players, np.int64)
    batch.ranks(box.record, games, index, points, ranks)
    return Outcome(tuple(points.tolist()), tuple(ranks.tolist()), End(game.end).word)
