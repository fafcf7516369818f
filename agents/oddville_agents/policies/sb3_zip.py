"""Models saved by Stable-Baselines3, which are pickled: opening one can run any code."""

import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from oddville_agents.policies.model_files import ModelError
from oddville_agents.policies.networks import ScoreFunction
from oddville_agents.tensors import check_finite
from oddville_env.core.parts.pieces import Encoder

MEMBERS = {"data", "policy.pth"}  # what Stable-Baselines3 writes


def open_zip(path: Path) -> tuple[ScoreFunction, Callable[[Encoder], bool]]:
    """Return the model's scores and a test of whether it fits an encoder. Warns; raises ModelError."""
    try:
        with zipfile.ZipFile(path) as file:
            names = set(file.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ModelError(f"{path} was not saved by Stable-Baselines3, it is no zip ({error})") from None
    if not names >= MEMBERS:
        raise ModelError(f"{path} was not saved by Stable-Baselines3, expected a zip with {', '.join(sorted(MEMBERS))}")
    warnings.warn(f"{path}: a .zip can run any code when it is opened, so open your own only", stacklevel=4)
    torch.set_num_threads(1)  # the fastest for single positions
    try:
        policy: Any = MaskablePPO.load(path, device="cpu").policy
        numbers, moves = policy.observation_space.shape[0], int(policy.action_space.n)
    except Exception as error:
        raise ModelError(
            f"{path} cannot be opened as a MaskablePPO of sb3-contrib ({type(error).__name__}: {error})"
        ) from error
    policy.set_training_mode(False)
    check_finite(path, {name: each.detach().numpy() for name, each in policy.named_parameters()}, ModelError)

    def scores(observations: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            found: np.ndarray = policy.get_distribution(torch.from_numpy(observations)).distribution.logits.numpy()
        return found

    return scores, lambda encoder: (encoder.size, encoder.layout.size) == (numbers, moves)
