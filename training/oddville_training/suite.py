"""The built-in agents as a measure: the ladder on which they stand, and the suite that others are held against."""

from oddville_agents import AgentError, make_agent

RUNGS = ("random", "greedy:weights=simple", "greedy", "search:sims=200")


def rungs() -> list[str]:
    """The specs of the built-in agents, the weaker ones first: those that are installed."""
    found = []
    for spec in RUNGS:
        try:
            make_agent(spec)
        except AgentError:
            continue
        found.append(spec)
    return found
