"""Games of agents that look one move ahead, in one compiled loop: many games in little time.

Every seat is played by a network or by the heuristic; now and then any legal move is played instead, a stray one. Of
some moves it is noted what a seat sees behind them: the mover, to whom what it draws is unknown as when it chooses,
and one of all seats when the move was made.
Letters of shapes: D games to play, N rows, K networks, P seats, A actions.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oldtown.greedy import try_move
from oddville_agents.oldtown.heuristic import choice as heuristic
from oddville_agents.oldtown.value import evaluator as value
from oddville_agents.oldtown.value.evaluator import share_of_win
from oddville_agents.oldtown.value.network import SIZE, look
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.rules import hidden, setup, turn
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import STATE

HEURISTIC = -1  # of policies: the heuristic plays instead of a network
NEWEST = 0  # the network that learns, the first one
ROOM = 120  # rows of a game, if all moves are noted: more than there are
AT_TABLE, BEFORE, AHEAD = 0, 1, 2  # games of a table: the real one, as its mover sees it, and two to look ahead with


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
    room = int(len(deals.seeds) * ROOM * box.players * deals.share) + ROOM
    noted = Noted(np.zeros((room, SIZE), np.float32), np.zeros(room, np.int8), np.zeros(room, np.int64),
                  np.zeros(room, np.float32))  # fmt: skip
    wins = np.zeros((len(deals.seeds), box.players), np.float32)
    mask, games = np.zeros(box.layout.size, np.bool_), np.zeros(5, STATE)
    number = play_all(box.record, weights, evaluators, deals, noted, wins, games, mask)
    kept = Noted(*(array[:number] for array in noted))
    return kept._replace(seen=kept.seen.astype(np.float16)), wins


@kernel
def play_all(boxes, weights, evaluators, deals, noted, wins, games, mask):
    """Play every game; returns how many rows were noted."""
    box, at = boxes[0], 0
    for number in range(deals.seeds.size):
        start, seed = at, deals.seeds[number]
        setup.shuffle(box, games[AT_TABLE], seed)
        setup.lay_table(box, games[AT_TABLE])
        turn.legal(box, games[AT_TABLE], mask)
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
def note(box, games, place, seat, evaluator, noted, at):
    """Note what a seat sees of a game that is not over; returns the next row."""
    if games[place].to_move == NOBODY:
        return at
    look(box, games[place], seat, evaluator)
    overwrite(noted.seen[at], evaluator.seen)
    noted.seats[at] = seat
    return at + 1
