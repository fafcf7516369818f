"""A seat's points by their sources (P7): plays by the type of their card, and pairs."""

from typing import NamedTuple

import numpy as np

from oddville_env.oldtown.rules.box import Box


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
