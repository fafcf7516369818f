"""All ways to learn that are here, as functions of a game, a seed, a folder of their own and a recorder."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents import make_agent
from oddville_agents.agent import Agent, StatelessAgent
from oddville_agents.policies.afterstates import save as save_afterstates
from oddville_agents.spec import AgentSpec, parse_spec
from oddville_agents.tensors import read_tensors, write_tensors
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.view import BatchView, View
from oddville_training.learning.config import TrainConfig
from oddville_training.learning.train import run as train
from oddville_training.oddville.selfplay.stages import OddVilleSelfPlay
from oddville_training.oldtown.selfplay.stages import OldTownSelfPlay
from oddville_training.selfplay.plan import MOST_ROUNDS, Stage
from oddville_training.selfplay.run import Watch, learn

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
import afterstates_td
import entities_ppo
import sb3_summary_ppo
import selfplay_ppo

PLAYERS = 2
MINUTE = 60.0  # seconds
RARELY = 1.0  # second of learning, at least, between two looks at a learner
SELF_PLAY: dict[str, Any] = {"oddville": OddVilleSelfPlay, "oldtown": OldTownSelfPlay}


class Recorder:
    """Keeps how a learner plays when each budget is spent: the last agent that was there before. It has the clock.

    budgets: in minutes of the processor. tell: called now and then with the seconds that are spent.
    """

    def __init__(self, budgets: Sequence[float], tell: Callable[[float], object] = lambda seconds: None) -> None:
        self.kept: dict[float, Agent] = {}
        self._budgets, self._tell = budgets, tell
        self._begun, self._looked = time.process_time(), -inf

    @property
    def seconds(self) -> float:
        """The longest budget."""
        return MINUTE * max(self._budgets)

    @property
    def spent(self) -> float:
        """Seconds of the processor, so far."""
        return time.process_time() - self._begun

    @property
    def is_over(self) -> bool:
        """All budgets are spent."""
        return self.spent >= self.seconds

    def __call__(self, agent: Agent) -> None:
        """Learning has come so far that it plays like this."""
        spent = self.spent
        if spent >= self._looked + RARELY:
            self._looked, copied = spent, deepcopy(agent)
            self.kept |= {budget: copied for budget in self._budgets if spent <= MINUTE * budget}
            self._tell(spent)


Learner = Callable[[str, int, Path, Recorder], None]
"""(game, seed, folder, recorder): learn until the recorder's time is over, and call it after everything learned."""


def maskable_ppo(
    encoding: str, game: str, seed: int, folder: Path, recorder: Recorder, potential: str | None = None
) -> None:
    """examples/sb3_summary_ppo.py: MaskablePPO with its own network, against a heuristic."""

    def watch(learner: Any) -> None:
        recorder(BatchFunctionAgent(BestOf(learner.policy), encoding))

    sb3_summary_ppo.learn(game, encoding, recorder.seconds, seed, watch, potential=potential)


def usual_training(game: str, seed: int, folder: Path, recorder: Recorder) -> None:
    """`oddville train`: imitation, then MaskablePPO with the project's own network."""

    def watch(update: Any) -> None:
        recorder(BatchFunctionAgent(BestOf(update.learner.policy), "features"))

    config = TrainConfig(game=game_type(game), players=PLAYERS, minutes=recorder.seconds / MINUTE, seed=seed)
    if train(config, folder, progress=False, callback=watch, clock=time.process_time).interrupted:
        raise KeyboardInterrupt


class BatchFunctionAgent(StatelessAgent):
    """Plays by a function of observations [T, N] and legal moves bool [T, A], which answers for all games at once."""

    name = "policy"

    def __init__(self, choose: Callable[[np.ndarray, np.ndarray], np.ndarray], encoding: str) -> None:
        self.choose, self.encoding = choose, encoding

    def act(self, view: View) -> int:
        """The id of a legal move."""
        return int(self.choose(view.observation(self.encoding)[None], view.mask[None])[0])

    def write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """The same for many games at once."""
        actions[view.tables] = self.choose(view.observations(self.encoding), view.masks[view.tables])


class BestOf:
    """The function of a policy of Stable-Baselines3: what it likes best."""

    def __init__(self, policy: Any) -> None:
        self._policy = policy

    def __call__(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The moves, int64 [T]."""
        actions: np.ndarray = self._policy.predict(seen, action_masks=masks, deterministic=True)[0]
        return actions

    def __deepcopy__(self, memo: dict[int, object]) -> "BestOf":
        memo[id(self._policy.action_dist)] = self._policy.action_dist  # of the last batch alone, and cannot be copied
        return BestOf(deepcopy(self._policy, memo))


def afterstates(game: str, seed: int, folder: Path, recorder: Recorder) -> None:
    """examples/afterstates_td.py: the worth of what lies behind each move, by temporal differences."""
    games = afterstates_td.make_games(game)
    network = afterstates_td.make_network(games.encoder.size)
    afterstates_td.learn(network, games, recorder.seconds, seed, lambda *_: recorder(afterstates_td.Greedy(network)))


def self_play_ppo(encoding: str, game: str, seed: int, folder: Path, recorder: Recorder) -> None:
    """examples/selfplay_ppo.py: PPO in all seats; examples/entities_ppo.py: the same with attention over entities."""
    games = selfplay_ppo.make_games(game, encoding)
    attends = encoding == entities_ppo.ENCODING
    policy = entities_ppo.make_policy(game, games) if attends else selfplay_ppo.make_policy(games)
    agent = BatchFunctionAgent(policy.best, encoding)
    selfplay_ppo.learn(policy, games, recorder.seconds, seed, lambda *_: recorder(agent))


def self_play(game: str, seed: int, folder: Path, recorder: Recorder) -> None:
    """`oddville selfplay`: the preset `quick`, with rounds until the clock ends them and few evaluation games."""
    run = SELF_PLAY[game]
    plan = replace(run.FOLDER.PLAN.preset("quick"), rounds=MOST_ROUNDS, evaluation=12, seed=seed)
    learn(run, folder, plan, resume=False, watch=OnTheClock(recorder, game))


class OnTheClock(Watch):
    """Ends self-play when all budgets are spent, and records the network of each stage."""

    def __init__(self, recorder: Recorder, game: str) -> None:
        super().__init__()
        self._recorder, self._game = recorder, game

    @property
    def is_over(self) -> bool:
        """Whether time is up."""
        return self._recorder.is_over

    def fitted(self, stage: Stage) -> None:
        """Record a stage's network."""
        options: dict[str, Any] = {"network": str(self._folder.stage(stage) / "network.safetensors")}
        if self._game == "oddville":
            options["reply"] = False  # version 1, by which all runs were measured
        self._recorder(make_agent(AgentSpec("champion", options), self._game))


def save(agent: Agent, path: Path, game: str, card: Mapping[str, Any]) -> None:
    """Write the network of an agent that values positions, with its model card; other agents have none."""
    about = {"card": json.dumps(card)}
    if isinstance(agent, afterstates_td.Greedy):
        save_afterstates(path, game, afterstates_td.tensors_of(agent.network), about)
    elif agent.name == "champion":
        tensors, metadata = read_tensors(Path(parse_spec(agent.spec).options["network"]))
        write_tensors(path, tensors, metadata | about)


LEARNERS: dict[str, Learner] = {
    "MaskablePPO on features": partial(maskable_ppo, "features"),
    "MaskablePPO on summary": partial(maskable_ppo, "summary"),
    "MaskablePPO on summary with potential": partial(maskable_ppo, "summary", potential="margin"),
    "train": usual_training,
    "afterstates": afterstates,
    "selfplay_ppo": partial(self_play_ppo, "summary"),
    "entities_ppo": partial(self_play_ppo, entities_ppo.ENCODING),
    "selfplay": self_play,
}
