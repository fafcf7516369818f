"""Counting lines of play: a fingerprint of the rules, and a measure of their speed."""

from typing import Any

import numpy as np

from oddville_env.core.checked.settings import whole_number
from oddville_env.core.compiled.jit import kernel

DEEPEST = 100


def count_lines(game: Any, depth: int) -> int:
    """The number of lines of `depth` legal moves that begin here, with the hidden order as it is; a game that ends
    before is not counted. Raises SettingError."""
    whole_number("depth", depth, 0, DEEPEST)
    if depth == 0:
        return 1
    games = np.zeros(depth + 1, game.box.games)
    masks = np.zeros((depth + 1, game.box.layout.size), np.bool_)
    games[0], masks[0] = game.state[0], game.mask
    return int(game.game_type.entries.perft(game.box.record, games, masks, 0))


def line_counter(step):
    """The kernel that counts the lines of a game, which plays by this step."""

    @kernel
    def perft(boxes, games, masks, at):
        """The number of lines of legal moves that lead from games[at] to the last of games [D], as it was dealt.

        masks [D, A] bool holds the legal moves of games[at] at `at`; everything behind it is overwritten.
        """
        lines = 0
        for action in range(masks.shape[1]):
            if masks[at, action]:
                if at + 1 == games.size - 1:
                    lines += 1
                else:
                    games[at + 1] = games[at]
                    step(boxes[0], games[at + 1], action, masks[at + 1])
                    lines += perft(boxes, games, masks, at + 1)
        return lines

    return perft
