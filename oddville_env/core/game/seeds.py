"""Seeds: what all chance of games and agents comes from."""

from numbers import Integral

import numpy as np

from oddville_env.core.errors import SettingError, shown


def check_seed(seed: object) -> int:
    """The seed itself, or a fresh one where there is none; raises SettingError."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if not isinstance(seed, Integral) or isinstance(seed, bool) or int(seed) < 0:
        raise SettingError(f"seed must be a whole number of at least 0, or None, not {shown(seed)}")
    return int(seed)


def game_seeds(seed: int, number: int = 1) -> np.ndarray:
    """Seeds of games, uint64 [number]: the first ones are the same for any number."""
    return np.random.SeedSequence(seed).generate_state(number, np.uint64)
