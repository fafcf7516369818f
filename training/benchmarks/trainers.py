"""How fast the two trainers learn: MaskablePPO and self-play, in CPU time of one core.

Both have a perceptron 64, 32 that reads the numbers of `value/network.py`, and play against `champion`, which in
self-play is the network itself, so that all seats learn. A step is a decision of a learning seat. MaskablePPO makes one
pass of its network for it, and goes over it in four epochs; self-play makes a pass for every legal move, and goes twice
over the position and the one behind the move, of all decisions or of a part of them. So equal steps are not equal
learning. `oddville train` is the usual run, after its lesson: its own network, observations and opponents.

    python training/benchmarks/trainers.py
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np
import torch
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnvWrapper
from torch import Tensor, nn
from torch.distributions import Distribution

from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network.files import ARCHITECTURES, OWN_SIZE, SHARED_SIZE, USUAL, network_of
from oddville_agents.policies.torch_network import PolicyNetwork
from oddville_env import OddVilleSeatVectorEnv, OddVilleVecEnv
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_training.learning.config import TrainConfig
from oddville_training.learning.environments import make_environments
from oddville_training.learning.learner import NetworkPolicy, RolloutBuffer, make_learner
from oddville_training.oddville.selfplay.fit import fit
from oddville_training.oddville.selfplay.network import new_network, take_over
from oddville_training.oddville.selfplay.parts import play_part
from oddville_training.oddville.selfplay.plan import Plan
from oddville_training.oddville.selfplay.rows import ITSELF, make_rows, see
from oddville_training.selfplay.fit import FitParams

OPPONENT, PLAYERS = "champion", 2  # in self-play it is the network itself: all seats learn
SEEN = PLAYERS * OWN_SIZE + SHARED_SIZE
UPDATES = 3  # of MaskablePPO, after one that only warms up
GAMES = 2000  # of self-play
WIDTH = 140
Seconds = dict[str, float]


class ValueFeatures(VecEnvWrapper):
    """Games in which the learning seat sees what the learned value sees: its own numbers, the rival's, the table's."""

    def __init__(self, environments: OddVilleVecEnv, seconds: Seconds) -> None:
        super().__init__(environments, gymnasium.spaces.Box(-np.inf, np.inf, (SEEN,), np.float32))
        self._envs, self._formula, self._seconds = environments.envs, weight_set("search", PLAYERS), seconds

    def reset(self) -> np.ndarray:
        """Begin a game everywhere: float32 [B, SEEN]."""
        self.venv.reset()
        return self._seen()

    def step_wait(self) -> Any:
        """Return observations, rewards, dones and infos of the last actions."""
        with spent_on(self._seconds, "games"):
            _, rewards, dones, infos = self.venv.step_wait()
            return self._seen(), rewards, dones, infos

    def _seen(self) -> np.ndarray:
        batch, seats = self._envs.batch, self._envs.seats.astype(np.int64)
        own = np.zeros((batch.size, PLAYERS, OWN_SIZE), np.float32)
        shared, odds = np.zeros((batch.size, SHARED_SIZE), np.float32), np.zeros((batch.size, PLAYERS), np.float32)
        moves = np.full(batch.size, ITSELF)
        alive = np.zeros(batch.size, np.bool_)
        see(batch.box, self._formula, batch.games, np.arange(batch.size), moves, own, shared, odds, alive)
        mine = own[np.arange(batch.size)[:, None], (seats[:, None] + np.arange(PLAYERS)) % PLAYERS]
        return np.concatenate([mine.reshape(batch.size, -1), shared], 1)


class Perceptron(PolicyNetwork):
    """The learned value's layers as a policy: scores of all moves on top of them, and a value."""

    def __init__(self, moves: int) -> None:
        super().__init__()
        first, second = ARCHITECTURES[USUAL]
        self.body = nn.Sequential(nn.Linear(SEEN, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU())
        self.moves, self.value = nn.Linear(second, moves), nn.Linear(second, 1)

    def encode(self, observation: Tensor) -> Tensor:
        """Return the inputs of `heads`, for observations uint8 [B, N]."""
        return self.body(observation)

    def heads(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores of all moves, float [B, A], and values, float [B]."""
        encoded = encoded.float()
        return self.moves(encoded), self.value(encoded).squeeze(1)


@contextmanager
def spent_on(seconds: Seconds, what: str) -> Iterator[None]:
    """Add the CPU time of this block."""
    start = time.process_time()
    yield
    seconds[what] = seconds.get(what, 0.0) + time.process_time() - start


def timed(seconds: Seconds, what: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose CPU time is added up."""

    def call(*arguments: Any, **named: Any) -> Any:
        with spent_on(seconds, what):
            return function(*arguments, **named)

    return call


def maskable_ppo() -> tuple[int, Seconds]:
    """Steps with the perceptron, and what the seconds went to."""
    config, seconds = TrainConfig(), {}
    envs = OddVilleVecEnv(OddVilleSeatVectorEnv(config.envs, OPPONENT, PLAYERS))
    moves = envs.envs.encoder.layout.size
    Distribution.set_default_validate_args(False)
    learner = MaskablePPO(
        NetworkPolicy,
        ValueFeatures(envs, seconds),
        n_steps=config.rollout,
        batch_size=config.batch,
        n_epochs=config.epochs,
        rollout_buffer_class=RolloutBuffer,
        policy_kwargs={"make_network": lambda: Perceptron(moves)},
        seed=0,
        device="cpu",
    )
    return learned_by(learner, seconds)


def usual_run() -> tuple[int, Seconds]:
    """The same of what `oddville train` does after its lesson: its own network, observations and opponents."""
    config, seconds = TrainConfig(), {}
    encoder = make_encoder(make_box(PLAYERS), "features")
    envs = make_environments(config, encoder)
    envs.step_wait = timed(seconds, "games", envs.step_wait)  # type: ignore[method-assign]
    return learned_by(make_learner(config, envs, encoder), seconds)


def learned_by(learner: MaskablePPO, seconds: Seconds) -> tuple[int, Seconds]:
    """Steps, and what the seconds went to: games, network (while playing), update, and the rest."""
    learner.policy.forward = timed(seconds, "network", learner.policy.forward)
    learner.train = timed(seconds, "update", learner.train)
    steps = learner.n_steps * learner.n_envs
    learner.learn(steps)
    seconds.clear()
    with spent_on(seconds, "all"):
        learner.learn(UPDATES * steps)
    return UPDATES * steps, rest_of(seconds)


def self_play(share: float) -> tuple[int, int, Seconds]:
    """Decisions played, those learned from, and what the seconds went to: games (and the network in them), rows, fit.

    share: the part of the decisions that are learned from.
    """
    plan = Plan(players=(PLAYERS,), games=(GAMES,), start="learned", past=0.0, share=share, rounds=1)
    (stage,), box, formula = plan.stages(), make_box(PLAYERS), weight_set("search", PLAYERS)
    newest, seconds, found = network_of("learned"), {}, []
    assert newest is not None
    with spent_on(seconds, "all"):
        with spent_on(seconds, "games and network"):
            positions = [play_part(plan, stage, part, (newest,)) for part in plan.parts(stage)]
        with spent_on(seconds, "rows"):
            found = [make_rows(box, formula, each, plan.td_lambda) for each in positions]
        with spent_on(seconds, "update"):
            network = new_network(found[0].own, found[0].shared, ARCHITECTURES[USUAL], 0)
            take_over(network, newest)
            for table in found:
                for _ in fit(network, [(table, plan.batch)], FitParams(plan.epochs, plan.batch, plan.rate), 0):
                    pass
    learned = sum(len(each.states) for each in positions)
    return round(learned / share), learned, rest_of(seconds)


def rest_of(seconds: Seconds) -> Seconds:
    """The same, with what was not told apart."""
    return seconds | {"rest": 2 * seconds["all"] - sum(seconds.values())}


def main() -> None:
    """Measure on one core and print a table."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    table = Table("trainer", "steps/s", "learned from/s", "times MaskablePPO", "where the time goes", box=SIMPLE)
    steps, seconds = maskable_ppo()
    slow = steps / seconds["all"]
    table.add_row("MaskablePPO", f"{slow:,.0f}", f"{slow:,.0f}", "1", shares(seconds))
    steps, seconds = usual_run()
    table.add_row("oddville train", f"{steps / seconds['all']:,.0f}", "the same", "another network", shares(seconds))
    for share in (1.0, Plan().share):
        played, learned, seconds = self_play(share)
        rates = played / seconds["all"], learned / seconds["all"]
        times = " and ".join(f"{rate / slow:.1f}" for rate in rates)
        name = f"self-play, {share:.0%} of decisions"
        table.add_row(name, *(f"{rate:,.0f}" for rate in rates), times, shares(seconds))
    Console(width=WIDTH).print(table)


def shares(seconds: Seconds) -> str:
    """What part of the time each thing took."""
    return ", ".join(f"{what} {spent / seconds['all']:.0%}" for what, spent in seconds.items() if what != "all")


if __name__ == "__main__":
    main()
