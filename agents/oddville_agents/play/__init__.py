"""One game between agents, one position for an agent, and several agents in turn."""
