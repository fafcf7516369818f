"""Games with agents in their seats, played to their ends: all at once where every agent has a batched form, else alone.

What a tournament counts of them lies in arrays, so that it costs little Python; at the end it becomes rows, one for
each game and seat. Letters: T games, P seats (or places), S sources of points, N rows.
"""

from collections.abc import Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from oddville_agents import Agent
from oddville_agents.agent import BatchAgent
from oddville_agents.player import AgentFaultError, Player
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import NOBODY, GameType
from oddville_env.core.game.view import View
from oddville_env.envs.game_batch import GameBatch
from oddville_training.processes.sandbox import Sandbox
from oddville_training.tournament.config import Games

MS = 1000.0  # in a second
AT_ONCE = 512  # games: with fewer Python is felt, with more their states are out of the core's cache


class SeatedBatch(GameBatch):
    """Games dealt from seeds of their own (uint64 [T]), with a place in each seat (seating int64 [T, P]).

    failed int8 [T]: the seat that ended the game by a failure, NOBODY where none did. Of each seat, all [T, P]:
    decisions, think and slowest (ms), and after `end` scores, ranks, and sources [T, P, S].
    """

    def __init__(self, game_type: GameType, box: Any, seeds: np.ndarray, seating: np.ndarray, keep: bool) -> None:
        number = len(seeds)
        super().__init__(game_type, box, None, number)
        self.seeds, self.seating = seeds, seating
        self.failed = np.full(number, NOBODY, np.int8)
        self.decisions = np.zeros(seating.shape, np.int32)
        self.think, self.slowest = np.zeros((2, *seating.shape), np.float32)
        self.sources = np.zeros((*seating.shape, len(game_type.sources)), np.int16)
        self._notes = np.zeros(number, game_type.notes) if keep else None  # of the games' chance, for their records
        self._moves = [(np.zeros(0, np.int64), np.zeros(0, np.int16))]  # tables and ids, in the order of `advance`
        self.deal_from(seeds)

    def advance(self, tables: np.ndarray, actions: np.ndarray, spent: np.ndarray) -> None:
        """Play actions[table], int64 [T], at some tables; spent: ms of a move, by place [P].

        Raises IllegalMoveError.
        """
        self.check(actions, tables)
        count(tables, self.seats, self.seating, spent, self.decisions, self.think, self.slowest)
        self.play(tables, actions)
        if self._notes is not None:
            self._moves.append((tables.copy(), actions[tables].astype(np.int16)))
            self.game_type.loops.note_chance(self.box.record, self.games, tables, self._notes)

    def end(self) -> np.ndarray:
        """Note scores, ranks and sources of all games, which are over or were stopped; those that are over."""
        over = super().end()
        stopped = np.flatnonzero(self.failed != NOBODY)
        self.game_type.loops.rank_now(self.box.record, self.games, stopped, self.scores, self.ranks)
        for table in stopped.tolist():  # the seat that failed is last, those behind it move up
            ranks, seat = self.ranks[table], self.failed[table]
            ranks[ranks > ranks[seat]] -= 1
            ranks[seat] = len(ranks)
        self.game_type.loops.sources(self.box.record, self.games, self.sources)
        return over

    @property
    def triggers(self) -> np.ndarray:
        """The seat that ended each game, int8 [T]; NOBODY where it was cut off or stopped, or where no seat does."""
        known = "trigger" in (self.games.dtype.names or ())
        return np.where((self.failed == NOBODY) & known, self.games["trigger"] if known else NOBODY, NOBODY)

    @property
    def rounds(self) -> np.ndarray:
        """The rounds that each game has had, int [T]; 0 where the game has none."""
        count = self.game_type.rounds
        return np.zeros(self.size, np.int64) if count is None else count(self.box, self.games)

    def records(self) -> list[str]:
        """The records of all games as JSON texts; a game that a failure stopped is not over."""
        assert self.game_type.record_lines is not None
        tables, ids = (np.concatenate(each) for each in zip(*self._moves, strict=True))
        ends = np.cumsum(np.bincount(tables, minlength=self.size))[:-1]
        moves = [each.tolist() for each in np.split(ids[np.argsort(tables, kind="stable")], ends)]
        outcome = partial(self.game_type.outcome, self.box, self.games)
        over = [outcome(table) if seat == NOBODY else None for table, seat in enumerate(self.failed.tolist())]
        return self.game_type.record_lines(self.box, self.seeds, moves, self._notes, over)


@kernel
def count(tables, seats, seating, spent, decisions, think, slowest):
    """A decision more for the seats to move, with the time that it took, which `spent` tells by place."""
    for table in tables:
        seat = seats[table]
        took = spent[seating[table, seat]]
        decisions[table, seat] += 1
        think[table, seat] += took
        slowest[table, seat] = max(slowest[table, seat], took)


@kernel
def by_place(tables, seats, seating, ordered, starts):
    """Order the tables that still play by the place to move: ordered [T], place p's from starts[p] on; how many."""
    number = 0
    for place in range(starts.size - 1):
        starts[place] = number
        for table in tables:
            if seats[table] != NOBODY and seating[table, seats[table]] == place:
                ordered[number] = table
                number += 1
    starts[starts.size - 1] = number
    return number


Seated = Player | Sandbox
"""A player at a single table, whose moves are legal: `begin` and `move` raise AgentFaultError."""


class TimedPlayer(Player):
    """An agent of this package: it plays in this process, and that it took too long is noted afterwards."""

    def __init__(self, agent: Agent, limit_s: float) -> None:
        super().__init__(agent)
        self._limit_s = limit_s

    def move(self, view: View) -> int:
        """The agent's move, in time. Raises AgentFaultError."""
        start = perf_counter()
        action = super().move(view)
        if perf_counter() - start > self._limit_s:
            raise AgentFaultError(self.name, f"timed out: more than {self._limit_s:g} s for a move")
        return action


def play_together(batch: SeatedBatch, batch_agents: Sequence[BatchAgent], agent_seeds: np.ndarray) -> None:
    """Play all games, many at once; batch_agents by place, agent_seeds: the agents' seeds by seat, uint64 [T, P].

    When half of the games that are played have ended, as many others begin.
    """
    number, players = batch.seating.shape
    seat_of = batch.seating.argsort(1)
    for place, batch_agent in enumerate(batch_agents):
        seats = seat_of[:, place]
        batch_agent.reset_all(seats, players, agent_seeds[np.arange(number), seats])
    here, there = np.zeros((2, AT_ONCE), np.int64)
    actions, spent, starts = np.zeros(number, np.int64), np.zeros(players, np.float32), np.zeros(players + 1, np.int64)
    size = begun = 0
    while size or begun < number:
        if size <= AT_ONCE // 2:
            more = min(AT_ONCE // 2, number - begun)
            here[size : size + more] = np.arange(begun, begun + more)
            size, begun = size + more, begun + more
        size = by_place(here[:size], batch.seats, batch.seating, there, starts)
        here, there = there, here
        now = here[:size]
        bounds = starts.tolist()  # plain numbers, which are quicker to cut arrays with
        for place, batch_agent in enumerate(batch_agents):
            start, stop = bounds[place : place + 2]
            if start < stop:
                began = perf_counter()
                view = batch.view(now[start:stop])
                batch_agent.act(view, actions)
                spent[place] = MS * (perf_counter() - began) / (stop - start)
        if size:
            batch.advance(now, actions, spent)


def play_alone(batch: SeatedBatch, table: int, players: Sequence[Seated], agent_seeds: np.ndarray) -> None:
    """Play one of the games; players by place, agent_seeds uint64 [P] by seat.

    Raises AgentFaultError, and then the seat that has failed is noted.
    """
    places = batch.seating[table].tolist()
    one, actions, spent = np.array([table]), np.zeros(batch.size, np.int64), np.zeros(len(places), np.float32)
    seat = 0
    try:
        for seat, place in enumerate(places):
            players[place].begin(seat, len(places), int(agent_seeds[seat]))
        while (seat := int(batch.seats[table])) != NOBODY:
            began = perf_counter()
            actions[table] = players[places[seat]].move(batch.view(one).one(0))
            spent[places[seat]] = MS * (perf_counter() - began)
            batch.advance(one, actions, spent)
    except AgentFaultError:
        batch.failed[table], batch.seats[table] = seat, NOBODY  # it will be last, and the game stops here
        raise


class Failed(NamedTuple):
    """Why the agent in a seat lost a game last."""

    game: int
    seat: int
    why: str


def row_type(sources: Sequence[str]) -> np.dtype:
    """The type of the rows of a game whose points come from these sources."""
    return np.dtype(
        [
            ("block", "u4"), ("game", "u4"), ("seat", "u1"), ("agent", "u2"), ("rank", "u1"), ("score", "i2"),
            *((source, "i2") for source in sources),
            ("decisions", "u2"), ("think_ms", "f4"), ("slowest_ms", "f4"), ("rounds", "u2"),
            ("trigger", "?"), ("truncated", "?"),
        ]
    )  # fmt: skip


def rows_of(batch: SeatedBatch, games: Games) -> np.ndarray:
    """The rows of games that are over: row_type [T * P]."""
    rows = np.zeros(batch.seating.shape, row_type(batch.game_type.sources))
    seats = np.arange(batch.seating.shape[1])
    of_games = {
        "block": games.blocks, "game": games.games, "rounds": batch.rounds, "truncated": batch.truncated
    }  # fmt: skip
    for name, values in of_games.items():
        rows[name] = values[:, None]
    of_seats = {
        "seat": seats, "agent": games.agents, "rank": batch.ranks, "score": batch.scores,
        "decisions": batch.decisions, "think_ms": batch.think, "slowest_ms": batch.slowest,
        "trigger": seats == batch.triggers[:, None],
    }  # fmt: skip
    for name, values in of_seats.items():
        rows[name] = values
    for number, source in enumerate(batch.game_type.sources):
        rows[source] = batch.sources[..., number]
    return rows.reshape(-1)


def win_shares(rows: np.ndarray) -> np.ndarray:
    """The part of the game that each row's seat won, float [N]: 1 for the winner, an equal part for each of several.

    The rows of a game stand side by side.
    """
    first = rows["rank"] == 1
    _, game = np.unique(rows["game"], return_inverse=True)
    shares: np.ndarray = first / np.bincount(game, first)[game]
    return shares
