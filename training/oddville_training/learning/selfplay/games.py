"""Games of agents that look one move ahead, in one compiled loop: many games in little time.

Every seat is played by a network or by `greedy`; now and then any legal move is played instead, a stray one.
Letters of shapes: D games to play, K networks, P seats, A actions.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.champion import agent as champion
from oddville_agents.oddville.greedy import agent as greedy
from oddville_agents.oddville.greedy.prospects import imagine
from oddville_agents.oddville.value.evaluator import values
from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.loops import deal_one
from oddville_env.oddville.rules import chance, scoring, turn
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.batch import random_move
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS
from oddville_training.learning.selfplay.positions import (
    Positions,
    finish,
    has_place,
    note_edge,
    note_root,
    note_stray,
)

GREEDY = -1  # of policies: greedy plays instead of a network
NEWEST = 0  # the network that learns, the first one
SCALE = 2.0**-32


class Deals(NamedTuple):
    """The games to play."""

    seeds: np.ndarray  # uint64 [D]
    policies: np.ndarray  # int8 [D, P]: the number of the network that plays a seat, or GREEDY
    strays: np.ndarray  # float64 [D]: the part of a game's moves that are random
    first: int  # the number of the first game


def play_quickly(
    box: Box, weights: np.ndarray, evaluators: np.ndarray, deals: Deals, share: float, positions: Positions
) -> np.ndarray:
    """Play until the games are over or the positions full; winners int8 [...] of the games that were played to the end.

    weights [1]: those of greedy; evaluators [K]: the networks; share: the part of the decisions that are noted, with
    the chances that the newest network sees, if it is one.
    """
    games, masks = np.zeros(2, box.games), np.zeros((2, box.layout.size), np.bool_)
    winners = np.zeros(len(deals.seeds), np.int8)
    scratch = (games[:1], games[1:], masks, np.zeros(SEATS))
    played = play_games(box.record, weights, evaluators, *deals, share, positions, winners, *scratch)
    return winners[:played]


@kernel
def part_of(number):
    """A number from 0 to 1 that a hash stands for."""
    return float(number >> np.uint64(32)) * SCALE


@kernel
def play_games(
    boxes, weights, evaluators, seeds, policies, strays, first, share, positions, winners, games, imagined, masks, chances
):
    """Every game; masks [2, A]: the legal moves and scratch. Returns how many were played."""
    box, game = boxes[0], games[0]
    for number in range(seeds.size):
        start, luck = positions.used[0], seeds[number]
        deal_one(box, game, luck, masks[0])
        while game.to_move != NOBODY:
            if not has_place(positions):
                finish(positions, start, first + number, -1)
                return number
            luck = chance.scatter(luck + chance.INCREMENT)
            policy = policies[number, game.to_move]
            best = best_move(boxes, games, masks, policy, weights, evaluators, imagined, chances)
            action = random_move(masks[0], luck, 0) if part_of(luck) < strays[number] else best
            if game.legal_count > 1 and part_of(chance.scatter(luck ^ chance.INCREMENT)) < share:
                at = note_root(positions, game, action)
                note_edge(positions, action, 0)
                if evaluators[NEWEST].learned:
                    note_values(box, games, best, evaluators[NEWEST], imagined, masks[1], chances, positions.values[at])
            if action != best:
                note_stray(positions, start)
            turn.step(box, game, action, masks[0])
        winners[number] = scoring.winner(box, game)
        finish(positions, start, first + number, winners[number])
    return seeds.size


@kernel
def best_move(boxes, games, masks, policy, weights, evaluators, imagined, chances):
    """The move of greedy, or of a network."""
    if policy == GREEDY:
        return greedy.best_move(boxes, games, 0, masks[0], weights, imagined, masks[1])
    of_policy = evaluators[policy : policy + 1]
    return champion.best_move(boxes, games, 0, masks[0], of_policy, imagined, masks[1], chances)


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
