"""Games of search against itself, in one compiled loop, with what every search found.

All seats share one tree: it knows every seat's value, and what one seat has looked at helps the next.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.champion import agent as champion
from oddville_agents.oddville.search.iteration import Settings, find_root, grow
from oddville_agents.oddville.search.tree import make_tree
from oddville_env.core.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.core.parts.chance import nth_move, random_move
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.loops import deal_one
from oddville_env.oddville.rules import scoring, turn
from oddville_env.oddville.rules.box import Box
from oddville_training.learning.expert_iteration.positions import (
    Positions,
    finish,
    has_place,
    note_edge,
    note_root,
    note_stray,
)
from oddville_training.learning.expert_iteration.quick_games import part_of

NODES = 1 << 14  # of the tree, which is emptied before a move when it is nearly full


class Play(NamedTuple):
    """How search plays when it learns."""

    sims: int = 80  # iterations for a move
    loose: float = 0.15  # part of the moves that are drawn by visits
    stray: float = 0.02  # part of the moves that are random
    student: float = 0.0  # part of the moves that a student chooses, who learns from what the search says of them


def play_search(
    box: Box,
    evaluator: np.ndarray,
    student: np.ndarray,
    seeds: np.ndarray,
    first: int,
    positions: Positions,
    play: Play,
    settings: Settings,
) -> int:
    """Play a game from each seed, uint64 [D], until the positions are full; returns how many were finished.

    evaluator [1] is the search's, student [1] of a look one move ahead.
    """
    games, masks = np.zeros(1, box.games), np.zeros((2, box.layout.size), np.bool_)
    tree = make_tree(box, NODES)
    evaluators = np.concatenate([evaluator, student])
    return int(play_games(box.record, evaluators, seeds, first, positions, play, settings, tree, games, masks))


@kernel
def play_games(boxes, evaluators, seeds, first, positions, play, settings, tree, games, masks):
    """Every game; masks [2, A]: the legal moves and scratch."""
    box, game, mask = boxes[0], games[0], masks[0]
    for number in range(seeds.size):
        start, luck = positions.used[0], seeds[number]
        clear(tree)
        deal_one(box, game, luck, mask)
        while game.to_move != NOBODY:
            if not has_place(positions):
                finish(positions, start, first + number, -1)
                return number
            luck = chance.scatter(luck + chance.INCREMENT)
            if game.legal_count == 1:
                action = nth_move(mask, 0)
            else:
                action, is_best = think(boxes, evaluators, positions, play, settings, tree, games, masks, luck)
                if not is_best:
                    note_stray(positions, start)
            turn.step(box, game, action, mask)
        finish(positions, start, first + number, scoring.winner(box, game))
    return seeds.size


@kernel
def clear(tree):
    """Forget all nodes."""
    tree.hash_table[:] = NOTHING
    tree.used[:] = 0


@kernel
def think(boxes, evaluators, positions, play, settings, tree, games, masks, luck):
    """Search, note what was found, and choose: the move, and whether it is the best one."""
    if 2 * tree.used[0] > tree.nodes.size or 2 * tree.used[1] > tree.edges.size:
        clear(tree)
    root = find_root(boxes, tree, games, 0, evaluators, settings)
    grow(boxes, tree, root, evaluators, luck, 0, play.sims, settings)
    here = tree.nodes[root]
    edges = tree.edges[here.edge : here.edge + here.edges]
    best = most_visited(edges)
    action = choose(edges, masks[0], play, luck, best)
    if part_of(chance.scatter(luck ^ chance.SECOND_FACTOR)) < play.student:
        action = champion.best_move(boxes, games, 0, masks[0], evaluators[1:], tree.imagined, masks[1], tree.worth)
    at = note_root(positions, games[0], action)
    visits = 0
    for edge in edges:
        visits += edge.visits
        place = note_edge(positions, edge.action, edge.visits)
        for seat in range(boxes[0].players):
            positions.values[at, seat] += edge.total[seat]
            positions.behind[place, seat] = edge.total[seat] / max(edge.visits, 1)
    for seat in range(boxes[0].players):
        positions.values[at, seat] /= visits
    return action, action == best


@kernel
def most_visited(edges):
    """The id of the move that was tried most, by its guess among equals."""
    best, most = 0, -1.0
    for at in range(edges.size):
        worth = edges[at].visits + edges[at].prior_value
        if worth > most:
            best, most = at, worth
    return np.int64(edges[best].action)


@kernel
def choose(edges, mask, play, luck, best):
    """The best move, now and then one drawn by visits, or any."""
    draw = part_of(chance.scatter(luck ^ chance.INCREMENT))
    if draw < play.stray:
        return np.int64(random_move(mask, luck, 0))
    if draw < play.stray + play.loose:
        return np.int64(drawn(edges, chance.scatter(luck + chance.INCREMENT) >> np.uint64(1)))
    return best


@kernel
def drawn(edges, number):
    """A move as likely as it was visited often."""
    visits = 0
    for edge in edges:
        visits += edge.visits
    left = np.int64(number % np.uint64(visits))
    for edge in edges:
        left -= edge.visits
        if left < 0:
            return edge.action
    return edges[0].action
