"""What an agent is: it is told its seat, then asked for a move whenever it is to move."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import deepcopy

import numpy as np

from oddville_env.oddville.game import Game
from oddville_env.oddville.observation import Encoding, make_encoder, observe
from oddville_env.oddville.rules.box import Box


class Agent(ABC):
    """An agent that sees the observation: subclass it and write `act`.

    `name` and `version` tell people what plays; `ms` is how many milliseconds it takes for a move where a clock rules
    it; `encoding` is the observation that `act` gets.
    """

    name = "agent"
    version = "1"
    ms: float | None = None
    encoding: Encoding = "features"
    spec = ""

    def reset(self, seat: int, players: int, seed: int) -> None:  # noqa: B027
        """A game begins: the agent's seat, how many play, and a seed for the agent's own chance."""

    @abstractmethod
    def act(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The id of a legal move: observation uint8 [N] as the agent's seat sees it, mask bool [A]."""

    def act_on(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """The id for the seat to move of one of the games; built-in agents read the state, but never what is hidden."""
        encoder = make_encoder(box, self.encoding)
        seen = np.empty(encoder.size, np.uint8)
        observe(box, games, index, int(games[index].to_move), self.encoding, seen)
        return int(self.act(seen, mask))

    def batch_agent(self, tables: int) -> "BatchAgent":
        """This agent at many tables at once; agents that can think of many together give a faster one."""
        return BatchAgent(self, tables)


class BatchAgent:
    """An agent sitting at many tables: here as many copies of it, which are asked one after the other."""

    def __init__(self, agent: Agent, tables: int) -> None:
        self._agents = [deepcopy(agent) for _ in range(tables)]

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """A game begins at a table: what `Agent.reset` is told."""
        self._agents[table].reset(seat, players, seed)

    def reset_all(self, seats: np.ndarray, players: int, seeds: np.ndarray) -> None:
        """A game begins at every table: seats int64 [T], seeds uint64 [T]."""
        for table, (seat, seed) in enumerate(zip(seats.tolist(), seeds.tolist(), strict=True)):
            self.reset(table, seat, players, seed)

    def act_on(self, box: Box, games: np.ndarray, tables: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Write the moves of the seats to move at tables int64 [T] into actions int64 [B]; masks are bool [B, A]."""
        for table in tables.tolist():
            actions[table] = self._agents[table].act_on(box, games, table, masks[table])


class GameAgent(Agent):
    """An agent that thinks ahead: `think` gets a `Game` in which everything unknowable has been dealt anew."""

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins; the seed also decides how the unknown is dealt anew."""
        self.rng = np.random.default_rng(seed)

    @abstractmethod
    def think(self, game: Game) -> int:
        """The id of a legal move in a game that is the agent's own to play with."""

    def act(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """An observation is not enough for this agent."""
        raise TypeError(f"{self.name} plays from a game, not from an observation: call act_on or think")

    def act_on(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """Deal the unknown anew, then think."""
        return int(self.think(Game.from_state(box, games[index : index + 1]).sample_unseen(self.rng)))


class CallableAgent(Agent):
    """A bare function of (observation, mask) as an agent."""

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], int]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function = function

    def act(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """What the function says."""
        return self._function(observation, mask)
