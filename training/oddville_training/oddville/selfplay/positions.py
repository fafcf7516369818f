"""Positions of finished games, and what a search said of the moves from them: what networks are fitted to.

Letters of shapes: N positions, E edges (moves that were looked at), P seats.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from oddville_agents.player import one_line
from oddville_agents.tensors import ArrayKind, check_arrays, read_npz, zeros
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.disk.files import atomic_write
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.invariants import first_impossible
from oddville_env.oddville.rules import turn
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS
from oddville_training.selfplay.plan import PlanError

EDGES = 24  # for a position, on average at most
MOST_MOVES = 1200  # from one position
MOST = 2**31 - 1
CERTAIN = 1.001  # a chance, which may be a little above 1 as a mean of rounded ones


class Positions(NamedTuple):
    """Arrays with room for N positions; `used` int64 [2] says how many positions and edges there are."""

    states: np.ndarray  # [N] games
    winners: np.ndarray  # int8 [N]: the winner of the game
    games: np.ndarray  # int32 [N]: its number
    moves: np.ndarray  # int16 [N]: what was played
    strays: np.ndarray  # bool [N]: from here to the game's next position a move was played that was not thought best
    values: np.ndarray  # float32 [N, P]: each seat's chance to win as the search saw it, 0 without a search
    edges: np.ndarray  # int64 [N + 1]: where a position's edges begin
    actions: np.ndarray  # int16 [E]
    visits: np.ndarray  # int32 [E]
    behind: np.ndarray  # float32 [E, P]: the chances behind the move, 0 where it was not visited
    used: np.ndarray  # int64 [2]


def make_positions(box: Box, size: int, edges: int = EDGES) -> Positions:
    """Room for so many positions."""
    arrays = zeros(_kinds(box), N=size, M=size + 1, E=size * edges + MOST_MOVES)
    return Positions(**arrays | {"states": np.zeros(size, box.games)})


def trimmed(positions: Positions) -> Positions:
    """Only what is used: views."""
    number, edges = positions.used.tolist()
    parts = {"edges": number + 1, "actions": edges, "visits": edges, "behind": edges, "used": 2}
    return Positions(*(getattr(positions, name)[: parts.get(name, number)] for name in Positions._fields))


def save(path: Path, positions: Positions) -> None:
    """Write positions to an npz file, whole or not at all."""
    with atomic_write(path, "wb") as file:
        plain = trimmed(positions)._asdict()
        plain["states"] = plain["states"].view(np.uint8).reshape(len(plain["states"]), -1)
        np.savez(file, **plain)


def load(path: Path, box: Box) -> Positions:
    """Read what `save` wrote for games of a box; raises PlanError where it is anything else.

    Compiled code takes positions that can be in a game and legal moves from them: others let it write anywhere.
    """
    plain = read_npz(path, PlanError)
    lengths = check_arrays(path, plain, _kinds(box), PlanError)
    plain["states"] = plain["states"].reshape(-1).view(box.games)
    found = Positions(**plain)
    if problem := _problem(box, found, lengths):
        raise PlanError(f"{path} is damaged: {problem}; delete it, and --resume makes it again")
    return found


def _kinds(box: Box) -> dict[str, ArrayKind]:
    """The kinds of the arrays of a file: N positions, M = N + 1, E edges."""
    last = box.layout.size - 1
    return {
        "states": ArrayKind(np.uint8, ("N", box.games.itemsize)),
        "winners": ArrayKind(np.int8, ("N",), 0, box.players - 1),
        "games": ArrayKind(np.int32, ("N",), 0, MOST),
        "moves": ArrayKind(np.int16, ("N",), 0, last),
        "strays": ArrayKind(np.bool_, ("N",)),
        "values": ArrayKind(np.float32, ("N", SEATS), 0, CERTAIN),
        "edges": ArrayKind(np.int64, ("M",), 0, MOST),
        "actions": ArrayKind(np.int16, ("E",), 0, last),
        "visits": ArrayKind(np.int32, ("E",), 0, MOST),
        "behind": ArrayKind(np.float32, ("E", SEATS), 0, CERTAIN),
        "used": ArrayKind(np.int64, (2,), 0, MOST),
    }


def _problem(box: Box, positions: Positions, lengths: dict[str, int]) -> str:
    """The fault of positions whose arrays are of their kinds; empty where all is well."""
    number, edges = lengths["N"], positions.edges
    if positions.used.tolist() != [number, lengths["E"]] or len(edges) != number + 1:
        return "its arrays are of different lengths"
    if edges[0] != 0 or edges[-1] != lengths["E"] or (np.diff(edges) < 0).any():
        return "its edges are not consecutive"
    if found := first_impossible(box, positions.states):
        return f"position {found[0]} can be in no game ({one_line(found[1][0])})"
    illegal = first_illegal(box.record, positions, positions.states.copy(), np.zeros(box.layout.size, np.bool_))
    return "" if illegal == NOTHING else f"a move from position {illegal} is not legal"


@kernel
def first_illegal(boxes, positions, games, mask):
    """The first position of which a move is not legal, or NOTHING; games [N]: a copy of the states."""
    for at in range(games.size):
        turn.legal(boxes[0], games[at], mask)
        if not mask[positions.moves[at]]:
            return at
        for edge in range(positions.edges[at], positions.edges[at + 1]):
            if not mask[positions.actions[edge]]:
                return at
    return NOTHING


@kernel
def has_place(positions):
    """There is room for one more position with all its edges."""
    number, edges = positions.used
    return number < positions.states.size and edges + MOST_MOVES <= positions.actions.size


@kernel
def note_root(positions, game, move):
    """A position and the move that is played from it; its edges follow. Returns its number."""
    at = positions.used[0]
    positions.states[at], positions.moves[at], positions.strays[at] = game, move, False
    positions.used[0] += 1
    positions.edges[at + 1] = positions.edges[at]
    return at


@kernel
def note_edge(positions, action, visits):
    """A move from the position noted last; returns its number."""
    at = positions.used[1]
    positions.actions[at], positions.visits[at] = action, visits
    positions.used[1] += 1
    positions.edges[positions.used[0]] = positions.used[1]
    return at


@kernel
def note_stray(positions, start):
    """A move was played that was not thought best, in the game whose positions began at `start`."""
    if positions.used[0] > start:
        positions.strays[positions.used[0] - 1] = True


@kernel
def finish(positions, start, number, winner):
    """The game whose positions began at `start` is over; without a winner it is taken back."""
    if winner == NOBODY:
        positions.used[0], positions.used[1] = start, positions.edges[start]
        return
    positions.winners[start : positions.used[0]] = winner
    positions.games[start : positions.used[0]] = number
