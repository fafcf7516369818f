"""One game between agents: the loop that evaluation, simulation and tournaments share."""

from collections.abc import Callable, Sequence

import numpy as np

from oddville_agents.agent import Agent
from oddville_env.cards.words import NOBODY
from oddville_env.match import Match
from oddville_env.outcome import Outcome

Watcher = Callable[[Match, int], None]
"""Called with the match and the chosen id before each move."""


def agent_seed(deal: int, seat: int, name: str) -> int:
    """The seed of an agent's own chance: it follows from the deal's seed, the seat and the agent's name."""
    return int(np.random.SeedSequence([deal, seat, *name.encode()]).generate_state(1)[0])


def play(match: Match, agents: Sequence[Agent], seed: int, watch: Watcher | None = None) -> Outcome:
    """Deal a game from the seed and play it to its end, agents by seat. Raises IllegalMoveError."""
    match.deal(seed)
    for seat, agent in enumerate(agents):
        agent.reset(seat, len(agents), agent_seed(seed, seat, agent.name))
    while match.to_move != NOBODY:
        action = agents[match.to_move].act_on(match.box, match.state, 0, match.mask)
        if watch:
            watch(match, action)
        match.play(action)
    outcome = match.outcome
    assert outcome is not None
    return outcome
