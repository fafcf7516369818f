"""Tianshou 2: its PettingZoo environment, and its masked deep Q-learning with a learner in every seat.

    python examples/tianshou_dqn.py --steps 20000

No wrapper is needed; the Q network converts observations to floats.
"""

from typing import Annotated, Any

import torch
import typer
from common import Curve, CurveFile, Device, GameName, Seed, seed_torch
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
        seen, device = getattr(obs, "obs", obs), self.layers[0].weight.device
        return self.layers(torch.as_tensor(seen, dtype=torch.float32, device=device)), state


def learner(environment: PettingZooEnv, device: str) -> DQN:
    """Deep Q-learning for one seat."""
    network = Values(environment.observation_space["observation"].shape[0], int(environment.action_space.n))
    policy = DiscreteQLearningPolicy(model=network.to(device), action_space=environment.action_space, eps_training=0.2)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=RATE), gamma=1.0, target_update_freq=200)


def main(
    game: GameName = "oddville",
    steps: Annotated[int, typer.Option(help="Decisions of all seats together.")] = 20_000,
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
) -> None:
    """Learn in every seat, and show the number of games and the loss."""
    seed_torch(seed)

    def made() -> PettingZooEnv:
        return PettingZooEnv(getattr(oddville_env, f"{game}_v0").env(players=PLAYERS))

    table = MultiAgentOffPolicyAlgorithm(algorithms=[learner(made(), device) for _ in range(PLAYERS)], env=made())
    memory = VectorReplayBuffer(20_000, GAMES)
    collector = Collector(table, DummyVectorEnv([made] * GAMES), memory, exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": seed})
    progress = Curve(curve)
    for done in range(COLLECTED, max(steps, COLLECTED) + 1, COLLECTED):
        found = collector.collect(n_step=COLLECTED)
        with policy_within_training_step(table.policy):
            for _ in range(LEARNED):
                losses = table.update(memory, BATCH).get_loss_stats_dict()
        progress.add(done, games_ended=found.n_collected_episodes, **losses)


if __name__ == "__main__":
    typer.run(main)
