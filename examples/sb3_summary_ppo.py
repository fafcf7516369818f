"""Stable-Baselines3: MaskablePPO with its own network on the small observation `summary`.

    python examples/sb3_summary_ppo.py --minutes 5 --games 1000

One seat learns against a heuristic from its margin in points, which VecNormalize scales. The learning rate falls to 0
within the given time.
"""

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Games, Minutes, Seed
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
# Old Town's observation holds each card's effect at an index of its own: a linear policy learns that fastest.
SETTINGS: dict[str, dict[str, Any]] = {
    "oddville": {"batch_size": 512, "n_epochs": 4, "ent_coef": 0.01},
    "oldtown": {"batch_size": 2048, "n_epochs": 3, "ent_coef": 0.0},
}
LAYERS: dict[str, Any] = {"oddville": [256, 256], "oldtown": {"pi": [], "vf": [128]}}


class Clock(BaseCallback):
    """Ends learning after so many CPU seconds of this process. watch: called before each rollout."""

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
    game: str,
    encoding: str,
    seconds: float,
    seed: int = 0,
    watch: Callable[[MaskablePPO], None] = lambda learner: None,
    device: str = "cpu",
    potential: str | None = None,
) -> MaskablePPO:
    """Learn a game, by name, against its heuristic for so many seconds of CPU."""
    seats = getattr(oddville_env, f"{NAMES[game]}SeatVectorEnv")(
        ENVS[game], HEURISTICS[game], encoding=encoding, reward="margin", potential=potential
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
        device=device,
        **SETTINGS[game],
    )
    return learner.learn(10**9, clock)


def main(
    game: GameName = "oddville",
    minutes: Minutes = 5,
    games: Games = 400,
    encoding: Annotated[str, typer.Option(help="Encoding of the observations.")] = "summary",
    potential: Annotated[str | None, typer.Option(help="Dense reward beside the margin: margin, win_chance.")] = None,
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
) -> None:
    """Learn against a heuristic, then play against it and against `random`."""
    torch.set_num_threads(1)
    progress = Curve(curve)

    def watch(learner: MaskablePPO) -> None:
        losses = learner.logger.name_to_value
        if learner.num_timesteps:
            progress.add(
                learner.num_timesteps,
                value_loss=losses.get("train/value_loss", float("nan")),
                entropy=-losses.get("train/entropy_loss", float("nan")),
            )

    learner = learn(game, encoding, 60 * minutes, seed, watch, device, potential)
    watch(learner)

    def choose(observation: np.ndarray, mask: np.ndarray) -> int:
        return int(learner.predict(observation, action_masks=mask, deterministic=True)[0])

    agent: Any = FunctionAgent(choose)
    agent.encoding = encoding
    typer.echo(f"{learner.num_timesteps:,} decisions")
    measured = evaluate(make_agent(agent), ["random", HEURISTICS[game]], games, 2, seed=seed + 1, game=game_type(game))
    for result in measured.against:
        typer.echo(f"against {result.opponent}: {result.wins:.1%} ({result.low:.1%} to {result.high:.1%})")


if __name__ == "__main__":
    typer.run(main)
