"""Stable-Baselines3: MaskablePPO of sb3-contrib learns one seat with the package's network for each game.

    python examples/sb3_maskable_ppo.py --steps 200000 --out ppo.zip
    oddville evaluate ppo.zip --against random

The vector environment passes the action masks to MaskablePPO. The saved policy is an agent for every command.
"""

from pathlib import Path
from typing import Annotated

import gymnasium
import numpy as np
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Opponents, Seed, Steps
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

import oddville_env
from oddville_training.oddville.extractor import OddVilleExtractor
from oddville_training.oldtown.extractor import OldTownExtractor

NAMES = {"oddville": "OddVille", "oldtown": "OldTown"}
EXTRACTORS = {"oddville": OddVilleExtractor, "oldtown": OldTownExtractor}


class Progress(BaseCallback):
    """Adds the mean reward of the last games to a curve after every rollout."""

    def __init__(self, curve: Curve) -> None:
        super().__init__()
        self._curve = curve

    def _on_rollout_end(self) -> None:
        rewards = [game["r"] for game in self.model.ep_info_buffer]
        self._curve.add(self.num_timesteps, mean_reward=float(np.mean(rewards)) if rewards else float("nan"))

    def _on_step(self) -> bool:
        return True


def main(
    game: GameName = "oddville",
    opponents: Opponents = "random",
    steps: Steps = 100_000,
    games: Annotated[int, typer.Option(help="Games of the evaluation.")] = 100,
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
    out: Annotated[Path | None, typer.Option(help="File for the policy, a .zip.")] = None,
) -> None:
    """Learn against an agent, then measure the mean reward against it."""
    torch.set_num_threads(1)
    seats = getattr(oddville_env, f"{NAMES[game]}SeatVectorEnv")(16, opponents)
    environments = VecMonitor(getattr(oddville_env, f"{NAMES[game]}VecEnv")(seats))
    network = {"features_extractor_class": EXTRACTORS[game], "net_arch": []}
    learner = MaskablePPO(
        "MlpPolicy",
        environments,
        policy_kwargs=network,
        n_steps=32,
        batch_size=256,
        n_epochs=4,
        gamma=1.0,
        seed=seed,
        device=device,
    )
    learner.learn(steps, Progress(Curve(curve)))
    if out is not None:
        learner.save(out)
    one = gymnasium.make(f"oddville_env:{NAMES[game]}-v0", opponents=opponents)
    mean, deviation = evaluate_policy(learner, one, n_eval_episodes=games, warn=False)
    typer.echo(f"mean reward against {opponents}: {mean:.2f} (deviation {deviation:.2f}) after {steps} decisions")


if __name__ == "__main__":
    typer.run(main)
