"""AgileRL: its masked deep Q-learning on the single-seat environment.

    python examples/agilerl_dqn.py --steps 20000

AgileRL's networks take floats, so a wrapper of Gymnasium converts the observations.
"""

import gymnasium
import numpy as np
import typer
from agilerl.algorithms.dqn import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from common import Curve, CurveFile, Device, GameName, Opponents, Seed, Steps, seed_torch
from tensordict import TensorDict

NAMES = {"oddville": "OddVille", "oldtown": "OldTown"}
BATCH, FIRST, EVERY = 64, 256, 4  # decisions of a gradient step, before the first one, and between two
EXPLORE = 0.1  # share of random moves
MEASURED = 500  # decisions between two measurements


def remembered(
    memory: ReplayBuffer, seen: np.ndarray, action: int, reward: float, after: np.ndarray, done: bool
) -> None:
    """Add a transition to the memory."""
    row = {
        "obs": seen[None],
        "action": np.array([[action]]),
        "reward": np.array([[reward]], np.float32),
        "next_obs": after[None],
        "done": np.array([[done]], np.float32),
    }
    memory.add(TensorDict(row, batch_size=[1]))


def main(
    game: GameName = "oddville",
    opponents: Opponents = "random",
    steps: Steps = 20_000,
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
) -> None:
    """Learn against an agent, and show the mean reward of the last games."""
    seed_torch(seed)
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
        device=device,
    )
    memory, rewards, losses = ReplayBuffer(max_size=20_000, device=device), [], []
    progress = Curve(curve)
    seen, info = environment.reset(seed=seed)
    for step in range(1, steps + 1):
        action = int(learner.get_action(seen[None], epsilon=EXPLORE, action_mask=info["action_mask"][None])[0])
        after, reward, terminated, truncated, info = environment.step(action)
        remembered(memory, seen, action, reward, after, terminated or truncated)
        seen = after
        if terminated or truncated:
            rewards.append(reward)
            seen, info = environment.reset()
        if step > FIRST and step % EVERY == 0:
            losses.append(learner.learn(memory.sample(BATCH)))
        if losses and step % MEASURED == 0:
            progress.add(step, loss=np.mean(losses[-MEASURED:]), mean_reward=np.mean(rewards[-50:]))


if __name__ == "__main__":
    typer.run(main)
