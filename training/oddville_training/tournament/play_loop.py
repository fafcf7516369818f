"""Playing games to their ends: all at once where every agent has a batched form, else one after the other."""

from collections.abc import Sequence
from time import perf_counter
from typing import Protocol

import numpy as np

from oddville_agents import Agent
from oddville_agents.agent import BatchAgent
from oddville_agents.player import AgentFaultError, Player
from oddville_env.core.game.game_type import NOBODY
from oddville_env.core.game.view import View
from oddville_training.tournament.seated_batch import SeatedBatch, by_place

MS = 1000.0  # in a second
AT_ONCE = 512  # games: with fewer Python is felt, with more their states are out of the core's cache


class Seated(Protocol):
    """A player at a single table, whose moves are legal; both methods raise AgentFaultError."""

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
            actions[table] = players[places[seat]].move(batch.view_of(table))
            spent[places[seat]] = MS * (perf_counter() - began)
            batch.advance(one, actions, spent)
    except AgentFaultError:
        batch.fail(table, seat)
        raise
