"""What tests of `search` ask of it and of positions."""

import numpy as np

from oddville_agents.oddville.search.agent import SearchAgent
from oddville_env import Game
from oddville_env.core.compiled.arrays import copied
from oddville_env.oddville.rules import hidden


def canonical(game: Game) -> np.ndarray:
    """The position [1] without hidden information."""
    state = copied(game.state)
    hidden.canonicalize_hidden(game.box.record[0], state[0])
    return state


def choice(agent: SearchAgent, game: Game, seed: int = 0) -> int:
    """Its move in a game that has just begun for it."""
    agent.reset(game.to_move, game.players, seed)
    return agent.act(game.view())
