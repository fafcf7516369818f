"""Many games with agents in their seats, and what a tournament counts there: arrays, so that it costs little Python.

Letters: T games, P seats (or places), M moves, S sources of points.
"""

from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import NOBODY, GameType, Outcome
from oddville_env.core.game.view import View
from oddville_env.envs.game_batch import GameBatch

FIRST_ROOM = 512  # moves of a game, before there must be more room


class Kept(NamedTuple):
    """The contents of records: the ids of moves int16 [T, M], their numbers, and notes of the game's chance [T]."""

    moves: np.ndarray
    lengths: np.ndarray
    notes: np.ndarray


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
        self.kept: Kept | None = None
        if keep:
            moves, lengths = np.zeros((number, FIRST_ROOM), np.int16), np.zeros(number, np.int32)
            self.kept = Kept(moves, lengths, np.zeros(number, game_type.notes))
        self.deal_from(seeds)

    def advance(self, tables: np.ndarray, actions: np.ndarray, spent: np.ndarray) -> None:
        """Play actions[table], int64 [T], at some tables; spent: ms of a move, by place [P].

        Raises IllegalMoveError.
        """
        self.check(actions, tables)
        count(tables, self.seats, self.seating, spent, self.decisions, self.think, self.slowest)
        self.play(tables, actions)
        if self.kept is not None:
            self._make_room(int(self.kept.lengths[tables].max()))
            keep_moves(tables, actions, self.kept.moves, self.kept.lengths)
            self.game_type.loops.note_chance(self.box.record, self.games, tables, self.kept.notes)

    def _make_room(self, moves: int) -> None:
        assert self.kept is not None
        if moves == self.kept.moves.shape[1]:
            self.kept = self.kept._replace(moves=np.hstack([self.kept.moves, np.zeros_like(self.kept.moves)]))

    def view_of(self, table: int) -> View:
        """The view of the seat to move at a table."""
        return View(self.game_type, self.box, self.games, table, self._legal[table])

    def fail(self, table: int, seat: int) -> None:
        """A seat has failed: it will be last, and the game stops here."""
        self.failed[table], self.seats[table] = seat, NOBODY

    def end(self) -> np.ndarray:
        """Note scores, ranks and sources of all games, which are over or were stopped; those that are over."""
        over = super().end()
        stopped = np.flatnonzero(self.failed != NOBODY)
        self.game_type.loops.rank_now(self.box.record, self.games, stopped, self.scores, self.ranks)
        for table in stopped.tolist():
            put_last(self.ranks[table], int(self.failed[table]))
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
        assert self.kept is not None
        assert self.game_type.record_lines is not None
        moves = [row[:length] for row, length in zip(self.kept.moves.tolist(), self.kept.lengths.tolist(), strict=True)]
        return self.game_type.record_lines(self.box, self.seeds, moves, self.kept.notes, self._outcomes())

    def _outcomes(self) -> list[Outcome | None]:
        stopped = (self.failed != NOBODY).tolist()
        return [None if each else self._outcome(table) for table, each in enumerate(stopped)]

    def _outcome(self, table: int) -> Outcome | None:
        return self.game_type.outcome(self.box, self.games, table)


def put_last(ranks: np.ndarray, seat: int) -> None:
    """Move a seat to the last rank, and those behind it up by one: ranks int [P]."""
    ranks[ranks > ranks[seat]] -= 1
    ranks[seat] = len(ranks)


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
def keep_moves(tables, actions, moves, lengths):
    """Add the last moves [T] at some tables."""
    for table in tables:
        moves[table, lengths[table]] = actions[table]
        lengths[table] += 1


@kernel
def by_place(tables, seats, seating, ordered, starts):
    """The tables that still play, those where place 0 is to move first: ordered [T], place p's from starts[p] on.

    Returns how many there are.
    """
    number = 0
    for place in range(starts.size - 1):
        starts[place] = number
        for table in tables:
            if seats[table] != NOBODY and seating[table, seats[table]] == place:
                ordered[number] = table
                number += 1
    starts[starts.size - 1] = number
    return number
