"""Puzzles played by an agent."""

from collections.abc import Iterable, Iterator

from oddville_agents.agent import Agent, ObservationAgent
from oddville_agents.player import AgentError
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.solo.game import MISTAKES, OldTownSolo
from oddville_env.oldtown.solo.observation import observe


def played(agent: Agent, puzzles: Iterable[Puzzle], mistakes: int = MISTAKES) -> Iterator[OldTownSolo]:
    """Every puzzle as the agent played it to its end. Raises AgentError for an agent that needs more than one seat."""
    if not isinstance(agent, ObservationAgent):
        raise AgentError(f"agent {agent.name!r} plays games of several: a puzzle is played by what it shows")
    for number, puzzle in enumerate(puzzles):
        game = OldTownSolo(puzzle, mistakes)
        agent.reset(0, 1, number)
        while not game.is_over:
            game.push(int(agent.choose(observe(game), game.mask)))
        yield game
