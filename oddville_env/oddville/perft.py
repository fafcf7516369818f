"""Counting lines of play: a fingerprint of the rules, and a measure of their speed."""

import numpy as np

from oddville_env.oddville.game import Game
from oddville_env.oddville.rules import batch


def perft(game: Game, depth: int) -> int:
    """How many lines of `depth` legal moves begin here, with the hidden order as it is; a game that ends
    before is not counted."""
    if depth == 0:
        return 1
    games = np.zeros(depth + 1, game.box.games)
    masks = np.zeros((depth + 1, game.box.layout.size), np.bool_)
    games[0], masks[0] = game.state[0], game.mask
    return int(batch.perft(game.box.record, games, masks, 0))
