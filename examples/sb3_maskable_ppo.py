"""Stable-Baselines3: MaskablePPO of sb3-contrib learns one seat, with this project's network for each game.

    python examples/sb3_maskable_ppo.py --steps 200000 --out ppo.zip
    oddville evaluate ppo.zip --against random

The vector environment tells MaskablePPO the legal moves by itself, so no glue is needed. What is saved plays wherever
an agent is named.
"""

from pathlib import Path
from typing import Annotated

import gymnasium
import torch
import typer
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

import oddville_env
from oddville_training.oddville.extractor import OddVilleExtractor
from oddville_training.oldtown.extractor import OldTownExtractor

NAMES = {"oddville": "OddVille", "oldtown": "OldTown"}
EXTRACTORS = {"oddville": OddVilleExtractor, "oldtown": OldTownExtractor}


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    opponents: Annotated[str, typer.Option(help="The agent in the other seats.")] = "random",
    steps: Annotated[int, typer.Option(help="Decisions to learn from.")] = 100_000,
    games: Annotated[int, typer.Option(help="Games to measure it by.")] = 100,
    out: Annotated[Path | None, typer.Option(help="Where to save the policy, a .zip.")] = None,
) -> None:
    """Learn against an agent, then measure the mean reward against it."""
    torch.set_num_threads(1)
    seats = getattr(oddville_env, f"{NAMES[game]}SeatVectorEnv")(16, opponents)
    environments = VecMonitor(getattr(oddville_env, f"{NAMES[game]}VecEnv")(seats))
    network = {"features_extractor_class": EXTRACTORS[game], "net_arch": []}
    learner = MaskablePPO(
        "MlpPolicy", environments, policy_kwargs=network, n_steps=32, batch_size=256, n_epochs=4, gamma=1.0, seed=0
    )
    learner.learn(steps)
    if out is not None:
        learner.save(out)
    one = gymnasium.make(f"oddville_env:{NAMES[game]}-v0", opponents=opponents)
    mean, deviation = evaluate_policy(learner, one, n_eval_episodes=games, warn=False)
    typer.echo(f"mean reward against {opponents}: {mean:.2f} (deviation {deviation:.2f}) after {steps} decisions")


if __name__ == "__main__":
    typer.run(main)
