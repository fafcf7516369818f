"""How tables are played to their ends: all at once where every agent has a batched form, else one after the other."""

from collections.abc import Sequence
from time import perf_counter
from typing import Protocol

import numpy as np

from oddville_agents import Agent
from oddville_agents.agent import BatchAgent
from oddville_agents.player import AgentFaultError, Player
from oddville_env.core.view import BatchView, View
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from oddville_training.tournament.tables import Tables, by_place

MS = 1000.0  # in a second
AT_ONCE = 512  # tables: with fewer Python is felt, with more their states are out of the core's cache


class Seated(Protocol):
    """Somebody at a single table, whose moves are legal; both methods raise AgentFaultError."""

    def begin(self, seat: int, players: int, seed: int) -> None:
        """A game begins: what `Agent.reset` is told."""

    def move(self, view: View) -> int:
        """The id for the seat to move."""


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


def play_alone(tables: Tables, table: int, players: Sequence[Seated], agent_seeds: np.ndarray) -> str | None:
    """Play one table; players by place, agent_seeds uint64 [P] by seat. Returns why somebody failed, if so."""
    places = tables.seating[table].tolist()
    one, actions, spent = np.array([table]), np.zeros(len(tables.seats), np.int64), np.zeros(len(places), np.float32)
    seat = 0
    try:
        for seat, place in enumerate(places):
            players[place].begin(seat, len(places), int(agent_seeds[seat]))
        while (seat := int(tables.seats[table])) != NOBODY:
            began = perf_counter()
            action = players[places[seat]].move(View(ODDVILLE, tables.box, tables.games, table, tables.masks[table]))
            spent[places[seat]] = MS * (perf_counter() - began)
            actions[table] = action
            tables.play(one, actions, spent)
    except AgentFaultError as fault:
        tables.fail(table, seat)
        return fault.reason
    return None
