"""Many games between sets of greedy's weights in one compiled loop: the same deals with the sets in every seat."""

from pathlib import Path

import numpy as np

import oddville_agents
from oddville_agents.greedy import best_move
from oddville_agents.prospects import winner
from oddville_env.cards.words import NOBODY
from oddville_env.many import deal_one
from oddville_env.rules import scoring, turn
from oddville_env.rules._jit import PACKAGE, kernels_of
from oddville_env.rules.box import Box

kernel = kernels_of(PACKAGE, Path(oddville_agents.__file__).parent, Path(__file__).parent)


def duels(box: Box, mine: np.ndarray, theirs: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Play each deal with one set of weights [1] in every seat, the other in all others; seeds uint64 [D].

    Returns won bool [D, P], and the lead over the best of the others, int [D, P], by deal and seat.
    """
    won = np.zeros((len(seeds), box.players), np.bool_)
    leads = np.zeros((len(seeds), box.players), np.int64)
    games, masks = np.zeros(2, box.games), np.zeros((2, box.layout.size), np.bool_)
    play_duels(box.record, mine, theirs, seeds, games[:1], games[1:], masks, won, leads)
    return won, leads


@kernel
def play_duels(boxes, mine, theirs, seeds, games, imagined, masks, won, leads):
    """Every deal, every seat."""
    for deal in range(seeds.size):
        for seat in range(won.shape[1]):
            deal_one(boxes[0], games[0], seeds[deal], masks[0])
            play_duel(boxes, mine, theirs, seat, games, imagined, masks)
            won[deal, seat] = winner(boxes[0], games[0]) == seat
            leads[deal, seat] = lead(boxes[0], games[0], seat)


@kernel
def play_duel(boxes, mine, theirs, seat, games, imagined, masks):
    """Play games[0] to its end; masks[0] holds its legal moves, masks[1] is scratch."""
    while games[0].to_move != NOBODY:
        weights = mine if games[0].to_move == seat else theirs
        action = best_move(boxes, games, 0, masks[0], weights, imagined, masks[1])
        turn.step(boxes[0], games[0], action, masks[0])


@kernel
def lead(box, game, seat):
    """Points beyond the best of the others."""
    best = -1
    for other in range(box.players):
        if other != seat:
            best = max(best, scoring.score(box, game, other))
    return scoring.score(box, game, seat) - best
