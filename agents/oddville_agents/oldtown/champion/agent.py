"""`champion`: looks one move ahead as the heuristic does, and judges by neurons that correct the heuristic's sum."""

from oddville_agents.oldtown.heuristic.agent import HeuristicAgent


class ChampionAgent(HeuristicAgent):
    """Looks one move ahead and judges by what it learned. weights: `champion` for the number of players, or a file."""

    name = "champion"

    def __init__(self, weights: str = "champion") -> None:
        super().__init__(weights)
