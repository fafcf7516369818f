"""The end of a game: scores, ranks and trigger."""

import numpy as np

from oddville_env.core.game.game_type import Outcome
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.position import scores
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import Phase


def outcome_of(box: Box, games: np.ndarray, index: int = 0) -> Outcome | None:
    """[E1-E4] The end of one of the games, None while it is not over; the trigger is None where it was cut off."""
    game = games[index]
    if game.phase != Phase.OVER:
        return None
    points, ranks = np.array(scores(box, games, index)), np.zeros(box.players, np.int64)
    batch.ranks(int(game.first), int(game.trigger), points, ranks)
    trigger = None if game.trigger == NOBODY else int(game.trigger)
    return Outcome(tuple(points.tolist()), tuple(ranks.tolist()), trigger, bool(game.truncated))
