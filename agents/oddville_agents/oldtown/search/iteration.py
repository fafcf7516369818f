"""An iteration of `search`: a deal of what the seat cannot know, down the tree to what is new, its values, and back."""

import math
from typing import NamedTuple

import numpy as np

from oddville_agents.oldtown.heuristic.choice import judgement, worth_of_move
from oddville_agents.oldtown.search.tree import DEPTH, add_node, find, has_room, key_of
from oddville_env.core.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import NOBODY, NOTHING
from oddville_env.oldtown.rules import hidden, play, turn

DEAL, NOW, SEEN, AHEAD = 0, 1, 2, 3  # the games of a tree
FULL = 90.0  # P7: points of all tokens


class Settings(NamedTuple):
    """How the tree is grown."""

    c_puct: float = 0.6  # how far a move's prior carries it beyond its value
    virtual_visits: float = 3.0  # visits that the value one move ahead counts as
    sharpness: float = 1.5  # how much a move with the better prior value is tried before others
    fairness: float = 0.1  # the part of the priors that all moves share alike
    late: float = 0.45  # points of a lead that are one in the log odds of winning, at the end of the game
    early: float = 5.0  # and how many more at its beginning
    share: int = 4  # iterations that share a deal


@kernel
def chance_of(lead, left, settings):
    """How likely a seat is to win that foresees such a final lead, with so much left of all points."""
    return 1.0 / (1.0 + math.exp(-lead / (settings.late + settings.early * left)))


@kernel
def values(box, game, tree, judge, settings, out):
    """Every seat's chance to win, from what it sees; in the end 1 for the winner, which equals share."""
    total = 0.0
    if game.to_move == NOBODY:
        most = game.score[: box.players].max()
        for seat in range(box.players):
            out[seat] = 1.0 if game.score[seat] == most else 0.0
            total += out[seat]
    else:
        left = play.total_worth(game) / FULL
        for seat in range(box.players):
            out[seat] = chance_of(judgement(box, game, seat, judge, tree.board, tree.seen), left, settings)
            total += out[seat]
    for seat in range(box.players):
        out[seat] /= total


@kernel
def expand(box, tree, node, game, judge, settings):
    """Give a node its edges, one for each legal move in tree.mask. False where there is no room for them."""
    first, last = tree.used[1], tree.used[1] + game.legal_count
    if last > tree.edges.size:
        return False
    tree.games[SEEN] = game
    seen, at = tree.games[SEEN], first
    hidden.canonicalize_hidden(box, seen, game.to_move)
    left = play.total_worth(seen) / FULL
    for action in range(tree.mask.size):
        if tree.mask[action]:
            edge = tree.edges[at]
            edge.action, edge.visits, edge.node = action, 0, NOTHING
            edge.total[:] = 0.0
            edge.prior_value = 0.5
            if game.legal_count > 1:
                lead = worth_of_move(box, seen, action, judge, tree.board, tree.seen, tree.games[AHEAD:])
                edge.prior_value = chance_of(lead, left, settings)
            at += 1
    set_priors(tree.edges[first:last], settings)
    tree.nodes[node].edge, tree.nodes[node].edges = first, last - first
    tree.used[1] = last
    return True


@kernel
def set_priors(edges, settings):
    """A node's priors: the odds of what is seen one move ahead, mixed with equal shares; they sum to 1."""
    total = 0.0
    for at in range(edges.size):
        sure = min(max(edges[at].prior_value, 1e-4), 1 - 1e-4)
        edges[at].prior = (sure / (1 - sure)) ** settings.sharpness
        total += edges[at].prior
    for at in range(edges.size):
        edges[at].prior = (1 - settings.fairness) * edges[at].prior / total + settings.fairness / edges.size


@kernel
def select(tree, node, seat, settings):
    """The edge that promises its mover most, with what is not known about it (PUCT, Silver et al. 2017)."""
    here, best, best_score = tree.nodes[node], NOTHING, -np.inf
    reach = settings.c_puct * np.sqrt(here.visits)
    for at in range(here.edge, here.edge + here.edges):
        edge = tree.edges[at]
        known = edge.total[seat] + settings.virtual_visits * edge.prior_value
        score = known / (edge.visits + settings.virtual_visits) + reach * edge.prior / (1 + edge.visits)
        if score > best_score:
            best, best_score = at, score
    return best


@kernel
def iterate(box, tree, judge, settings):
    """One iteration from the deal: down to what is new or over, and back with the values.

    Where the tree is full, what lies behind the last move is looked at and not kept.
    """
    tree.games[NOW] = tree.games[DEAL]
    game, depth, last = tree.games[NOW], 0, NOTHING
    turn.legal(box, game, tree.mask)
    while depth < DEPTH and game.to_move != NOBODY:
        key = key_of(box, game)
        at = find(tree, key)
        if tree.hash_table[at] == NOTHING:
            if has_room(tree):
                reach_node(tree, add_node(tree, at, key), last)
            break
        node = np.int64(tree.hash_table[at])
        reach_node(tree, node, last)
        if tree.nodes[node].edges == 0 and not expand(box, tree, node, game, judge, settings):
            break
        last = select(tree, node, game.to_move, settings)
        tree.path[depth] = last
        depth += 1
        turn.step(box, game, tree.edges[last].action, tree.mask)
    values(box, game, tree, judge, settings, tree.worth)
    backpropagate(box, tree, depth)


@kernel
def reach_node(tree, node, edge):
    """A node is visited, by way of an edge."""
    tree.nodes[node].visits += 1
    if edge != NOTHING:
        tree.edges[edge].node = node


@kernel
def backpropagate(box, tree, depth):
    """Count a value for every seat along the path."""
    for step in range(depth):
        edge = tree.edges[tree.path[step]]
        edge.visits += 1
        for seat in range(box.players):
            edge.total[seat] += tree.worth[seat]


@kernel
def find_root(boxes, tree, games, index, mask, judges, settings):
    """The node of what the seat to move sees, with its edges: mask [A] are its legal moves."""
    box, game = boxes[0], games[index]
    tree.mask[:] = mask
    key = key_of(box, game)
    at = find(tree, key)
    node = np.int64(tree.hash_table[at]) if tree.hash_table[at] != NOTHING else add_node(tree, at, key)
    if tree.nodes[node].edges == 0:
        expand(box, tree, node, game, judges[0], settings)
        tree.nodes[node].visits = max(tree.nodes[node].visits, 1)
    return node


@kernel
def grow(boxes, tree, games, index, judges, seed, begun, iterations, settings):
    """So many iterations from what a seat sees; `begun` were made before."""
    box = boxes[0]
    for number in range(begun, begun + iterations):
        if number % settings.share == 0 or number == begun:
            tree.games[DEAL] = games[index]
            luck = chance.scatter(seed + np.uint64(number // settings.share) * chance.INCREMENT)
            hidden.sample_unseen(box, tree.games[DEAL], games[index].to_move, luck)
        iterate(box, tree, judges[0], settings)
