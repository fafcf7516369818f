"""The agent's interface: it is told its seat, gets a view whenever it is to move, and answers with a move."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np

from oddville_agents.player import Player, copy_of
from oddville_env.core.game.view import BatchView, View


class Candidate(NamedTuple):
    """A legal move as an agent sees it.

    share: how much of its thought or of its will the move gets, 0 to 1. values: every seat's chance to win after it, or
    nothing where the agent does not say. visits: how often a search tried it. line: the ids that it expects, with this
    one first.
    """

    action: int
    share: float
    values: tuple[float, ...] = ()
    visits: int = 0
    line: tuple[int, ...] = ()


class Opinion(NamedTuple):
    """An agent's opinion of a position: candidates with the best first, after so many iterations of a search.

    seconds: how long it thought, where it says so. To compile and to load code is no thinking.
    """

    candidates: tuple[Candidate, ...]
    iterations: int = 0
    seconds: float | None = None

    @classmethod
    def of_shares(cls, actions: np.ndarray, shares: np.ndarray) -> "Opinion":
        """The opinion of an agent that gives each legal move a probability: ids [L] and shares float [L]."""
        order = np.argsort(-shares, kind="stable")
        return cls(tuple(Candidate(int(actions[place]), float(shares[place])) for place in order))


class Agent(ABC):
    """An agent: subclass it and write `act`.

    `name` and `version` tell people what plays; `ms` is how many milliseconds it takes for a move where a clock rules
    it; `spec` is the text that it was made from, if it was.
    """

    name = "agent"
    version = "1"
    ms: float | None = None
    spec = ""

    def reset(self, seat: int, players: int, seed: int) -> None:  # noqa: B027
        """A game begins: the agent's seat, how many play, and a seed for chance of its own beside `view.rng`."""

    @abstractmethod
    def act(self, view: View) -> int:
        """The id of a legal move: one of those that `view.mask` allows."""

    def opinion(self, view: View) -> Opinion:
        """The agent's opinion of the position, for people: its move, where it can say no more."""
        return Opinion((Candidate(self.act(view), 1.0),))

    def _made_anew(self, *arguments: Any) -> Self:
        """A copy that is made as this one was: for agents with scratch that no copy needs."""
        twin = type(self)(*arguments)
        twin.spec = self.spec
        return twin

    def batch_agent(self, tables: int) -> "BatchAgent":
        """This agent at many tables at once; agents that can think of many games together give a faster one."""
        return Copies(self, tables)


class BatchAgent(ABC):
    """An agent that sits at many tables, and is asked for the moves of several of them at once."""

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:  # noqa: B027
        """A game begins at a table: what `Agent.reset` is told."""

    def reset_all(self, seats: np.ndarray, players: int, seeds: np.ndarray) -> None:
        """A game begins at every table: seats int64 [B], seeds uint64 [B]."""
        for table, (seat, seed) in enumerate(zip(seats.tolist(), seeds.tolist(), strict=True)):
            self.reset(table, seat, players, seed)

    @abstractmethod
    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves for the games of the view into actions int64 [B], at `view.tables`."""


class StatelessBatchAgent(BatchAgent):
    """An agent that remembers nothing, at many tables: a function that writes the moves of a view into actions [B]."""

    def __init__(self, write_moves: Callable[[BatchView, np.ndarray], None]) -> None:
        self._write_moves = write_moves

    def reset_all(self, seats: np.ndarray, players: int, seeds: np.ndarray) -> None:
        """Nothing is remembered."""

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves."""
        self._write_moves(view, actions)


class Copies(BatchAgent):
    """As many copies of an agent as there are tables, which are asked one after the other."""

    def __init__(self, agent: Agent, tables: int) -> None:
        self._players = [Player(copy_of(agent)) for _ in range(tables)]

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """A game begins at a table. Raises AgentFaultError."""
        self._players[table].begin(seat, players, seed)

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Ask the copies of these tables. Raises AgentFaultError."""
        for place, table in enumerate(view.tables.tolist()):
            actions[table] = self._players[table].move(view.one(place))


class ObservationAgent(Agent):
    """An agent that sees nothing but the observation: subclass it and write `choose`."""

    encoding: str | None = None
    """The observation that `choose` gets; None for the game's default one."""

    @abstractmethod
    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The id of a legal move: observation uint8 [N] as the agent's seat sees it, mask bool [A]."""

    def act(self, view: View) -> int:
        """Observe, then choose."""
        return self.choose(view.observation(self.encoding), view.mask)


class GameAgent(Agent):
    """An agent that thinks ahead: `think` gets a game in which everything it cannot know has been dealt anew."""

    @abstractmethod
    def think(self, game: Any) -> int:
        """The id of a legal move in a game that is the agent's own to play with."""

    def act(self, view: View) -> int:
        """Deal the unknown anew, then think."""
        return self.think(view.game())


class FunctionAgent(ObservationAgent):
    """A bare function of (observation, mask) as an agent."""

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], int]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function = function

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The answer of the function."""
        return self._function(observation, mask)
