"""RLlib's new API stack: its masked PPO learns every seat with one module.

    python examples/rllib_ppo.py --iterations 20 --runners 2

A PettingZoo wrapper gives observations the names and the type that RLlib's masking module expects.
"""

import os
from typing import Annotated, Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray reads it when it is imported

import gymnasium
import numpy as np
import ray
import typer
from common import Curve, CurveFile, Device, GameName, Seed
from pettingzoo.utils import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import oddville_env

MODULE = "every seat"  # the name of the one module
STEPS = 2000  # of an iteration


class Named(BaseWrapper):
    """Observations with the names and the type that RLlib's masking module expects."""

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """float32 [N] and float32 [A]."""
        inner = self.env.observation_space(agent)
        seen, mask = inner["observation"], inner["action_mask"]
        numbers = gymnasium.spaces.Box(seen.low.astype(np.float32), seen.high.astype(np.float32))
        return gymnasium.spaces.Dict({"observations": numbers, "action_mask": gymnasium.spaces.Box(0, 1, mask.shape)})

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return an agent's observation and action mask."""
        seen = self.env.observe(agent)
        numbers, mask = seen["observation"].astype(np.float32), seen["action_mask"].astype(np.float32)
        return {"observations": numbers, "action_mask": mask}


def made(config: dict[str, Any]) -> PettingZooEnv:
    """The environment of a game, in any of Ray's processes."""
    return PettingZooEnv(Named(getattr(oddville_env, f"{config['game']}_v0").raw_env(players=2)))


def algorithm(game: str, runners: int, seed: int, device: str) -> PPOConfig:
    """Masked PPO, one module for all seats."""
    register_env(game, made)
    one = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128, 128], "head_fcnet_hiddens": []},
    )
    return (
        PPOConfig()
        .environment(game, env_config={"game": game}, disable_env_checking=True)
        .debugging(seed=seed)
        .env_runners(num_env_runners=runners)
        .learners(num_gpus_per_learner=int(device == "cuda"))
        .multi_agent(policies={MODULE}, policy_mapping_fn=lambda *_, **__: MODULE)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={MODULE: one}))
        .training(
            train_batch_size_per_learner=STEPS, minibatch_size=250, num_epochs=2, lr=3e-4, gamma=1.0, entropy_coeff=0.01
        )
    )


def main(
    game: GameName = "oddville",
    iterations: Annotated[int, typer.Option(help=f"Rounds of {STEPS} steps and learning.")] = 10,
    runners: Annotated[int, typer.Option(help="Processes that play; 0 plays in this one.")] = 0,
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
) -> None:
    """Learn in every seat, and show how long the games are."""
    ray.init(num_cpus=runners + 1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    learner, progress = algorithm(game, runners, seed, device).build_algo(), Curve(curve)
    for _ in range(iterations):
        played = learner.train()["env_runners"]
        progress.add(int(played["num_env_steps_sampled_lifetime"]), steps_of_a_game=played["episode_len_mean"])
    learner.stop()
    ray.shutdown()


if __name__ == "__main__":
    typer.run(main)
