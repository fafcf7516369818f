"""Games of agents that look one move ahead, in one compiled loop; the jobs that play them, and files of positions.

Every seat is played by a network or by the heuristic; now and then any legal move is played instead, a stray one. Of
some moves it is noted what a seat sees behind them: the mover, to whom what it draws is unknown as when it chooses,
and one of all seats when the move was made.
None of it needs torch. Letters of shapes: D games to play, N rows, K networks, P seats, A actions.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from oddville_agents.oldtown.greedy import try_move
from oddville_agents.oldtown.heuristic import choice as heuristic
from oddville_agents.oldtown.heuristic.choice import weight_set
from oddville_agents.oldtown.value import evaluator as value
from oddville_agents.oldtown.value.evaluator import make_evaluator, share_of_win
from oddville_agents.oldtown.value.network import SIZE, TENSORS, look
from oddville_agents.tensors import ArrayKind, check_arrays, read_npz, zeros
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.disk.files import atomic_write
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.rules import hidden, turn
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.batch import LOOPS
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import STATE
from oddville_env.oldtown.settings import PLAYERS, make_box
from oddville_training.oldtown.selfplay.plan import MOST_GAMES, Plan
from oddville_training.selfplay.plan import MOST_ROUNDS, Part, PlanError, Stage

HEURISTIC = -1  # of policies: the heuristic plays instead of a network
NEWEST = 0  # the network that learns, the first one
ROOM = 120  # rows of a game, if all moves are noted: more than there are
AT_TABLE, BEFORE, AHEAD = 0, 1, 2  # games of a table: the real one, as its mover sees it, and two to look ahead with
STRAYS = (0.0, 0.03, 0.08, 0.2)  # parts of moves that are random; games take them in turn
AT_THE_TABLE = 0.5  # how likely a seat of a game with guests is the heuristic's
MOST_SEEN = 65_504.0  # of a number in a row, the largest one of float16
deal_one = LOOPS.deal_one
Tensors = dict[str, np.ndarray]


class Deals(NamedTuple):
    """The games to play."""

    seeds: np.ndarray  # uint64 [D]
    policies: np.ndarray  # int8 [D, P]: the number of the network that plays a seat, or HEURISTIC
    strays: np.ndarray  # float64 [D]: the part of a game's moves that are random
    first: int  # the number of the first game
    share: float  # the part of the moves that are noted


class Noted(NamedTuple):
    """Noted positions: rows of a game lie side by side, in the order in which they were played."""

    seen: np.ndarray  # float16 [N, SIZE]
    seats: np.ndarray  # int8 [N]: the seat that sees it
    games: np.ndarray  # int64 [N]: the number of the game
    wins: np.ndarray  # float32 [N]: the seat's part of the win in the end


def play_games(box: Box, weights: np.ndarray, evaluators: np.ndarray, deals: Deals) -> tuple[Noted, np.ndarray]:
    """Play all games: what is noted of them, and every seat's part of the win, float32 [D, P]."""
    noted = room_for(int(len(deals.seeds) * ROOM * box.players * deals.share) + ROOM)
    wins = np.zeros((len(deals.seeds), box.players), np.float32)
    mask, games = np.zeros(box.layout.size, np.bool_), np.zeros(5, STATE)
    number = play_all(box.record, weights, evaluators, deals, noted, wins, games, mask)
    return trimmed(noted, number), wins


def room_for(rows: int) -> Noted:
    """Room for so many rows; `seen` is float32 until `trimmed`."""
    return Noted(**zeros(KINDS | {"seen": ArrayKind(np.float32, ("N", SIZE))}, N=rows))


def trimmed(noted: Noted, rows: int) -> Noted:
    """The first so many rows."""
    kept = Noted(*(array[:rows] for array in noted))
    return kept._replace(seen=kept.seen.astype(np.float16))


@kernel
def play_all(boxes, weights, evaluators, deals, noted, wins, games, mask):
    """Play every game; returns how many rows were noted."""
    box, at = boxes[0], 0
    for number in range(deals.seeds.size):
        start, seed = at, deals.seeds[number]
        deal_one(box, games[AT_TABLE], seed, mask)
        while games[AT_TABLE].to_move != NOBODY:
            seed = chance.scatter(seed + chance.INCREMENT)
            games[BEFORE] = games[AT_TABLE]
            mover = games[AT_TABLE].to_move
            hidden.canonicalize_hidden(box, games[BEFORE], mover)
            action = choose(boxes, weights, evaluators, deals, number, games, mask, seed)
            is_noted = games[AT_TABLE].legal_count > 1 and box.kind[action] != Kind.SHOW and at + 2 <= noted.seats.size
            turn.step(box, games[AT_TABLE], action, mask)
            if is_noted and chance.part_of(chance.scatter(seed ^ chance.INCREMENT)) < deals.share:
                try_move(box, games[BEFORE], action, games[AHEAD:])
                at = note(box, games, AHEAD, mover, evaluators[NEWEST], noted, at)
                seat = np.int64(seed >> np.uint64(8)) % box.players
                at = note(box, games, AT_TABLE, seat, evaluators[NEWEST], noted, at)
        for seat in range(box.players):
            wins[number, seat] = share_of_win(box, games[AT_TABLE], seat)
        for row in range(start, at):
            noted.games[row] = deals.first + number
            noted.wins[row] = wins[number, noted.seats[row]]
    return at


@kernel
def choose(boxes, weights, evaluators, deals, number, games, mask, seed):
    """A stray move, or that of the heuristic or of a network."""
    if chance.part_of(seed) < deals.strays[number]:
        return chance.random_move(mask, seed, 0)
    policy = deals.policies[number, games[BEFORE].to_move]
    if games[BEFORE].legal_count == 1 or policy == HEURISTIC:
        return heuristic.best_move(boxes, games, BEFORE, mask, weights)
    return value.best_move(boxes, games, BEFORE, mask, evaluators[policy : policy + 1], games[AHEAD:])


@kernel
def note(box, games, table, seat, evaluator, noted, at):
    """Note what a seat sees of a game that is not over; returns the next row."""
    if games[table].to_move == NOBODY:
        return at
    look(box, games[table], seat, evaluator)
    overwrite(noted.seen[at], evaluator.seen)
    noted.seats[at] = seat
    return at + 1


def play_part(plan: Plan, stage: Stage, part: Part, networks: tuple[Tensors, ...]) -> Noted:
    """The positions of the games of a part; they follow from the arguments alone."""
    size, players = part.games, part.players
    rng = np.random.default_rng([plan.seed, stage.number, players, part.number])
    seeds = rng.integers(2**64, size=size, dtype=np.uint64)
    policies = np.full((size, players), NEWEST if networks else HEURISTIC, np.int8)
    policies[(rng.random((size, 1)) < plan.guests) & (rng.random((size, players)) < AT_THE_TABLE)] = HEURISTIC
    first = first_game(plan, stage, players) + part.first
    deals = Deals(seeds, policies, np.resize(STRAYS, size), first, plan.share)
    return play_games(make_box(players), weight_set("tuned", players), evaluator_of(*networks), deals)[0]


def first_game(plan: Plan, stage: Stage, players: int) -> int:
    """The number of a stage's first game with so many players."""
    return (players * (plan.rounds + 1) + stage.number) * MOST_GAMES


def evaluator_of(tensors: Tensors | None = None) -> np.ndarray:
    """The evaluator [1] of a network, or one whose values are all 0."""
    return make_evaluator(tensors or {name: np.zeros(shape, np.float32) for name, shape in TENSORS.items()})


def save(path: Path, noted: Noted) -> None:
    """Write positions to an npz file."""
    with atomic_write(path, "wb") as file:
        np.savez(file, **noted._asdict())


KINDS = {
    "seen": ArrayKind(np.float16, ("N", SIZE), -MOST_SEEN, MOST_SEEN),
    "seats": ArrayKind(np.int8, ("N",), 0, PLAYERS[-1] - 1),
    "games": ArrayKind(np.int64, ("N",), 0, (PLAYERS[-1] + 1) * (MOST_ROUNDS + 1) * MOST_GAMES),
    "wins": ArrayKind(np.float32, ("N",), 0, 1),
}


def load(path: Path) -> Noted:
    """Read what `save` wrote. Raises PlanError."""
    plain = read_npz(path, PlanError)
    check_arrays(path, plain, KINDS, PlanError)
    return Noted(**plain)
