"""Games of agents that look one move ahead, in one compiled loop: many games in little time.

Every seat is played by a network or by `greedy`; now and then any legal move is played instead, a stray one. Some
decisions of the newest network are noted, or of greedy while there is none, to be learned from: with what the network
says of them, or what a search with it finds.
Letters of shapes: D games to play, K networks, P seats, A actions.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville import greedy
from oddville_agents.oddville.search.iteration import grow
from oddville_agents.oddville.search.tree import Tree, make_tree
from oddville_agents.oddville.value.evaluator import TurnScratch, make_scratch, try_move, values
from oddville_agents.oddville.value.evaluator import best_move as best_by_network
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.core.parts.chance import part_of, random_move
from oddville_env.oddville.cards.words import NOBODY, NOTHING, NOWHERE
from oddville_env.oddville.rules import scoring, turn
from oddville_env.oddville.rules.batch import deal_one
from oddville_env.oddville.rules.box import Box
from oddville_training.oddville.selfplay.positions import Positions, finish, has_place, note_edge, note_root, note_stray

GREEDY = -1  # of policies: greedy plays instead of a network
NEWEST = 0  # the network that learns, the first one
TREE = 2  # nodes of a tree for each iteration
SMALLEST = 64  # iterations, of a tree


class Deals(NamedTuple):
    """The games to play."""

    seeds: np.ndarray  # uint64 [D]
    policies: np.ndarray  # int8 [D, P]: the number of the network that plays a seat, or GREEDY
    strays: np.ndarray  # float64 [D]: the part of a game's moves that are random
    first: int  # the number of the first game


class Noting(NamedTuple):
    """The decisions that are noted of the games."""

    share: float = 0.25  # the part of the decisions, neighbours being much alike
    sims: int = 0  # iterations of a search at each of them; without any only what the network says
    turns: int = 0  # that a search plays each new position on, to judge it there too


class GameScratch(NamedTuple):
    """Memory of the loop: the game that is played, and what choosing its moves takes."""

    games: np.ndarray  # [1]: the game
    mask: np.ndarray  # bool [A]: the legal moves
    turn: TurnScratch
    tree: Tree


def play_games(
    box: Box, weights: np.ndarray, evaluators: np.ndarray, deals: Deals, noting: Noting, positions: Positions
) -> np.ndarray:
    """Play until the games are over or the positions full; winners int8 [...] of the games that came to their end.

    weights [1]: those of greedy; evaluators [K]: the networks, the newest first.
    """
    winners = np.zeros(len(deals.seeds), np.int8)
    mask = np.zeros(box.layout.size, np.bool_)
    tree = make_tree(box, TREE * max(noting.sims, SMALLEST))
    scratch = GameScratch(np.zeros(1, box.games), mask, make_scratch(box), tree)
    arrays = (box.record, weights, evaluators, deals, noting, positions, winners, scratch)
    return winners[: int(play_all(*arrays))]


@kernel
def play_all(boxes, weights, evaluators, deals, noting, positions, winners, scratch):
    """Play every game; returns how many were played."""
    box, game, mask = boxes[0], scratch.games[0], scratch.mask
    for number in range(deals.seeds.size):
        start, seed = positions.used[0], deals.seeds[number]
        deal_one(box, game, seed, mask)
        while game.to_move != NOBODY:
            if not has_place(positions):
                finish(positions, start, deals.first + number, NOBODY)
                return number
            seed = chance.scatter(seed + chance.INCREMENT)
            policy = deals.policies[number, game.to_move]
            best = best_move(boxes, weights, evaluators, policy, scratch)
            action = random_move(mask, seed, 0) if part_of(seed) < deals.strays[number] else best
            learner = policy == NEWEST or not evaluators[NEWEST].learned
            if learner and game.legal_count > 1 and part_of(chance.scatter(seed ^ chance.INCREMENT)) < noting.share:
                at = note_root(positions, game, action)
                if noting.sims > 0:
                    note_search(boxes, evaluators, noting, seed, positions, at, scratch)
                else:
                    note_edge(positions, action, 0)
                    note_values(box, evaluators[NEWEST], best, positions, at, scratch)
            if action != best:
                note_stray(positions, start)
            turn.step(box, game, action, mask)
        winners[number] = scoring.winner(box, game)
        finish(positions, start, deals.first + number, winners[number])
    return deals.seeds.size


@kernel
def best_move(boxes, weights, evaluators, policy, scratch):
    """The move of greedy, or of a network."""
    games, mask = scratch.games, scratch.mask
    if policy == GREEDY:
        return greedy.best_move(boxes, games, 0, mask, weights, scratch.turn.after, scratch.turn.masks[0])
    network = evaluators[policy : policy + 1]
    return best_by_network(boxes, games, 0, mask, network, scratch.turn)


@kernel
def note_values(box, evaluator, action, positions, at, scratch):
    """Every seat's chances behind a move, if there is a network to say it."""
    if not evaluator.learned:
        return
    chances = scratch.turn.chances
    try_move(box, scratch.games, 0, action, scratch.turn)
    values(box, scratch.turn.after[0], evaluator, chances)
    for seat in range(box.players):
        positions.values[at, seat] = chances[seat]


@kernel
def note_played(boxes, games, action, evaluators, positions, scratch):
    """Note a position, the move that is played from it, and what the network says behind it."""
    if games[0].legal_count > 1 and has_place(positions):
        at = note_root(positions, games[0], action)
        note_edge(positions, action, 0)
        scratch.games[0] = games[0]
        note_values(boxes[0], evaluators[0], action, positions, at, scratch)


@kernel
def note_search(boxes, evaluators, noting, seed, positions, at, scratch):
    """Note a search with the newest network: every seat's chances, and visits and chances behind every move."""
    tree, newest = scratch.tree, evaluators[NEWEST : NEWEST + 1]
    tree.hash_table[:] = NOTHING
    tree.used[:] = 0
    root = grow(boxes, tree, NOWHERE, scratch.games, 0, newest, seed, 0, noting.sims, noting.turns)
    here = tree.nodes[root]
    for index in range(here.edge, here.edge + here.edges):
        edge = tree.edges[index]
        noted = note_edge(positions, edge.action, edge.visits)
        for seat in range(boxes[0].players):
            positions.values[at, seat] += edge.total[seat] / noting.sims
            positions.behind[noted, seat] = edge.total[seat] / max(edge.visits, 1)
