"""Training: MaskablePPO against agents of the roster, in a folder, stopped and resumed at any time."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from oddville_agents.policies.models import ENCODING, describe
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.system.progress import console_if
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.environments import make_environments, opponent_of
from oddville_training.learning.games import GameStatistics
from oddville_training.learning.imitation.data_set import GameSetup
from oddville_training.learning.imitation.fit import teach
from oddville_training.learning.learner import make_learner, network_of
from oddville_training.learning.meter import Limits, ProgressMeter
from oddville_training.learning.run_folder import TrainFolder, begin_with, restore
from oddville_training.settings import LARGEST_SEED

LOG_INTERVAL = 2  # updates between SB3's own logs, while one call of learn is one update


class Trained(NamedTuple):
    """The result of a call of `run`: the path of the model, and whether Ctrl-C ended it."""

    model: Path
    interrupted: bool


class Update(NamedTuple):
    """The state of a run after an update, for a callback.

    steps: of the learning seats, in all calls. games: by opponent, the means over the last games. learner: what learns;
    its policy's `network` may be looked at.
    """

    steps: int
    games: Mapping[str, Mapping[str, float]]
    learner: MaskablePPO


Callback = Callable[[Update], object]
"""Called after each update; the run is saved and ends where it answers False."""


def train(
    config: TrainConfig,
    folder: Path | str,
    resume: bool = False,
    progress: bool = True,
    callback: Callback = lambda update: None,
) -> Path:
    """Train until a limit of the config, Ctrl-C or the callback, and return the path of the model: see `run`."""
    return run(config, folder, resume, progress, callback=callback).model


def run(
    config: TrainConfig,
    folder: Path | str,
    resume: bool = False,
    progress: bool = True,
    init: Path | None = None,
    callback: Callback = lambda update: None,
    clock: Callable[[], float] = monotonic,
) -> Trained:
    """Train until a limit of the config or Ctrl-C, alone in the folder.

    resume: continue from the folder's last checkpoint; changed settings apply from then on, but the game, the
    numbering of its moves and the network's sizes stay as they were. progress: show it, on stderr. init: a model whose
    weights a new run begins with. callback: called after each update. clock: tells the seconds that the config's
    minutes are made of, `time.process_time` those of the processor. Raises TrainError, SettingError, AgentError, and
    what the game's data raise.
    """
    files = TrainFolder(Path(folder))
    with alone_in(files.path, TrainError):
        return _run(config, files, files.begin(resume), console_if(progress), init, callback, clock)


def _run(
    config: TrainConfig,
    files: TrainFolder,
    checkpoint: Path | None,
    console: Console,
    init: Path | None,
    callback: Callback,
    clock: Callable[[], float],
) -> Trained:
    """A run from a checkpoint, or from its beginning."""
    networks, box = config.networks, config.game.box(config.played)
    encoder = config.game.make_encoder(box, ENCODING)
    environments = make_environments(config, encoder)
    learner = make_learner(config, environments, encoder)
    games = GameStatistics(partial(opponent_of, config), config.window)
    if init is not None and checkpoint is None:
        begin_with(learner, init, networks)
    if checkpoint is not None:
        restore(learner, games, checkpoint, networks)
        _deal_anew(learner, games, config)
    torch.set_num_threads(config.threads)  # after the opponents were made: those that are models ask for one thread
    learner.set_logger(configure(str(files.tensorboard), ["tensorboard"]))
    about = describe(networks, box, encoder, config.architecture, config.network) | {"config": config.as_json()}
    limits = Limits(config, learner.num_timesteps, clock)
    if (planned := limits.steps_planned(config.envs * config.rollout)) not in (None, config.steps):
        update = f"envs {config.envs} x rollout {config.rollout}"
        console.print(f"The run ends after {planned:,} steps, not {config.steps:,}: updates are whole, {update} steps.")
    with closing(environments), _interruptible() as interrupted, ProgressMeter(console) as meter:
        if checkpoint is None and init is None:
            _teach(learner, config, GameSetup(config.game, box, encoder), limits, interrupted, meter)
        save = partial(files.save, learner, games, networks, about)
        _learn(learner, games, config, limits, interrupted, save, meter, callback)
    if interrupted.is_set():
        console.print(f"Stopped after {learner.num_timesteps} steps, saved in {files.path}. Continue with --resume.")
    return Trained(files.model, interrupted.is_set())


def _teach(
    learner: MaskablePPO,
    config: TrainConfig,
    played: GameSetup,
    limits: Limits,
    interrupted: threading.Event,
    meter: ProgressMeter,
) -> None:
    """Imitation, until it is done or interrupted."""
    for done in teach(network_of(learner), config, played, limits.time_spent):
        meter.show_teaching(config.teacher, done)
        if interrupted.is_set():
            return


def _learn(
    learner: MaskablePPO,
    games: GameStatistics,
    config: TrainConfig,
    limits: Limits,
    interrupted: threading.Event,
    save: Callable[[], None],
    meter: ProgressMeter,
    callback: Callback,
) -> None:
    """Update after update until a limit, an interrupt or the callback; a checkpoint now and then and at the end."""
    limits.learning_begins()
    saved, goes_on = learner.num_timesteps, True
    while goes_on and not interrupted.is_set() and limits.share(learner.num_timesteps) != 1:
        learner.learn(config.envs * config.rollout, games, log_interval=LOG_INTERVAL, reset_num_timesteps=False)
        _check_converging(learner)
        means = games.means()
        meter.show(learner.num_timesteps, limits, means)
        _log(learner, limits, means)
        goes_on = callback(Update(learner.num_timesteps, means, learner)) is not False
        if learner.num_timesteps - saved >= config.checkpoint:
            save()
            saved = learner.num_timesteps
            _deal_anew(learner, games, config)
    save()


def _check_converging(learner: MaskablePPO) -> None:
    """Raises TrainError where the weights are no numbers any more, before they could be saved."""
    if not all(weight.isfinite().all() for weight in learner.policy.parameters()):
        raise TrainError(
            f"learning has diverged after {learner.num_timesteps} steps: resume the last checkpoint with a lower "
            "learning_rate"
        )


def _deal_anew(learner: MaskablePPO, games: GameStatistics, config: TrainConfig) -> None:
    """Begin all games anew, from a seed that follows from the steps.

    This is done at every checkpoint, so that a resumed run is the same as one that was never stopped.
    """
    learner.set_random_seed((config.seed + learner.num_timesteps) % (LARGEST_SEED + 1))
    learner._last_obs = None  # Stable-Baselines3 then resets the environments
    games.drop_unfinished()


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
