"""The tree of `search`: public positions, the moves from them, and the outcomes of moves.

A node is a public position: hidden cards are in canonical order (`hidden.canonicalize_hidden`), so the search cannot
use their true order, and transpositions share a node. An edge is a legal move. Its outcomes are the positions that it
led to: one, or several where it reveals something (K3). Values are per seat (max-n, Luckhardt and Irani 1986).
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.value.evaluator import TurnScratch, make_scratch, values
from oddville_agents.tensors import aligned_record
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oddville.cards.words import NOTHING, NOWHERE
from oddville_env.oddville.rules import hidden
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS

NODE = aligned_record(
    ("visits", "i4"),
    ("edge", "i4"),  # the first of its edges, which lie side by side
    ("edges", "i4"),  # 0 where the node has not been expanded
    ("values", "f8", (SEATS,)),  # each seat's chance to win by the value function
)
EDGE = aligned_record(
    ("action", "i4"),
    ("visits", "i4"),
    ("outcome", "i4"),  # the newest of its outcomes
    ("outcomes", "i4"),
    ("reveals", "?"),
    ("prior", "f8"),
    ("prior_value", "f8"),  # the mover's chance to win by the value function, one move ahead
    ("total", "f8", (SEATS,)),  # the sum of the values that came back, by seat
)
OUTCOME = aligned_record(("node", "i4"), ("drawn", "i4"), ("visits", "i4"), ("older", "i4"))

EDGES = 32  # per node, on average
DEPTH = 160  # moves from the root, at most


class Tree(NamedTuple):
    """The arrays of a tree with room for N nodes, and working memory."""

    states: np.ndarray  # [N] games, canonical: hidden cards lie in one fixed order
    keys: np.ndarray  # uint64 [N, ...]: the same memory, to be compared
    nodes: np.ndarray  # NODE [N]
    edges: np.ndarray  # EDGE [N * EDGES]
    outcomes: np.ndarray  # OUTCOME [2 N]
    hash_table: np.ndarray  # int32, a power of two: hash -> node
    used: np.ndarray  # int64 [3]: nodes, edges, outcomes
    path: np.ndarray  # int32 [DEPTH, 2]: edge, outcome
    after: np.ndarray  # [1] games: the position behind a move that is tried
    mask: np.ndarray  # bool [A]
    values: np.ndarray  # float64 [SEATS]: of the position that an iteration ends in
    later: np.ndarray  # float64 [SEATS]: values some turns later
    scratch: TurnScratch  # of rollouts


def make_tree(box: Box, nodes: int) -> Tree:
    """Return an empty tree for so many nodes; unused memory is not touched."""
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
        np.zeros(SEATS),
        make_scratch(box),
    )


def clear(tree: Tree) -> None:
    """Remove all nodes."""
    tree.hash_table[:] = NOTHING
    tree.used[:] = 0


def edges_of(tree: Tree, node: int) -> np.ndarray:
    """Return the edges of a node, EDGE [...]; none before it is expanded."""
    first = tree.nodes[node].edge
    return tree.edges[first : first + tree.nodes[node].edges]


def likeliest(tree: Tree, edge: np.record) -> int:
    """Return the node that an edge led to most often, or NOWHERE."""
    best, most, at = NOWHERE, 0, int(edge["outcome"])
    while at != NOTHING:
        outcome = tree.outcomes[at]
        if outcome["visits"] > most:
            best, most = int(outcome["node"]), outcome["visits"]
        at = int(outcome["older"])
    return best


@kernel
def hash_of(keys):
    """Return a hash of a position: keys uint64 [W]."""
    number = np.uint64(0)
    for key in keys:
        number = chance.scatter(number ^ key)
    return number


@kernel
def same_key(one, other):
    """Return whether two positions are equal."""
    for at in range(one.size):  # noqa: SIM110  (compiled code has no generators)
        if one[at] != other[at]:
            return False
    return True


@kernel
def find_or_insert(tree, new):
    """Return the node equal to node `new`, or insert `new`."""
    last = tree.hash_table.size - 1
    at = np.int64(hash_of(tree.keys[new]) & np.uint64(last))
    while tree.hash_table[at] != NOTHING:
        if same_key(tree.keys[tree.hash_table[at]], tree.keys[new]):
            return np.int64(tree.hash_table[at])
        at = (at + 1) & last
    tree.hash_table[at] = new
    return new


@kernel
def has_room(tree):
    """Return whether there is room for a node."""
    return tree.used[0] < tree.states.size and tree.used[2] < tree.outcomes.size


@kernel
def node_of(box, tree, game, evaluator):
    """Return the node of a position in canonical order, a new one if it is unknown."""
    new = tree.used[0]
    tree.states[new] = game
    hidden.canonicalize_hidden(box, tree.states[new])
    node = find_or_insert(tree, new)
    if node == new:
        tree.used[0] += 1
        tree.nodes[node].visits = tree.nodes[node].edges = 0
        values(box, tree.states[node], evaluator, tree.nodes[node].values)
    return node
