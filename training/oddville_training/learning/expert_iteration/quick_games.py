"""Games of agents that look one move ahead, with stray moves, in one compiled loop: many games in little time.

First those of `greedy`, later those of the learned value itself.
"""

import numpy as np

from oddville_agents.oddville.champion import agent as champion
from oddville_agents.oddville.greedy import agent as greedy
from oddville_agents.oddville.greedy.prospects import imagine
from oddville_agents.oddville.value.evaluator import values
from oddville_env.core.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.core.parts.chance import random_move
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.loops import deal_one
from oddville_env.oddville.rules import scoring, turn
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS
from oddville_training.learning.expert_iteration.positions import (
    Positions,
    finish,
    has_place,
    note_edge,
    note_root,
    note_stray,
)

STRAYS = np.array([0.0, 0.02, 0.08, 0.2])  # parts of moves that are random; games take them in turn
SHARE = 0.25  # of decisions that are noted, neighbours being much alike
SCALE = 2.0**-32


def play_quickly(
    box: Box, weights: np.ndarray, evaluator: np.ndarray, seeds: np.ndarray, first: int, positions: Positions
) -> int:
    """Play a game from each seed, uint64 [D], until the positions are full; games are numbered from `first`.

    With a learned evaluator [1] all seats look ahead by it, else they are `greedy` with weights [1]. Returns how many
    games were played to their end.
    """
    games, masks = np.zeros(2, box.games), np.zeros((2, box.layout.size), np.bool_)
    scratch = (games[:1], games[1:], masks, np.zeros(SEATS))
    return int(play_games(box.record, weights, evaluator, seeds, first, positions, *scratch))


@kernel
def part_of(number):
    """A number from 0 to 1 that a hash stands for."""
    return float(number >> np.uint64(32)) * SCALE


@kernel
def play_games(boxes, weights, evaluators, seeds, first, positions, games, imagined, masks, chances):
    """Every game; masks [2, A]: the legal moves and scratch."""
    box = boxes[0]
    for number in range(seeds.size):
        start, luck = positions.used[0], seeds[number]
        stray = STRAYS[(first + number) % STRAYS.size]
        deal_one(box, games[0], luck, masks[0])
        while games[0].to_move != NOBODY:
            if not has_place(positions):
                finish(positions, start, first + number, -1)
                return number
            luck = chance.scatter(luck + chance.INCREMENT)
            best = best_move(boxes, games, masks, weights, evaluators, imagined, chances)
            action = random_move(masks[0], luck, 0) if part_of(luck) < stray else best
            if games[0].legal_count > 1 and part_of(chance.scatter(luck ^ chance.INCREMENT)) < SHARE:
                at = note_root(positions, games[0], action)
                note_edge(positions, action, 0)
                if evaluators[0].learned:
                    note_values(box, games, best, evaluators[0], imagined, masks[1], chances, positions.values[at])
            if action != best:
                note_stray(positions, start)
            turn.step(box, games[0], action, masks[0])
        finish(positions, start, first + number, scoring.winner(box, games[0]))
    return seeds.size


@kernel
def best_move(boxes, games, masks, weights, evaluators, imagined, chances):
    """The move of greedy, or of the learned value."""
    if evaluators[0].learned:
        return champion.best_move(boxes, games, 0, masks[0], evaluators, imagined, masks[1], chances)
    return greedy.best_move(boxes, games, 0, masks[0], weights, imagined, masks[1])


@kernel
def note_values(box, games, action, evaluator, imagined, mask, chances, out):
    """Every seat's chances behind a move."""
    imagined[0] = games[0]
    imagined[0].seed = 0
    if box.kind[action] != Kind.FLIP:
        imagine(box, imagined[0], action, mask)
    values(box, imagined[0], evaluator, chances)
    for seat in range(box.players):
        out[seat] = chances[seat]
