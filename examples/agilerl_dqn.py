"""AgileRL: its masked deep Q-learning on the single-seat environment.

    python examples/agilerl_dqn.py --steps 20000

AgileRL's networks take floats, so Gymnasium's own wrapper makes them of the observation's small whole numbers.
"""

from typing import Annotated

import gymnasium
import numpy as np
import torch
import typer
from agilerl.algorithms.dqn import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from tensordict import TensorDict

NAMES = {"oddville": "OddVille", "oldtown": "OldTown"}
BATCH, FIRST, EVERY = 64, 256, 4  # decisions of a gradient step, before the first one, and between two
GREED = 0.1  # the part of the moves that are drawn


def remembered(
    memory: ReplayBuffer, seen: np.ndarray, action: int, reward: float, after: np.ndarray, done: bool
) -> None:
    """Put a transition into the memory."""
    row = {
        "obs": seen[None],
        "action": np.array([[action]]),
        "reward": np.array([[reward]], np.float32),
        "next_obs": after[None],
        "done": np.array([[done]], np.float32),
    }
    memory.add(TensorDict(row, batch_size=[1]))


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    opponents: Annotated[str, typer.Option(help="The agent in the other seats.")] = "random",
    steps: Annotated[int, typer.Option(help="Decisions to learn from.")] = 20_000,
) -> None:
    """Learn against an agent, and show the mean reward of the last games."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    bare = gymnasium.make(f"oddville_env:{NAMES[game]}-v0", opponents=opponents, players=2)
    environment = gymnasium.wrappers.DtypeObservation(bare, np.float32)
    encoder = {"encoder_config": {"hidden_size": [128]}}
    learner = DQN(
        environment.observation_space,
        environment.action_space,
        net_config=encoder,
        batch_size=BATCH,
        lr=1e-4,
        gamma=1.0,
    )
    memory, rewards, losses = ReplayBuffer(max_size=20_000), [], []
    seen, info = environment.reset(seed=0)
    for step in range(1, steps + 1):
        action = int(learner.get_action(seen[None], epsilon=GREED, action_mask=info["action_mask"][None])[0])
        after, reward, terminated, truncated, info = environment.step(action)
        remembered(memory, seen, action, reward, after, terminated or truncated)
        seen = after
        if terminated or truncated:
            rewards.append(reward)
            seen, info = environment.reset()
        if step > FIRST and step % EVERY == 0:
            losses.append(learner.learn(memory.sample(BATCH)))
    typer.echo(f"{steps} decisions, {len(losses)} gradient steps, mean reward {np.mean(rewards[-50:]):.2f}")


if __name__ == "__main__":
    typer.run(main)
