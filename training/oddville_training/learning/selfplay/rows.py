"""What a network is fitted to: what it sees of positions, and the chances that it should find there.

From each position come the position itself and positions imagined behind moves: behind the one that was played, and
behind others that a search has visited often enough.
Letters of shapes: N rows, P seats.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.greedy.prospects import imagine
from oddville_agents.oddville.value import features
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.layout import OWN_SIZE, SHARED_SIZE
from oddville_env.core.jit import kernel
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import Phase
from oddville_training.learning.selfplay.positions import Positions

ITSELF = -1  # no move
CHUNK = 8192
HELD_BACK = 20  # every twentieth game is for judging


class Rows(NamedTuple):
    """Inputs as float16, which is exact enough, log odds of the formula, targets, and the number of each row's game."""

    own: np.ndarray  # float16 [N, P, OWN_SIZE]
    shared: np.ndarray  # float16 [N, SHARED_SIZE]
    odds: np.ndarray  # float32 [N, P]
    targets: np.ndarray  # float32 [N, P]
    games: np.ndarray  # int32 [N]

    def numbers(self) -> tuple[np.ndarray, ...]:
        """What a network is fitted to: own, shared, odds, targets."""
        return self[:4]

    def held_back(self) -> np.ndarray:
        """Which rows are of games that networks are not fitted to but judged by, bool [N]."""
        return self.games % HELD_BACK == 0


def make_rows(
    box: Box, weights: np.ndarray, positions: Positions, last: float, visited: int, most: int, rng: np.random.Generator
) -> Rows:
    """At most so many rows of positions.

    last: of what a position's target is made, the part that the game's next position says, and so on to its end;
    visited: visits that a move which was not played needs to be a row.
    """
    at, moves, targets = _chosen(box, positions, last, visited)
    if len(at) > most:
        kept = np.sort(rng.choice(len(at), most, replace=False))
        at, moves, targets = at[kept], moves[kept], targets[kept]
    own = np.zeros((len(at), box.players, OWN_SIZE), np.float16)
    shared = np.zeros((len(at), SHARED_SIZE), np.float16)
    odds, alive = np.zeros((len(at), box.players), np.float32), np.zeros(len(at), np.bool_)
    see(box, weights, positions.states, at, moves, own, shared, odds, alive)
    return Rows(own[alive], shared[alive], odds[alive], targets[alive], positions.games[at][alive])


def _chosen(box: Box, positions: Positions, last: float, visited: int) -> tuple[np.ndarray, ...]:
    """Of each row: the position's number, the move behind which it lies or ITSELF, and the target."""
    number = len(positions.states)
    now, then = np.zeros((2, number, box.players), np.float32)
    look_back(positions, last, now, then)
    roots = np.arange(number)
    of_edge = np.repeat(roots, np.diff(positions.edges))
    played = positions.actions == positions.moves[of_edge]
    searched = positions.visits >= visited
    found = np.flatnonzero((played | searched) & (box.record[0].kind[positions.actions] != Kind.FLIP))
    behind = positions.behind[:, : box.players]
    both = np.where(searched[:, None], (1 - last) * behind + last * then[of_edge], then[of_edge])
    of_edges = np.where(played[:, None], both, behind)
    return (
        np.concatenate([roots, of_edge[found]]),
        np.concatenate([np.full(number, ITSELF), positions.actions[found].astype(np.int64)]),
        np.concatenate([now, of_edges[found]]),
    )


@kernel
def look_back(positions, last, now, then):
    """Each position's target, and that of what follows it: float32 [N, P].

    TD(lambda) from the end of the game, with `last` as lambda; where a stray move was played, what followed says
    nothing, and where nobody searched, only the winner counts.
    """
    players = now.shape[1]
    for at in range(positions.states.size - 1, -1, -1):
        ends = at + 1 == positions.states.size or positions.games[at + 1] != positions.games[at]
        searched = positions.values[at].sum() > 0
        kept = last if searched else 1.0
        if searched and positions.strays[at]:
            kept = 0.0
        for seat in range(players):
            then[at, seat] = now[at + 1, seat] if not ends else positions.winners[at] == seat
            now[at, seat] = kept * then[at, seat] + (1 - kept) * positions.values[at, seat]


def see(
    box: Box,
    weights: np.ndarray,
    states: np.ndarray,
    at: np.ndarray,
    moves: np.ndarray,
    own: np.ndarray,
    shared: np.ndarray,
    odds: np.ndarray,
    alive: np.ndarray,
) -> None:
    """Write what the network sees of states behind moves; alive: the game is not over there."""
    evaluator = make_evaluator(weights)
    imagined, mask = np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_)
    parts = [np.zeros((CHUNK, *array.shape[1:]), np.float32) for array in (own, shared)]
    for low in range(0, len(at), CHUNK):
        here = slice(low, min(low + CHUNK, len(at)))
        arrays = (at[here], moves[here], *parts, odds[here], alive[here])
        see_some(box.record, evaluator, states, imagined, mask, *arrays)
        own[here], shared[here] = (part[: len(at[here])] for part in parts)


@kernel
def see_some(boxes, evaluators, states, imagined, mask, at, moves, own, shared, odds, alive):
    """The same for a part, in float32."""
    box, evaluator, game = boxes[0], evaluators[0], imagined[0]
    for row in range(at.size):
        imagined[0] = states[at[row]]
        game.seed = 0
        if moves[row] != ITSELF:
            imagine(box, game, moves[row], mask)
        alive[row] = game.phase != Phase.OVER
        if alive[row]:
            features.look(box, game, evaluator)
            own[row] = evaluator.own[: own.shape[1]]
            shared[row] = evaluator.shared
            for seat in range(box.players):
                odds[row, seat] = evaluator.odds[seat]
