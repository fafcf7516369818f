"""One game between agents: the loop that evaluation, simulation and watching share."""

from collections.abc import Callable, Sequence

import numpy as np

from oddville_agents.agent import Agent
from oddville_agents.player import MOVING, Player, faults_of, name_of
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import NOBODY, Outcome
from oddville_env.core.game.view import BatchView
from oddville_env.core.parts import chance
from oddville_env.envs.live_game import LiveGame

Watcher = Callable[[LiveGame, int], None]
"""Called with the live game and the chosen id before each move."""


def agent_seed(deal: int, seat: int, name: str) -> int:
    """Return the seed of an agent's own randomness, from the deal's seed, the seat and the agent's name."""
    return int(np.random.SeedSequence([deal, seat, *name.encode()]).generate_state(1)[0])


def name_key(name: str) -> np.uint64:
    """Return a number for an agent's name, for `derive_agent_seeds`."""
    return np.random.SeedSequence([*name.encode()]).generate_state(1, np.uint64)[0]  # type: ignore[no-any-return]


@kernel
def derive_agent_seeds(games, numbers, keys, out):
    """Write the seeds of all agents of many games.

    They follow from each game's seed (games uint64 [T]), its numbers in the run (int64 [T, N]), the name in each seat
    (keys uint64 [T, P], of `name_key`) and the seat: out uint64 [T, P].
    """
    for table in range(out.shape[0]):
        seed = games[table]
        for number in numbers[table]:
            seed = chance.scatter(seed + chance.INCREMENT * np.uint64(number + 1))
        for seat in range(out.shape[1]):
            out[table, seat] = chance.scatter(seed + keys[table, seat] + chance.INCREMENT * np.uint64(seat))


def play(live: LiveGame, agents: Sequence[Agent], seed: int, watch: Watcher | None = None) -> Outcome:
    """Deal a game from the seed, play it with the agents by seat, and return its outcome. Raises AgentFaultError."""
    live.deal(seed)
    players = [Player(agent) for agent in agents]
    for seat, player in enumerate(players):
        player.begin(seat, len(agents), agent_seed(seed, seat, agents[seat].name))
    while live.to_move != NOBODY:
        action = players[live.to_move].move(live.view())
        if watch:
            watch(live, action)
        live.play(action)
    outcome = live.outcome
    assert outcome is not None
    return outcome


def compile_agent(agent: Agent, live: LiveGame) -> None:
    """Let an agent move once, so that its compiled code is loaded before any clock runs. Raises AgentFaultError."""
    actions = np.zeros(1, np.int64)
    live.deal(0)
    with faults_of(name_of(agent), MOVING):
        agent.reset(0, live.box.players, 0)
        agent.act(live.view())
        batch_agent = agent.batch_agent(1)
        batch_agent.reset(0, 0, live.box.players, 0)
        batch_agent.act(BatchView(live.game_type, live.box, live.state, np.arange(1), live.mask[None]), actions)
