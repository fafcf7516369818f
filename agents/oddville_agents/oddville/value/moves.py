"""The moves that lookahead tries, and those that are alike.

Moves are alike that do the same with another worker card, or build the same card on another cell. A dearer worker card
costs more coins, or brings fewer, or does as well as one with a lower number.
"""

import numpy as np

from oddville_agents.oddville.value.formula import appraisal
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import BUILDINGS, NOTHING
from oddville_env.oddville.rules import turn
from oddville_env.oddville.rules.actions import Kind, encode
from oddville_env.oddville.rules.state import MOST_HELD, WORKER_CARDS

LIKES = len(Kind) * BUILDINGS  # numbers of moves that are alike


@kernel
def is_dearer(box, mask, action):
    """Another worker card does the same for fewer coins, brings more coins, or does as well with a lower number."""
    kind, worker, choice = box.kind[action], box.part[action, 0], box.part[action, 1]
    if kind != Kind.BUY and kind != Kind.TAKE and kind != Kind.COINS:
        return False
    for other in range(WORKER_CARDS):
        if other != worker and mask[encode(box, kind, other, choice, 0)]:
            saved = 0
            if kind == Kind.BUY:
                saved = box.price[worker, choice] - box.price[other, choice]
            elif kind == Kind.COINS:
                saved = box.shown[other] - box.shown[worker]
            if saved > 0 or (saved == 0 and other < worker):
                return True
    return False


@kernel
def list_builds(box, game, mask, moves, evaluator):
    """List for each held building that can be built its best cell by the formula; returns how many."""
    count, seat = 0, game.to_move
    for index in range(min(game.holding[seat], MOST_HELD)):
        card, most = game.held[seat, index], -np.inf
        for cell in game.frontier[: game.frontier_size]:
            action = encode(box, Kind.BUILD, index, cell, 0)
            if mask[action]:
                worth = appraisal.worth_of_cell(box, game, card, cell, evaluator)
                worth += 2 * evaluator.gain[seat]
                if worth > most:
                    most, moves[count] = worth, action
        count += most > -np.inf
    return count


@kernel
def later_moves(box, game, mask, moves, evaluator):
    """List the moves that lookahead tries: no covered card, one cell a building, the cheapest workers; how many."""
    turn.legal(box, game, mask)
    count = list_builds(box, game, mask, moves, evaluator)
    builds = box.start[Kind.BUILD + 1] - box.start[Kind.BUILD]
    for number in range(box.actions - builds):
        action = number if number < box.start[Kind.BUILD] else number + builds
        kind = box.kind[action]
        if not mask[action] or kind == Kind.FLIP or is_dearer(box, mask, action):
            continue
        if (kind == Kind.BUY or kind == Kind.SWAP) and game.row[box.part[action, 1]] == NOTHING:
            continue
        moves[count] = action
        count += 1
    return count


@kernel
def like_of(box, game, action):
    """The number of all moves like this one: the same with any worker card, a build on any cell."""
    kind, number = box.kind[action], box.part[action, 0]
    if kind == Kind.BUY or kind == Kind.SWAP:
        number = game.row[box.part[action, 1]]
    elif kind == Kind.TAKE or kind == Kind.COINS:
        number = box.part[action, 1]
    elif kind == Kind.BUILD:
        number = game.held[game.to_move, number]
    return kind * BUILDINGS + number


@kernel
def note_likes(box, game, moves, count, values, liked):
    """Note the best value of moves that are alike: liked [LIKES], inf where there is none."""
    liked[:] = np.inf
    for at in range(count):
        like = like_of(box, game, moves[at])
        if liked[like] == np.inf or liked[like] < values[at]:
            liked[like] = values[at]


@kernel
def keep_liked(box, game, moves, count, liked, margin):
    """Keep the moves whose like was within a margin of the best of them, or is new; returns how many."""
    most, kept = -np.inf, 0
    for action in moves[:count]:
        worth = liked[like_of(box, game, action)]
        if most < worth < np.inf:
            most = worth
    for action in moves[:count]:
        if liked[like_of(box, game, action)] >= most - margin:
            moves[kept] = action
            kept += 1
    return kept
