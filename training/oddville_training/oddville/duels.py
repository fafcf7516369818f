"""Many games between sets of greedy's weights in one compiled loop: the same deals with the sets in every seat."""

import numpy as np

from oddville_agents.oddville.greedy import best_move
from oddville_agents.oddville.value.formula.values import next_up, seat_values
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.loops import deal_one
from oddville_env.oddville.rules import scoring, turn
from oddville_env.oddville.rules.box import Box


def duels(box: Box, mine: np.ndarray, theirs: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Play each deal with one set of weights [1] in every seat, the other in all others; seeds uint64 [D].

    Returns won bool [D, P], and the lead over the best of the others, int [D, P], by deal and seat.
    """
    won = np.zeros((len(seeds), box.players), np.bool_)
    leads = np.zeros((len(seeds), box.players), np.int64)
    games, masks = np.zeros(2, box.games), np.zeros((2, box.layout.size), np.bool_)
    play_duels(box.record, mine, theirs, seeds, games[:1], games[1:], masks, won, leads)
    return won, leads


def record_positions(box: Box, weights: np.ndarray, seeds: np.ndarray, rows: int) -> tuple[np.ndarray, ...]:
    """Play each deal with the same weights [1] in all seats and note what `values` goes by, before every decision.

    Returns seats' values in points [N, P], parts of the game to come [N], `next_up` [N, P], winners int [N]; N <= rows.
    """
    value_rows, remaining, turns = np.zeros((rows, box.players)), np.zeros(rows), np.zeros((rows, box.players))
    winners = np.zeros(rows, np.int64)
    games, masks = np.zeros(2, box.games), np.zeros((2, box.layout.size), np.bool_)
    number = play_recorded(
        box.record, weights, seeds, games[:1], games[1:], masks, value_rows, remaining, turns, winners
    )
    return value_rows[:number], remaining[:number], turns[:number], winners[:number]


@kernel
def play_duels(boxes, mine, theirs, seeds, games, after, masks, won, leads):
    """Play every deal with one set in every seat: writes won [D, P] and leads [D, P]; masks [2, A] is scratch."""
    box = boxes[0]
    for deal in range(seeds.size):
        for seat in range(won.shape[1]):
            deal_one(box, games[0], seeds[deal], masks[0])
            while games[0].to_move != NOBODY:
                weights = mine if games[0].to_move == seat else theirs
                turn.step(box, games[0], best_move(boxes, games, 0, masks[0], weights, after, masks[1]), masks[0])
            won[deal, seat] = scoring.winner(box, games[0]) == seat
            best = -1
            for other in range(box.players):
                if other != seat:
                    best = max(best, scoring.score(box, games[0], other))
            leads[deal, seat] = scoring.score(box, games[0], seat) - best


@kernel
def play_recorded(boxes, weights, seeds, games, after, masks, value_rows, remaining, turns, winners):
    """Every deal, until the rows [N] are full; returns how many rows belong to games that were finished."""
    box, row = boxes[0], 0
    for deal in range(seeds.size):
        start = row
        deal_one(box, games[0], seeds[deal], masks[0])
        while games[0].to_move != NOBODY:
            if row == remaining.size:
                return start
            remaining[row] = seat_values(box, games[0], weights[0], value_rows[row])
            for seat in range(box.players):
                turns[row, seat] = next_up(box, games[0], seat)
            row += 1
            turn.step(box, games[0], best_move(boxes, games, 0, masks[0], weights, after, masks[1]), masks[0])
        winners[start:row] = scoring.winner(box, games[0])
    return row
