"""The end of a game (scores, ranks, cause), and every seat's points by source (P7)."""

from typing import NamedTuple

import numpy as np

from oddville_env.core.game.game_type import Outcome
from oddville_env.oldtown.loops import LOOPS
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import End, Phase


def outcome_of(box: Box, games: np.ndarray, index: int = 0) -> Outcome | None:
    """The end of one of the games, None while it is not over."""
    game = games[index]
    if game.phase != Phase.OVER:
        return None
    return Outcome(*LOOPS.standing(box, games, index), end=End(game.end).word)


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
