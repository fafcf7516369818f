"""Trained models as agents: a `.safetensors` of this project, or a `.zip` that Stable-Baselines3 saved."""

import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from oddville_agents.agent import Agent, BatchAgent
from oddville_agents.policies.model_files import ModelError, check_finite, load_model, trained_encoder
from oddville_env.core.errors import shown
from oddville_env.core.view import BatchView, View
from oddville_env.oddville.observation import Encoder, make_encoder
from oddville_env.oddville.rules.box import Box

FEATURES = "features"
ZIP_MEMBERS = {"data", "policy.pth"}  # what Stable-Baselines3 writes

ScoreFunction = Callable[[Tensor], Tensor]
"""Observations uint8 [T, N] -> scores of all moves, float [T, A]."""


class PolicyAgent(Agent):
    """Plays the move that its network scores highest, or with sample=True moves as likely as it says.

    fits: whether it can play at a table whose encoder is given; source: the file, for messages.
    """

    name = "policy"

    def __init__(
        self, scores: ScoreFunction, fits: Callable[[Encoder], bool], source: Path, sample: bool = False
    ) -> None:
        self._scores, self._fits, self._source, self.sample = scores, fits, source, sample
        self._box: Box | None = None
        self.reset(0, 0, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins; the seed is of the moves that are drawn with sample=True."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """The move for the seat to move. Raises ModelError where the model does not fit the table."""
        scores = self.scores(view.box, view.observation(FEATURES)[None])
        return choose(scores[0], view.mask, self._rng if self.sample else None)

    def batch_agent(self, tables: int) -> "PolicyBatchAgent":
        """The same network at many tables."""
        return PolicyBatchAgent(self, tables)

    def scores(self, box: Box, observations: np.ndarray) -> np.ndarray:
        """Scores of all moves, float [T, A], from observations uint8 [T, N] of a box. Raises ModelError."""
        if box is not self._box:
            self._check_fits(box)
            self._box = box
        with torch.inference_mode():
            scores: np.ndarray = self._scores(torch.from_numpy(observations)).numpy()
        return scores

    def _check_fits(self, box: Box) -> None:
        if not self._fits(make_encoder(box, FEATURES)):
            columns, lines, slots = box.layout
            raise ModelError(
                f"{self._source}: the model was trained for another table, this one needs a model for {columns} "
                f"columns, {lines} lines and {slots} slots a resource"
            )


class PolicyBatchAgent(BatchAgent):
    """A network at many tables: all that are to move are scored in one pass."""

    def __init__(self, policy: PolicyAgent, tables: int) -> None:
        self._policy = policy
        self._rngs: list[np.random.Generator | None] = [None] * tables

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """A game begins at a table; the seed is of the moves that are drawn there."""
        if self._policy.sample:
            self._rngs[table] = np.random.default_rng(seed)

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves. Raises ModelError where the model does not fit the tables."""
        scores = self._policy.scores(view.box, view.observations(FEATURES))
        for row, table in zip(scores, view.tables.tolist(), strict=True):
            actions[table] = choose(row, view.masks[table], self._rngs[table])


def choose(scores: np.ndarray, mask: np.ndarray, rng: np.random.Generator | None) -> int:
    """The id of the legal move with the highest score [A]; with a generator, one drawn with the softmax of scores."""
    assert mask.any(), "a seat to move has a legal move [W5]"
    if rng is not None:
        scores = scores + rng.gumbel(size=len(scores))  # the largest sum is as likely as the softmax says
    legal = np.flatnonzero(mask)
    return int(legal[scores[legal].argmax()])


def load_policy(path: Path | str, sample: bool = False) -> PolicyAgent:
    """The agent of a model file, `.safetensors` or `.zip`; one thread, which is the fastest for single positions.

    Raises ModelError; warns before it opens a `.zip`.
    """
    path = Path(path)
    if not isinstance(sample, bool):
        raise ModelError(f"{path}: sample must be true or false, not {shown(sample)}")
    torch.set_num_threads(1)
    if not path.is_file():
        raise ModelError(f"there is no model {path}")
    if path.suffix == ".zip":
        return _agent_from_zip(path, sample)
    network, about = load_model(path)
    network.double().eval()  # so precise that no move depends on which positions are scored together
    return PolicyAgent(lambda observations: network(observations)[0], trained_encoder(about).__eq__, path, sample)


def _agent_from_zip(path: Path, sample: bool) -> PolicyAgent:
    """A model that Stable-Baselines3 saved. Its parts are pickled: opening one can run any code."""
    try:
        with zipfile.ZipFile(path) as file:
            names = set(file.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ModelError(f"{path} was not saved by Stable-Baselines3, it is no zip ({error})") from None
    if not names >= ZIP_MEMBERS:
        expected = ", ".join(sorted(ZIP_MEMBERS))
        raise ModelError(f"{path} was not saved by Stable-Baselines3, expected a zip with {expected}")
    warnings.warn(f"{path}: a .zip can run any code when it is opened, so open your own only", stacklevel=3)
    from sb3_contrib import MaskablePPO

    try:
        policy: Any = MaskablePPO.load(path, device="cpu").policy
        numbers, moves = policy.observation_space.shape[0], int(policy.action_space.n)
    except Exception as error:
        raise ModelError(
            f"{path} cannot be opened as a MaskablePPO of sb3-contrib ({type(error).__name__}: {error})"
        ) from error
    policy.set_training_mode(False)
    check_finite(path, dict(policy.named_parameters()))

    def fits(encoder: Encoder) -> bool:
        return (encoder.size, encoder.layout.size) == (numbers, moves)

    return PolicyAgent(
        lambda observations: policy.get_distribution(observations).distribution.logits, fits, path, sample
    )
