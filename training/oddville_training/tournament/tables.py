"""Many tables at which games are played, and what is counted there: arrays, so that a game costs next to no Python.

Letters: T tables, P seats (or places), D deals, K seatings of a deal, A actions.
"""

from typing import NamedTuple

import numpy as np

from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.loops import LEGAL, deal, first_illegal, note_end, play
from oddville_env.oddville.rules import scoring
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import CHARACTERS, GUILDS, IN_GUILD

SOURCES = ("buildings", "characters", "workers", "square")
"""Where points come from; they sum to the score."""
BUILDINGS, POWERS, WORKERS, SQUARE = range(len(SOURCES))
FIRST_ROOM = 512  # moves of a game, before there must be more room
MOST_RESHUFFLES = 23  # no more buildings than these can be built (P5)


class Kept(NamedTuple):
    """What a record needs beside the end: moves int16 [T, M], new piles (G2) int8 [T, R, 3], and how many of each."""

    moves: np.ndarray
    lengths: np.ndarray
    piles: np.ndarray
    reshuffles: np.ndarray


class Tables:
    """Games of one box, dealt from seeds (uint64 [T]), with a place in each seat (seating int64 [T, P]).

    games [T] records · masks bool [T, A], a copy that agents look at · seats int8 [T], who is to move, NOBODY when a
    game is over · failed int8 [T], the seat that ended the game by a failure. Of each seat, all [T, P]: decisions,
    think and slowest (ms), and after `end` scores, ranks, and sources [T, P, 4].
    """

    def __init__(self, box: Box, seeds: np.ndarray, seating: np.ndarray, keep: bool) -> None:
        number = len(seeds)
        self.box, self.seeds, self.seating = box, seeds, seating
        self.games = np.zeros(number, box.games)
        self._legal = np.zeros((number, box.layout.size), np.bool_)
        self.masks = self._legal.copy()
        self.seats = np.zeros(number, np.int8)
        self.failed = np.full(number, NOBODY, np.int8)
        self.decisions = np.zeros(seating.shape, np.int32)
        self.think, self.slowest = np.zeros((2, *seating.shape), np.float32)
        self.scores, self.ranks = np.zeros((2, *seating.shape), np.int16)
        self.sources = np.zeros((*seating.shape, len(SOURCES)), np.int16)
        self._noted = np.zeros((number, GUILDS), np.int16)
        self.kept: Kept | None = None
        if keep:
            piles = np.full((number, MOST_RESHUFFLES, IN_GUILD), NOTHING, np.int8)
            lengths, reshuffles = np.zeros((2, number), np.int32)
            self.kept = Kept(np.zeros((number, FIRST_ROOM), np.int16), lengths, piles, reshuffles)
        deal(box.record, self.games, seeds, self._legal, self.masks, self.seats, 0, number)

    def play(self, tables: np.ndarray, actions: np.ndarray, spent: np.ndarray) -> None:
        """Play actions[table], int64 [T], at some tables; spent: ms of a move, by place [P].

        The actions are legal.
        """
        if self.kept is not None:
            self._make_room(int(self.kept.lengths[tables].max()))
        counted = (self.seating, spent, self.decisions, self.think, self.slowest)
        wrong = advance(self.box.record, self.games, tables, actions, self._legal, self.masks, self.seats, *counted)
        assert wrong == LEGAL, "only legal actions are played"
        if self.kept is not None:
            keep(self.box.record, self.games, tables, actions, self._noted, *self.kept)

    def _make_room(self, moves: int) -> None:
        assert self.kept is not None
        if moves == self.kept.moves.shape[1]:
            self.kept = self.kept._replace(moves=np.hstack([self.kept.moves, np.zeros_like(self.kept.moves)]))

    def fail(self, table: int, seat: int) -> None:
        """A seat has failed: it will be last, and the game stops here."""
        self.failed[table], self.seats[table] = seat, NOBODY

    def end(self) -> None:
        """Note scores, ranks and sources of all games."""
        end(self.box.record, self.games, self.failed, self.scores, self.ranks, self.sources)

    @property
    def triggers(self) -> np.ndarray:
        """The seat that ended each game, int8 [T]; NOBODY where it was cut off or stopped."""
        return np.where(self.failed == NOBODY, self.games["trigger"], NOBODY)


@kernel
def advance(boxes, games, tables, actions, legal, masks, seats, seating, spent, decisions, think, slowest):
    """Count and play the actions [T] at some tables; one call, since each costs as much as three decisions.

    Returns the first table whose action is not legal, and then plays nothing; LEGAL where there is none.
    """
    wrong = first_illegal(actions, tables, legal)
    if wrong == LEGAL:
        count(tables, seats, seating, spent, decisions, think, slowest)
        play(boxes, games, tables, actions, legal, masks, seats)
    return wrong


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
def keep(boxes, games, tables, actions, noted, moves, lengths, piles, reshuffles):
    """[G2] Add the last moves, and the pile that each may have made: a build makes one at most."""
    for table in tables:
        moves[table, lengths[table]] = actions[table]
        lengths[table] += 1
        for guild in range(GUILDS):
            if games[table].reshuffles[guild] > noted[table, guild]:
                noted[table, guild] = games[table].reshuffles[guild]
                write_pile(boxes[0], games[table], guild, piles[table, reshuffles[table]])
                reshuffles[table] += 1


@kernel
def write_pile(box, game, guild, pile):
    """[G2] A new pile as it was, top first: the top one has just been taken, and is the only one that is."""
    for character in range(CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            pile[0] = character
    size = game.pile_size[guild]
    for place in range(size):
        pile[size - place] = game.pile[guild, place]


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


@kernel
def end(boxes, games, failed, scores, ranks, sources):
    """Scores [T, P], ranks [T, P] and sources [T, P, 4] of games that are over, or stopped by a failure [T]."""
    for table in range(games.size):
        note_end(boxes[0], games[table], scores[table], ranks[table])
        if failed[table] != NOBODY:
            put_last(ranks[table], failed[table])
        for seat in range(boxes[0].players):
            write_sources(boxes[0], games[table], seat, sources[table, seat])


@kernel
def put_last(ranks, seat):
    """Whoever was behind the seat goes up by one, and it comes last."""
    for other in range(ranks.size):
        ranks[other] -= ranks[other] > ranks[seat]
    ranks[seat] = ranks.size


@kernel
def write_sources(box, game, seat, sources):
    """[E2] A seat's points by source."""
    sources[:] = 0
    for entry in range(1, game.city_size):
        if game.city_owner[entry] == seat:
            sources[BUILDINGS] += game.value[entry]
    for character in range(CHARACTERS):
        if game.owner[character] == seat:
            sources[POWERS] += scoring.character_points(box, game, character)
    sources[WORKERS] = scoring.workers_on_board(game, seat)
    sources[SQUARE] = scoring.square_value(box, game, seat)
