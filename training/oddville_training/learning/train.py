"""Training: MaskablePPO against agents of the roster, in a folder, stopped and resumed at any time."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
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
from oddville_training.learning.data_set import GameSetup
from oddville_training.learning.imitation import teach
from oddville_training.learning.learner import make_environments, make_learner, network_of
from oddville_training.learning.meter import GameStatistics, Limits, ProgressMeter
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
    its policy's `network` may be looked at. share: the part of this call's way to its nearest limit, None without one.
    """

    steps: int
    games: Mapping[str, Mapping[str, float]]
    learner: MaskablePPO
    share: float | None


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
    console = console_if(progress)
    with alone_in(Path(folder), TrainError):
        started = _Run(config, TrainFolder(Path(folder)), resume, init, clock)
        return started.to_the_end(console, callback)


class _Run:
    def __init__(
        self, config: TrainConfig, files: TrainFolder, resume: bool, init: Path | None, clock: Callable[[], float]
    ) -> None:
        checkpoint, networks, box = files.begin(resume), config.networks, config.game.box(config.played)
        encoder = config.game.make_encoder(box, ENCODING)
        self._config, self._files, self._setup = config, files, GameSetup(config.game, box, encoder)
        self._environments = make_environments(config, encoder)
        # After the opponents were made, since those that are models ask for one thread, and before the first weights,
        # whose rounding depends on it.
        torch.set_num_threads(config.threads)
        self._learner = make_learner(config, self._environments, encoder)
        self._games = GameStatistics(config.opponents, config.window)
        self._is_taught = init is None and checkpoint is None
        if checkpoint is not None:
            restore(self._learner, self._games, checkpoint, networks)
            self._deal_anew()
        elif init is not None:
            begin_with(self._learner, init, networks)
        self._learner.set_logger(configure(str(files.tensorboard), ["tensorboard"]))
        self._about = describe(networks, box, encoder, config.architecture, config.network)
        self._limits = Limits(config, self._learner.num_timesteps, clock)

    def to_the_end(self, console: Console, callback: Callback) -> Trained:
        """Imitate, learn and save until a limit, an interrupt or the callback."""
        config, learner = self._config, self._learner
        steps = config.envs * config.rollout
        if (planned := self._limits.steps_planned(steps)) not in (None, config.steps):
            note = f"updates are whole, envs {config.envs} x rollout {config.rollout} steps"
            console.print(f"The run ends after {planned:,} steps, not {config.steps:,}: {note}.")
        with closing(self._environments), _interruptible() as interrupted, ProgressMeter(console) as meter:
            if self._is_taught:
                for done in teach(network_of(learner), config, self._setup, self._limits.time_spent):
                    meter.show_teaching(config.teacher, done)
                    if interrupted.is_set():
                        break
            self._learn(interrupted, meter, callback)
        if interrupted.is_set():
            stopped = f"Stopped after {learner.num_timesteps} steps, saved in {self._files.path}."
            console.print(f"{stopped} Continue with --resume.")
        return Trained(self._files.model, interrupted.is_set())

    def _learn(self, interrupted: threading.Event, meter: ProgressMeter, callback: Callback) -> None:
        """Update after update; a checkpoint now and then and at the end."""
        config, learner, limits = self._config, self._learner, self._limits
        limits.learning_begins()
        saved, goes_on = learner.num_timesteps, True
        while goes_on and not interrupted.is_set() and limits.share(learner.num_timesteps) != 1:
            learner.learn(
                config.envs * config.rollout, self._games, log_interval=LOG_INTERVAL, reset_num_timesteps=False
            )
            if not all(weight.isfinite().all() for weight in learner.policy.parameters()):  # before they could be saved
                after = f"learning has diverged after {learner.num_timesteps} steps"
                raise TrainError(f"{after}: resume the last checkpoint with a lower learning_rate")
            means = self._games.means()
            meter.show(learner.num_timesteps, limits, means)
            for opponent, facts in means.items():  # README.md explains what TensorBoard gets
                for fact, mean in facts.items():
                    learner.logger.record(f"{fact}/{opponent.replace('/', '_')}", mean)
            learner.logger.record("time/steps_per_second", limits.steps_per_second(learner.num_timesteps))
            learner.logger.dump(learner.num_timesteps)
            share = limits.share(learner.num_timesteps)
            goes_on = callback(Update(learner.num_timesteps, means, learner, share)) is not False
            if learner.num_timesteps - saved >= config.checkpoint:
                self._save()
                saved = learner.num_timesteps
                self._deal_anew()
        self._save()

    def _save(self) -> None:
        about = self._about | {"config": self._config.as_json()}
        self._files.save(self._learner, self._games, self._config.networks, about)

    def _deal_anew(self) -> None:
        """Begin all games anew, from a seed that follows from the steps.

        This is done at every checkpoint, so that a resumed run is the same as one that was never stopped.
        """
        self._learner.set_random_seed((self._config.seed + self._learner.num_timesteps) % (LARGEST_SEED + 1))
        self._learner._last_obs = None  # Stable-Baselines3 then resets the environments
        self._games.drop_unfinished()


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
