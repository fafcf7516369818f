"""Training: MaskablePPO against agents of the roster, in a folder that can be stopped and gone on with at any time."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from oddville_agents.policy import describe
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_training.learning.config import TrainConfig
from oddville_training.learning.environments import make_environments, opponent_of
from oddville_training.learning.games import GameStatistics
from oddville_training.learning.learner import make_learner
from oddville_training.learning.meter import Limits, ProgressMeter
from oddville_training.learning.run_folder import RunFolder, restore

LOG_INTERVAL = 2  # updates between SB3's own logs, while one call of learn is one update


def train(config: TrainConfig, folder: Path | str, resume: bool = False, progress: bool = True) -> Path:
    """Train until a limit of the config or Ctrl-C, and return the path of the model.

    resume: go on from the folder's last checkpoint; what is new in the config applies from then on, but the table and
    the network's sizes stay as they were. progress: show it, on stderr. Raises TrainError, SettingError, CardError,
    AgentError.
    """
    run = RunFolder(Path(folder))
    checkpoint = run.begin(resume)
    box = make_box(config.players, config.table, config.max_rounds, config.cards)
    encoder = make_encoder(box, "features")
    environments = make_environments(config, encoder)
    learner = make_learner(config, environments, encoder)
    if checkpoint is not None:
        restore(learner, checkpoint)
    torch.set_num_threads(config.threads)  # after the opponents were made: those that are models ask for one thread
    learner.set_logger(configure(str(run.tensorboard), ["tensorboard"]))
    save = partial(run.save, learner, describe(box, encoder, config.network) | {"config": config.as_json()})
    console = Console(stderr=True, quiet=not progress)
    with closing(environments), _interruptible() as interrupted, ProgressMeter(console) as meter:
        _learn(learner, config, interrupted, save, meter)
    if interrupted.is_set():
        console.print(f"Stopped after {learner.num_timesteps} steps, saved in {run.path}: resume the run to go on.")
    return run.model


def _learn(
    learner: MaskablePPO,
    config: TrainConfig,
    interrupted: threading.Event,
    save: Callable[[], None],
    meter: ProgressMeter,
) -> None:
    """Update after update until a limit or an interrupt, with a checkpoint now and then and at the end."""
    games = GameStatistics(partial(opponent_of, config), config.window)
    limits = Limits(config, learner.num_timesteps)
    saved = learner.num_timesteps
    while not interrupted.is_set() and limits.share(learner.num_timesteps) != 1:
        learner.learn(config.envs * config.rollout, games, log_interval=LOG_INTERVAL, reset_num_timesteps=False)
        means = games.means()
        meter.show(learner.num_timesteps, limits, means)
        _log(learner, limits, means)
        if learner.num_timesteps - saved >= config.checkpoint:
            save()
            saved = learner.num_timesteps
    save()


def _log(learner: MaskablePPO, limits: Limits, games: Mapping[str, Mapping[str, float]]) -> None:
    """Everything about the last update to TensorBoard, as README.md explains it."""
    for opponent, facts in games.items():
        for fact, mean in facts.items():
            learner.logger.record(f"{fact}/{opponent.replace('/', '_')}", mean)
    learner.logger.record("time/steps_per_second", limits.steps_per_second(learner.num_timesteps))
    learner.logger.dump(learner.num_timesteps)


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Ctrl-C sets the event, so that an update is finished first; a second one breaks off at once."""
    event, before = threading.Event(), signal.getsignal(signal.SIGINT)

    def ask(*_: object) -> None:
        event.set()
        signal.signal(signal.SIGINT, before)

    if threading.current_thread() is not threading.main_thread():  # only the main thread hears signals
        yield event
        return
    signal.signal(signal.SIGINT, ask)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
