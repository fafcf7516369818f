"""The tree of `search`: what the seat to move sees, the moves from there, and what came of them.

A node is an information set: all states that look alike to the seat to move are one node, found by a hash of what that
seat sees. So no statistics of a seat can tell apart what the seat cannot. An edge is a legal move, with a sum of values
for every seat (max-n, Luckhardt and Irani 1986).
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oldtown.heuristic.features import NUMBERS
from oddville_env.core.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import BUILDINGS, NOTHING
from oddville_env.oldtown.rules import play, worlds
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import MOST_MINE, SEATS, STATE

NODE = np.dtype((np.record, np.dtype([("key", "u8"), ("visits", "i4"), ("edge", "i4"), ("edges", "i4")], align=True)))
"""visits; the first of its edges, which lie side by side, and how many they are: 0 before the node is expanded."""
EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("action", "i4"),
                ("visits", "i4"),
                ("node", "i4"),  # the node that it led to last, NOTHING before: for the line that is expected
                ("prior", "f8"),
                ("prior_value", "f8"),  # the mover's chance to win, one move ahead
                ("total", "f8", (SEATS,)),  # the sum of the values that came back, by seat
            ],
            align=True,
        ),
    )
)
EDGES = 24  # per node, on average
DEPTH = 400  # moves from the root, at most
BYTE = np.uint64(8)


class Tree(NamedTuple):
    """The arrays of a tree with room for N nodes, and the scratch of one who searches it."""

    nodes: np.ndarray  # NODE [N]
    edges: np.ndarray  # EDGE [N * EDGES]
    hash_table: np.ndarray  # int32, a power of two: hash -> node
    used: np.ndarray  # int64 [2]: nodes, edges
    path: np.ndarray  # int32 [DEPTH]: edges
    games: np.ndarray  # [4] STATE: the deal, the game on its way down, and two to look ahead with
    mask: np.ndarray  # bool [A]
    board: np.ndarray  # [1] WORLD
    seen: np.ndarray  # float64 [NUMBERS]
    worth: np.ndarray  # float64 [SEATS]


def make_tree(box: Box, nodes: int) -> Tree:
    """An empty tree for so many nodes; memory that is not used is not taken."""
    return Tree(
        np.zeros(nodes, NODE),
        np.zeros(nodes * EDGES, EDGE),
        np.full(1 << (2 * nodes - 1).bit_length(), NOTHING, np.int32),
        np.zeros(2, np.int64),
        np.zeros(DEPTH, np.int32),
        np.zeros(5, STATE),
        np.zeros(box.layout.size, np.bool_),
        np.zeros(1, worlds.WORLD),
        np.zeros(NUMBERS),
        np.zeros(SEATS),
    )


def clear(tree: Tree) -> None:
    """Forget all nodes."""
    tree.hash_table[:] = NOTHING
    tree.used[:] = 0


def edges_of(tree: Tree, node: int) -> np.ndarray:
    """The edges of a node, EDGE [...]; none where it has not been expanded."""
    first = tree.nodes[node].edge
    return tree.edges[first : first + tree.nodes[node].edges]


@kernel
def pack(number, value):
    """Put one more small number, from -1 on, into a word of 64 bits."""
    return (number << BYTE) | np.uint64(value + 1)


@kernel
def key_of(box, game):
    """A hash of all that the seat to move sees and that the rest of the game depends on."""
    seat, key = game.to_move, np.uint64(0)
    for building in range(BUILDINGS):
        key = chance.scatter(key ^ np.uint64(game.sets[building]))
    key = chance.scatter(key ^ np.uint64(game.hand[seat]))
    played = np.int64(0)
    for number in range(game.plays):
        played |= play.bit(game.played[number])
    key = chance.scatter(key ^ np.uint64(played))
    for other in range(box.players):
        word = pack(pack(pack(np.uint64(0), game.score[other]), game.hand_size[other]), game.own[other])
        for choice in range(MOST_MINE):
            word = pack(word, game.mine[other, choice])
        key = chance.scatter(key ^ word)
    word = pack(pack(pack(np.uint64(0), game.phase), seat), game.shown)
    return chance.scatter(key ^ pack(pack(pack(word, game.draws), game.passes), game.common))


@kernel
def has_room(tree):
    """One more node can be made."""
    return tree.used[0] < tree.nodes.size


@kernel
def find(tree, key):
    """Where a key lies in the table, or the empty place where it belongs."""
    last = tree.hash_table.size - 1
    at = np.int64(key & np.uint64(last))
    while tree.hash_table[at] != NOTHING and tree.nodes[tree.hash_table[at]].key != key:
        at = (at + 1) & last
    return at


@kernel
def add_node(tree, at, key):
    """A new node, now in the table."""
    node = tree.used[0]
    tree.used[0] += 1
    tree.hash_table[at] = node
    tree.nodes[node].key = key
    tree.nodes[node].visits = tree.nodes[node].edges = 0
    return node
