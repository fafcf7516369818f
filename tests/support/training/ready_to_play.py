"""Loads what workers and sandboxes need, compiled code too: `forked_workers.py` forks them from here."""

import numpy as np

from oddville_training.processes.sandboxed import warm_up
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.worker import Worker

config = tournament_config(["random", "greedy"], [2], 1, moves=True)
Worker(config).play(config.schedule.chunk(0, 0, np.arange(1)))
warm_up(config.game, config.settings)
