"""Agents in a package of their own: once it is installed, they are named like the built-in ones.

pip install ./examples/agent_package
oddville evaluate thrifty:likes=build --against random
"""

from oddville_agents import Agent
from oddville_env import View


class Thrifty(Agent):
    """Plays a move of the kind that it likes, where there is one, else any. likes: how the move's word begins."""

    name, version = "thrifty", "1"

    def __init__(self, likes: str = "take") -> None:
        self._likes = likes

    def act(self, view: View) -> int:
        """The first move that it likes, or one at random."""
        liked = [action for action in view.actions if view.word(action).startswith(self._likes)]
        return int(liked[0] if liked else view.rng.choice(view.actions))


class Honest(Agent):
    """Plays Kuhn poker without bluffs: bets with a king, passes with a jack, answers a bet with a queen by chance."""

    name, version = "honest", "1"

    def act(self, view: View) -> int:
        """0 passes, 1 bets."""
        shown = view.position()
        card = shown["cards"][view.seat]
        if card == "queen":
            return int(bool(shown["moves"]) and shown["moves"][-1] == "bet" and view.rng.integers(2))
        return int(card == "king")
