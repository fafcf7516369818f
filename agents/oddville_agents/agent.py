"""The agent's interface: it gets its seat, then a view of the game at each of its decisions, and returns a move."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np

from oddville_agents.player import Player, copy_of
from oddville_env.core.game.view import BatchView, View


class Candidate(NamedTuple):
    """A legal move in an agent's opinion.

    share: the move's part of visits or probability, 0 to 1. values: every seat's chance to win after it, if known.
    visits: of a search. line: the ids of the expected line of play, this move first.
    """

    action: int
    share: float
    values: tuple[float, ...] = ()
    visits: int = 0
    line: tuple[int, ...] = ()


class Branch(NamedTuple):
    """A move in the tree of a search, played by `seat` in the state `games` [1].

    parent: the index in the tree of the move before it, None at the root. values: every seat's chance to win after it.
    prior: its share of visits as the search expected it before the first one.
    """

    action: int
    parent: int | None
    seat: int
    games: np.ndarray
    visits: int
    values: tuple[float, ...]
    prior: float


class Opinion(NamedTuple):
    """An agent's opinion of a position: candidates, the best first, after so many iterations of a search.

    seconds: thinking time without compiling and loading, if known.
    """

    candidates: tuple[Candidate, ...]
    iterations: int = 0
    seconds: float | None = None

    @classmethod
    def of_shares(cls, actions: np.ndarray, shares: np.ndarray) -> "Opinion":
        """Return the opinion that gives legal moves these probabilities: ids [L] and shares float [L]."""
        order = np.argsort(-shares, kind="stable")
        return cls(tuple(Candidate(int(actions[at]), float(shares[at])) for at in order))


class Agent(ABC):
    """An agent: subclass it and write `act`.

    `name` and `version` identify the agent in records and tables; `ms` is its time for a move in milliseconds if it
    plays by a clock; `spec` is the text that it was made from, if any.
    """

    name = "agent"
    version = "1"
    ms: float | None = None
    spec = ""

    def reset(self, seat: int, players: int, seed: int) -> None:  # noqa: B027
        """Start a game. The seed is for randomness of the agent's own, beside `view.rng`."""

    @abstractmethod
    def act(self, view: View) -> int:
        """Return the id of a legal move, one that `view.mask` allows."""

    def opinion(self, view: View) -> Opinion:
        """Return the agent's opinion of the position; by default its move alone."""
        return Opinion((Candidate(self.act(view), 1.0),))

    def tree(self, most: int) -> tuple[Branch, ...]:
        """Return at most `most` moves of the tree of the last `opinion`, parents first; none without a tree."""
        return ()

    def _new_with(self, *arguments: Any) -> Self:
        """A copy made with these arguments, for agents whose working memory need not be copied."""
        twin = type(self)(*arguments)
        twin.spec = self.spec
        return twin

    def batch_agent(self, tables: int) -> "BatchAgent":
        """Return this agent for many tables; by default copies of it, one a table."""
        return Copies(self, tables)


class BatchAgent(ABC):
    """An agent at many tables that chooses the moves of several of them in one call."""

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:  # noqa: B027
        """Start a game at a table, as `Agent.reset` does."""

    def reset_all(self, seats: np.ndarray, players: int, seeds: np.ndarray) -> None:
        """Start a game at every table: seats int64 [B], seeds uint64 [B]."""
        for table, (seat, seed) in enumerate(zip(seats.tolist(), seeds.tolist(), strict=True)):
            self.reset(table, seat, players, seed)

    @abstractmethod
    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves for the games of the view into actions int64 [B], at `view.tables`."""


class StatelessBatchAgent(BatchAgent):
    """An agent without memory at many tables: a function that writes the moves of a view into actions [B]."""

    def __init__(self, write_moves: Callable[[BatchView, np.ndarray], None]) -> None:
        self._write_moves = write_moves

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves."""
        self._write_moves(view, actions)


class StatelessAgent(Agent):
    """An agent without memory: subclass it, and write `write_moves`."""

    def act(self, view: View) -> int:
        """Return the move that `write_moves` writes for a batch of one game."""
        action = np.zeros(1, np.int64)
        self.write_moves(view.batch(), action)
        return int(action[0])

    @abstractmethod
    def write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves for the games of the view into actions int64 [B], at `view.tables`."""

    def batch_agent(self, tables: int) -> StatelessBatchAgent:
        """Return this agent for many tables."""
        return StatelessBatchAgent(self.write_moves)


class Copies(BatchAgent):
    """Copies of an agent, one for each table, called one after the other."""

    def __init__(self, agent: Agent, tables: int) -> None:
        self._players = [Player(copy_of(agent)) for _ in range(tables)]

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """Start a game at a table. Raises AgentFaultError."""
        self._players[table].begin(seat, players, seed)

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves. Raises AgentFaultError."""
        for at, table in enumerate(view.tables.tolist()):
            actions[table] = self._players[table].move(view.one(at))


class ObservationAgent(Agent):
    """An agent that sees only the observation: subclass it and write `choose`."""

    encoding: str | None = None
    """The encoding that `choose` gets; None for the game's default."""

    @abstractmethod
    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """Return the id of a legal move.

        Args:
            observation: uint8 [N], from the agent's seat.
            mask: bool [A], the legal moves.
        """

    def act(self, view: View) -> int:
        """Return the choice for the view's observation."""
        return self.choose(view.observation(self.encoding), view.mask)


class GameAgent(Agent):
    """An agent that plans in a game of its own: subclass it and write `think`."""

    @abstractmethod
    def think(self, game: Any) -> int:
        """Return the id of a legal move. `game` is a copy in which everything hidden from the seat is sampled."""

    def act(self, view: View) -> int:
        """Return the move for a sampled game."""
        return self.think(view.game())


class FunctionAgent(ObservationAgent):
    """A function of (observation, mask) as an agent."""

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], int]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function = function

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """Return the function's answer."""
        return self._function(observation, mask)
