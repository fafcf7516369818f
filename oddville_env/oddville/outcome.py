"""How a game ended."""

from typing import NamedTuple

import numpy as np

from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.position import scores
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import Phase


class Outcome(NamedTuple):
    """[E1-E4] Scores and strict ranks (1 is best) by seat; the trigger is None where the game was cut off."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winner: int
    trigger: int | None
    truncated: bool


def outcome_of(box: Box, games: np.ndarray, index: int = 0) -> Outcome | None:
    """How one of the games ended, None while it has not."""
    game = games[index]
    if game.phase != Phase.OVER:
        return None
    points, ranks = np.array(scores(box, games, index)), np.zeros(box.players, np.int64)
    batch.ranks(box.record, games, index, points, ranks)
    trigger = None if game.trigger == NOBODY else int(game.trigger)
    return Outcome(tuple(points.tolist()), tuple(ranks.tolist()), int(ranks.argmin()), trigger, bool(game.truncated))
