"""Agents in a package of their own. Once it is installed, commands know them by name:

pip install ./examples/agent_package
oddville evaluate thrifty:likes=build --against random
"""

from oddville_agents import Agent
from oddville_env import View


class Thrifty(Agent):
    """Plays a random move of its favourite kind, or any if there is none. likes: the beginning of the move's word."""

    name, version = "thrifty", "1"

    def __init__(self, likes: str = "take") -> None:
        self._likes = likes

    def act(self, view: View) -> int:
        """Return the id of a legal move."""
        liked = [action for action in view.actions if view.word(action).startswith(self._likes)]
        return int(view.rng.choice(liked or view.actions))


class Honest(Agent):
    """Plays Kuhn poker without bluffs: passes with a jack, bets and answers bets with a queen or a king."""

    name, version = "honest", "1"

    def act(self, view: View) -> int:
        """Return 0 to pass, 1 to bet."""
        return int(view.position()["cards"][view.seat] != "jack")
