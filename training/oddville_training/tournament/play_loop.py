"""How tables are played to their ends: all at once where every agent has a batched form, else one after the other."""

from collections.abc import Sequence
from time import perf_counter
from typing import Protocol

import numpy as np

from oddville_agents import Agent
from oddville_agents.agent import BatchAgent
from oddville_agents.player import AgentFaultError
from oddville_agents.player import Player as AgentPlayer
from oddville_env.core.view import BatchView, View
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.moves import words
from oddville_env.oddville.rules.box import Box
from oddville_training.tournament.tables import Tables, by_place

MS = 1000.0  # in a second
AT_ONCE = 512  # tables: with fewer Python is felt, with more their states are out of the core's cache


class FailureError(Exception):
    """Why an agent loses a game: it raised, played an illegal move, took too long or too much memory."""


class Player(Protocol):
    """Somebody at a single table; both methods raise FailureError."""

    def begin(self, seat: int, players: int, seed: int) -> None:
        """A game begins: what `Agent.reset` is told."""

    def move(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """The id for the seat to move: what `Agent.act` is asked."""


class OwnPlayer:
    """An agent of this package: it plays in this process, and what goes wrong is noted afterwards."""

    def __init__(self, agent: Agent, limit_s: float) -> None:
        self._player, self._limit_s = AgentPlayer(agent), limit_s

    def begin(self, seat: int, players: int, seed: int) -> None:
        """As of Player."""
        self._player.begin(seat, players, seed)

    def move(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """As of Player."""
        start = perf_counter()
        view = View(ODDVILLE, box, games, index, mask)
        try:
            action = self._player.move(view)
        except AgentFaultError as error:
            raise FailureError(error.reason) from error
        if perf_counter() - start > self._limit_s:
            raise FailureError(f"timed out: more than {self._limit_s:g} s for a move")
        return action


def play_together(tables: Tables, batch_agents: Sequence[BatchAgent], agent_seeds: np.ndarray) -> None:
    """Play all tables, many at once; batch_agents by place, agent_seeds: the agents' seeds by seat, uint64 [T, P].

    When half of the tables that play have ended, as many others begin.
    """
    number, players = tables.seating.shape
    seat_of = tables.seating.argsort(1)
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
        size = by_place(here[:size], tables.seats, tables.seating, there, starts)
        here, there = there, here
        now = here[:size]
        bounds = starts.tolist()  # plain numbers, which are quicker to cut arrays with
        for place, batch_agent in enumerate(batch_agents):
            start, stop = bounds[place : place + 2]
            if start < stop:
                began = perf_counter()
                view = BatchView(ODDVILLE, tables.box, tables.games, now[start:stop], tables.masks)
                batch_agent.act(view, actions)
                spent[place] = MS * (perf_counter() - began) / (stop - start)
        if size:
            tables.play(now, actions, spent)


def play_alone(tables: Tables, table: int, players: Sequence[Player], agent_seeds: np.ndarray) -> str | None:
    """Play one table; players by place, agent_seeds uint64 [P] by seat. Returns why somebody failed, if so."""
    places = tables.seating[table].tolist()
    one, actions, spent = np.array([table]), np.zeros(len(tables.seats), np.int64), np.zeros(len(places), np.float32)
    seat = 0
    try:
        for seat, place in enumerate(places):
            players[place].begin(seat, len(places), int(agent_seeds[seat]))
        while (seat := int(tables.seats[table])) != NOBODY:
            began = perf_counter()
            action = players[places[seat]].move(tables.box, tables.games, table, tables.masks[table])
            spent[places[seat]] = MS * (perf_counter() - began)
            actions[table] = _legal(tables, table, action)
            tables.play(one, actions, spent)
    except FailureError as failure:
        tables.fail(table, seat)
        return str(failure)
    return None


def _legal(tables: Tables, table: int, answer: int) -> int:
    """The action itself; raises FailureError where it is not legal."""
    if not tables.is_legal(table, answer):
        raise FailureError(f"illegal move: {words(tables.box.layout)[answer]}")
    return answer
