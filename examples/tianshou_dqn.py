"""Tianshou 2: its PettingZoo environment, and its masked deep Q-learning with a learner in every seat.

    python examples/tianshou_dqn.py --steps 20000

Nothing of Tianshou's needs a wrapper; the Q network makes floats of the observation's small whole numbers.
"""

from typing import Annotated, Any

import torch
import typer
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.torch_utils import policy_within_training_step
from torch import nn

import oddville_env

GAMES, PLAYERS, WIDTH, RATE, BATCH = 8, 2, 128, 1e-4, 128
COLLECTED = 400  # steps between two rounds of learning
LEARNED = 20  # gradient steps of a round


class Values(nn.Module):
    """Observations [B, N] -> the value of every action, [B, A]."""

    def __init__(self, numbers: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(numbers, WIDTH), nn.ReLU(), nn.Linear(WIDTH, actions))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Tianshou hands over the observation alone, or in a batch with its mask."""
        seen = getattr(obs, "obs", obs)
        return self.layers(torch.as_tensor(seen, dtype=torch.float32)), state


def learner(environment: PettingZooEnv) -> DQN:
    """Deep Q-learning for one seat."""
    network = Values(environment.observation_space["observation"].shape[0], int(environment.action_space.n))
    policy = DiscreteQLearningPolicy(model=network, action_space=environment.action_space, eps_training=0.2)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=RATE), gamma=1.0, target_update_freq=200)


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    steps: Annotated[int, typer.Option(help="Decisions of all seats together.")] = 20_000,
) -> None:
    """Learn in every seat, and show how long games take and what is lost."""
    torch.set_num_threads(1)
    torch.manual_seed(0)

    def made() -> PettingZooEnv:
        return PettingZooEnv(getattr(oddville_env, f"{game}_v0").env(players=PLAYERS))

    table = MultiAgentOffPolicyAlgorithm(algorithms=[learner(made()) for _ in range(PLAYERS)], env=made())
    memory = VectorReplayBuffer(20_000, GAMES)
    collector = Collector(table, DummyVectorEnv([made] * GAMES), memory, exploration_noise=True)
    collector.reset()
    for done in range(COLLECTED, max(steps, COLLECTED) + 1, COLLECTED):
        found = collector.collect(n_step=COLLECTED)
        with policy_within_training_step(table.policy):
            for _ in range(LEARNED):
                losses = table.update(memory, BATCH).get_loss_stats_dict()
        shown = ", ".join(f"{name} {loss:.3f}" for name, loss in losses.items())
        typer.echo(f"{done:,} decisions, {found.n_collected_episodes} games ended, {shown}")


if __name__ == "__main__":
    typer.run(main)
