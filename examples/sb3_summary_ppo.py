"""Stable-Baselines3, nothing of this project's but the environment: MaskablePPO's own network on a small observation.

    python examples/sb3_summary_ppo.py --minutes 5 --games 1000

One seat learns against a heuristic, from its margin in points, which tells more than who won; VecNormalize gives the
margins one scale. The learning rate falls to 0 in the time that is given.
"""

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import torch
import typer
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecNormalize

import oddville_env
from oddville_agents import make_agent
from oddville_agents.agent import FunctionAgent
from oddville_env.core.game.game_type import game_type
from oddville_training.tournament.evaluate import evaluate

NAMES = {"oddville": "OddVille", "oldtown": "OldTown"}
HEURISTICS = {"oddville": "greedy:weights=simple", "oldtown": "greedy"}
ENVS = {"oddville": 64, "oldtown": 256}
RATES = {"oddville": 1e-3, "oldtown": 1e-2}
# In Old Town what a card brings stands in the observation at the card's own place: a linear policy learns that soonest.
SETTINGS: dict[str, dict[str, Any]] = {
    "oddville": {"batch_size": 512, "n_epochs": 4, "ent_coef": 0.01},
    "oldtown": {"batch_size": 2048, "n_epochs": 3, "ent_coef": 0.0},
}
LAYERS: dict[str, Any] = {"oddville": [256, 256], "oldtown": {"pi": [], "vf": [128]}}


class Clock(BaseCallback):
    """Ends learning when this process has had so many seconds of the processor. watch: called before each rollout."""

    def __init__(self, seconds: float, watch: Callable[[MaskablePPO], None]) -> None:
        super().__init__()
        self._seconds, self._watch, self._begun = seconds, watch, time.process_time()

    @property
    def left(self) -> float:
        """The share of the time that is left."""
        return max(0.0, 1 - (time.process_time() - self._begun) / self._seconds)

    def _on_rollout_start(self) -> None:
        assert isinstance(self.model, MaskablePPO)
        self._watch(self.model)

    def _on_step(self) -> bool:
        return self.left > 0


def learn(
    game: str, encoding: str, seconds: float, seed: int = 0, watch: Callable[[MaskablePPO], None] = lambda learner: None
) -> MaskablePPO:
    """Learn a game, by name, against its heuristic for so many seconds of CPU."""
    seats = getattr(oddville_env, f"{NAMES[game]}SeatVectorEnv")(
        ENVS[game], HEURISTICS[game], encoding=encoding, reward="margin"
    )
    environments = VecNormalize(getattr(oddville_env, f"{NAMES[game]}VecEnv")(seats), norm_obs=False, gamma=1.0)
    environments.reset()
    environments.step(np.array([mask.argmax() for mask in environments.env_method("action_masks")]))  # compiles
    clock = Clock(seconds, watch)
    learner = MaskablePPO(
        "MlpPolicy",
        environments,
        learning_rate=lambda _: RATES[game] * clock.left,
        n_steps=64,
        gamma=1.0,
        policy_kwargs={"net_arch": LAYERS[game], "activation_fn": torch.nn.ReLU},
        seed=seed,
        **SETTINGS[game],
    )
    return learner.learn(10**9, clock)


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    minutes: Annotated[float, typer.Option(help="CPU minutes of learning.")] = 5,
    games: Annotated[int, typer.Option(help="Games against each of the anchors afterwards.")] = 400,
    encoding: Annotated[str, typer.Option(help="What the policy sees.")] = "summary",
) -> None:
    """Learn against a heuristic, then play against it and against `random`."""
    torch.set_num_threads(1)
    learner = learn(game, encoding, 60 * minutes)

    def choose(observation: np.ndarray, mask: np.ndarray) -> int:
        return int(learner.predict(observation, action_masks=mask, deterministic=True)[0])

    agent: Any = FunctionAgent(choose)
    agent.encoding = encoding
    typer.echo(f"{learner.num_timesteps:,} decisions")
    measured = evaluate(make_agent(agent), ["random", HEURISTICS[game]], games, 2, seed=1, game=game_type(game))
    for result in measured.against:
        typer.echo(f"against {result.opponent}: {result.wins:.1%} ({result.low:.1%} to {result.high:.1%})")


if __name__ == "__main__":
    typer.run(main)
