"""The end of a game (scores, ranks, cause), and every seat's points by source (P7)."""

from typing import NamedTuple

import numpy as np

from oddville_env.core.game.game_type import Outcome
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import End, Phase


def scores_of(box: Box, games: np.ndarray, index: int = 0) -> list[int]:
    """[E3] Every seat's score."""
    out = np.zeros(box.players, np.int64)
    batch.scores(box.record, games, index, out)
    return out.tolist()


def outcome_of(box: Box, games: np.ndarray, index: int = 0) -> Outcome | None:
    """The end of one of the games, None while it is not over."""
    game = games[index]
    if game.phase != Phase.OVER:
        return None
    points, ranks = np.array(scores_of(box, games, index)), np.zeros(box.players, np.int64)
    batch.ranks(box.record, games, index, points, ranks)
    return Outcome(tuple(points.tolist()), tuple(ranks.tolist()), end=End(game.end).word)


class SeatScore(NamedTuple):
    """[P7] A seat's points by what brought them."""

    a_cards: int
    c_cards: int
    b_cards: int
    pairs: int

    @property
    def total(self) -> int:
        """The seat's score."""
        return sum(self)


def score_sheet(box: Box, games: np.ndarray, index: int = 0) -> list[SeatScore]:
    """Every seat's points so far; none of a game that began in a position."""
    return [SeatScore(*points) for points in games[index].earned[: box.players].tolist()]
