"""The tree of `search`: positions as everybody sees them, the moves from them, and what chance may make of a move.

A node is a public position: what nobody knows lies in one fixed order (`hidden.forget`), so that no order of cards can
be peeked at, and positions that different orders of the same words lead to are one node. An edge is a legal move. Its
outcomes are the positions that it was seen to lead to: one, or several where it reveals something (K3). Statistics are
kept by what a player can see, with a value for every seat (max-n, Luckhardt and Irani 1986).
"""

from typing import NamedTuple

import numpy as np

from oddville_agents._jit import kernel
from oddville_agents.prospects import values
from oddville_env.cards.words import NOBODY, NOTHING, NOWHERE
from oddville_env.rules import chance, hidden, turn
from oddville_env.rules.actions import Kind
from oddville_env.rules.box import Box
from oddville_env.rules.state import ROW, SEATS

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("visits", "i4"),
                ("edge", "i4"),  # the first of its edges, which lie side by side
                ("edges", "i4"),  # 0 where the node has not been expanded
                ("worth", "f8", (SEATS,)),  # each seat's chance to win by the value function
            ],
            align=True,
        ),
    )
)
EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("action", "i4"),
                ("visits", "i4"),
                ("outcome", "i4"),  # the newest of its outcomes
                ("outcomes", "i4"),
                ("reveals", "?"),
                ("prior", "f8"),
                ("guess", "f8"),  # the mover's chance to win by the value function, one move ahead
                ("total", "f8", (SEATS,)),  # the sum of the values that came back, by seat
            ],
            align=True,
        ),
    )
)
OUTCOME = np.dtype(
    (
        np.record,
        np.dtype([("node", "i4"), ("drawn", "i4"), ("visits", "i4"), ("older", "i4")], align=True),
    )
)

EDGES = 32  # per node, on average
DEPTH = 160  # moves from the root, at most


class Tree(NamedTuple):
    """The arrays of a tree with room for N nodes, and the scratch of one who searches it."""

    states: np.ndarray  # [N] games, forgotten
    letters: np.ndarray  # uint64 [N, ...]: the same memory, to be compared
    nodes: np.ndarray  # NODE [N]
    edges: np.ndarray  # EDGE [N * EDGES]
    outcomes: np.ndarray  # OUTCOME [2 N]
    shelf: np.ndarray  # int32, a power of two: hash -> node
    used: np.ndarray  # int64 [3]: nodes, edges, outcomes
    path: np.ndarray  # int32 [DEPTH, 2]: edge, outcome
    imagined: np.ndarray  # [1] games
    mask: np.ndarray  # bool [A]
    worth: np.ndarray  # float64 [SEATS]


def make_tree(box: Box, nodes: int) -> Tree:
    """An empty tree for so many nodes; memory that is not used is not taken."""
    states = np.zeros(nodes, box.games)
    return Tree(
        states,
        states.view(np.uint64).reshape(nodes, -1),
        np.zeros(nodes, NODE),
        np.zeros(nodes * EDGES, EDGE),
        np.zeros(2 * nodes, OUTCOME),
        np.full(1 << (2 * nodes - 1).bit_length(), NOTHING, np.int32),
        np.zeros(3, np.int64),
        np.zeros((DEPTH, 2), np.int32),
        np.zeros(1, box.games),
        np.zeros(box.layout.size, np.bool_),
        np.zeros(SEATS),
    )


def clear(tree: Tree) -> None:
    """Forget all nodes."""
    tree.shelf[:] = NOTHING
    tree.used[:] = 0


def fullness(tree: Tree) -> float:
    """The part of the tree's room that is taken, 0 to 1."""
    return float(max(tree.used / (tree.nodes.size, tree.edges.size, tree.outcomes.size)))


def edges_of(tree: Tree, node: int) -> np.ndarray:
    """The edges of a node, EDGE [...]; none where it has not been expanded."""
    first = tree.nodes[node].edge
    return tree.edges[first : first + tree.nodes[node].edges]


def likeliest(tree: Tree, edge: np.record) -> int:
    """The node that an edge has led to most often, NOWHERE where it was never followed."""
    best, most, at = NOWHERE, 0, int(edge["outcome"])
    while at != NOTHING:
        outcome = tree.outcomes[at]
        if outcome["visits"] > most:
            best, most = int(outcome["node"]), outcome["visits"]
        at = int(outcome["older"])
    return best


@kernel
def hash_of(letters):
    """A number for a position: letters uint64 [W]."""
    number = np.uint64(0)
    for letter in letters:
        number = chance.scatter(number ^ letter)
    return number


@kernel
def same_letters(one, other):
    """Two positions are equal."""
    for at in range(one.size):
        if one[at] != other[at]:
            return False
    return True


@kernel
def place_on_shelf(tree, new):
    """The node that is equal to node `new`, or `new`, now on the shelf."""
    last = tree.shelf.size - 1
    at = np.int64(hash_of(tree.letters[new]) & np.uint64(last))
    while tree.shelf[at] != NOTHING:
        if same_letters(tree.letters[tree.shelf[at]], tree.letters[new]):
            return np.int64(tree.shelf[at])
        at = (at + 1) & last
    tree.shelf[at] = new
    return new


@kernel
def has_room(tree):
    """One more node can be made."""
    return tree.used[0] < tree.states.size and tree.used[2] < tree.outcomes.size


@kernel
def node_of(box, tree, game, weights):
    """The node of a position, which is forgotten: an old one where the position is known."""
    new = tree.used[0]
    tree.states[new] = game
    hidden.forget(box, tree.states[new])
    node = place_on_shelf(tree, new)
    if node == new:
        tree.used[0] += 1
        tree.nodes[node].visits = tree.nodes[node].edges = 0
        values(box, tree.states[node], weights, tree.nodes[node].worth)
    return node


@kernel
def expand(box, tree, node, weights, settings):
    """Give a node its edges, one for each legal move. False where there is no room for them."""
    turn.legal(box, tree.states[node], tree.mask)
    first, last = tree.used[1], tree.used[1] + tree.states[node].words
    if last > tree.edges.size:
        return False
    at = first
    for action in range(box.actions):
        if tree.mask[action]:
            new_edge(tree.edges[at], action)
            at += 1
    for at in range(first, last):
        look_ahead(box, tree, node, tree.edges[at], weights)
    set_priors(tree.edges[first:last], settings)
    tree.nodes[node].edge, tree.nodes[node].edges = first, last - first
    tree.used[1] = last
    return True


@kernel
def look_ahead(box, tree, node, edge, weights):
    """What the value function says one move ahead; what the move would reveal does not count."""
    now, then = tree.states[node], tree.imagined[0]
    tree.imagined[0] = now
    turn.step(box, then, edge.action, tree.mask)
    edge.reveals = hidden.is_revealing(now, then)
    if box.kind[edge.action] == Kind.FLIP:
        edge.guess = tree.nodes[node].worth[now.to_move]
        return
    if edge.reveals and then.to_move != NOBODY:
        then.row[ROW - 1] = NOTHING
    values(box, then, weights, tree.worth)
    edge.guess = tree.worth[now.to_move]


@kernel
def new_edge(edge, action):
    """A move that nobody has tried."""
    edge.action = action
    edge.visits = edge.outcomes = 0
    edge.outcome = NOTHING
    for seat in range(SEATS):
        edge.total[seat] = 0.0


@kernel
def log_odds(share):
    """The logarithm of the odds of a chance to win, kept finite."""
    share = min(max(share, 1e-4), 1 - 1e-4)
    return np.log(share / (1 - share))


@kernel
def set_priors(edges, settings):
    """The better a move's guess, the more often it is tried: odds to the power of the sharpness; no move is left out."""
    best, total = -np.inf, 0.0
    for edge in edges:
        best = max(best, log_odds(edge.guess))
    for edge in edges:
        edge.prior = np.exp(settings.sharpness * (log_odds(edge.guess) - best))
        total += edge.prior
    for edge in edges:
        edge.prior = (1 - settings.fairness) * edge.prior / total + settings.fairness / edges.size


@kernel
def select(tree, node, me, settings):
    """The edge to follow: PUCT (Silver et al. 2017), the guess counting as so many visits."""
    here = tree.nodes[node]
    best, best_urge = here.edge, -np.inf
    reach = settings.explore * np.sqrt(here.visits)
    for at in range(here.edge, here.edge + here.edges):
        edge = tree.edges[at]
        value = (edge.total[me] + settings.trust * edge.guess) / (edge.visits + settings.trust)
        urge = value + reach * edge.prior / (1 + edge.visits)
        if urge > best_urge:
            best, best_urge = at, urge
    return best


@kernel
def follow(box, tree, node, at, weights, seed, widening):
    """An outcome of an edge: a new one while there are few for its visits, else the one that is furthest behind."""
    edge = tree.edges[at]
    wanted = 1 + widening * np.sqrt(edge.visits) if edge.reveals else 1
    if edge.outcomes < wanted and has_room(tree):
        tree.imagined[0] = tree.states[node]
        if edge.reveals:
            hidden.sample_unseen(box, tree.imagined[0], seed)
        turn.step(box, tree.imagined[0], edge.action, tree.mask)
        return outcome_of(tree, edge, node_of(box, tree, tree.imagined[0], weights))
    return furthest_behind(tree, edge)


@kernel
def outcome_of(tree, edge, node):
    """The outcome of an edge that leads to a node, noted as drawn once more."""
    at = edge.outcome
    while at != NOTHING and tree.outcomes[at].node != node:
        at = tree.outcomes[at].older
    if at == NOTHING:
        at = np.int32(tree.used[2])
        tree.used[2] += 1
        outcome = tree.outcomes[at]
        outcome.node, outcome.older, outcome.drawn, outcome.visits = node, edge.outcome, 0, 0
        edge.outcome = at
        edge.outcomes += 1
    tree.outcomes[at].drawn += 1
    return at


@kernel
def furthest_behind(tree, edge):
    """The outcome with the fewest visits for the times that it was drawn; NOTHING where there is none."""
    best, best_share = np.int32(NOTHING), np.inf
    at = edge.outcome
    while at != NOTHING:
        share = tree.outcomes[at].visits / tree.outcomes[at].drawn
        if share < best_share:
            best, best_share = at, share
        at = tree.outcomes[at].older
    return best


@kernel
def iterate(box, tree, root, weights, seed, settings):
    """One iteration: down to a position that is new or over, and back with its values."""
    node, depth = root, 0
    while depth < DEPTH and tree.nodes[node].visits > 0 and tree.states[node].to_move != NOBODY:
        if tree.nodes[node].edges == 0 and not expand(box, tree, node, weights, settings):
            break
        at = select(tree, node, tree.states[node].to_move, settings)
        outcome = follow(box, tree, node, at, weights, chance.scatter(seed + np.uint64(depth)), settings.widening)
        if outcome == NOTHING:
            break
        tree.path[depth, 0], tree.path[depth, 1] = at, outcome
        tree.nodes[node].visits += 1
        node = np.int64(tree.outcomes[outcome].node)
        depth += 1
    tree.nodes[node].visits += 1
    give_back(box, tree, depth, tree.nodes[node].worth)
    return depth


@kernel
def give_back(box, tree, depth, worth):
    """Count a value for every seat along the path."""
    for step in range(depth):
        edge = tree.edges[tree.path[step, 0]]
        edge.visits += 1
        tree.outcomes[tree.path[step, 1]].visits += 1
        for seat in range(box.players):
            edge.total[seat] += worth[seat]


SETTINGS = np.dtype((np.record, np.dtype([(name, "f8") for name in ("explore", "trust", "sharpness", "fairness", "widening")])))


def clean_copy(games: np.ndarray, index: int) -> np.ndarray:
    """A game [1] by itself, with zeros between its fields: there numpy copies anything, and letters are compared."""
    copy = np.zeros(1, games.dtype)
    for name in games.dtype.names or ():
        copy[name] = games[name][index]
    return copy


@kernel
def find_root(boxes, tree, games, index, weights):
    """The node of a game's position."""
    return node_of(boxes[0], tree, games[index], weights[0])


@kernel
def grow(boxes, tree, root, weights, seed, begun, iterations, settings):
    """So many iterations from a root; `begun` were made before."""
    for number in range(begun, begun + iterations):
        luck = chance.scatter(seed + np.uint64(number) * chance.INCREMENT)
        iterate(boxes[0], tree, root, weights[0], luck, settings[0])
