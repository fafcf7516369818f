"""Trained models as agents: a `.safetensors` of this project, or a `.zip` saved by Stable-Baselines3.

move = argmax over legal moves of: score; with sample=True of: score + Gumbel noise (Gumbel-max trick, Gumbel 1954)
"""

import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.agent import Agent, BatchAgent, Opinion
from oddville_agents.policies.graph import Graph
from oddville_agents.policies.models import ENCODING, Model, ModelError, ScoreFunction, load_model, networks_of
from oddville_agents.roster import FIRST_GAME
from oddville_agents.tensors import check_finite
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.view import BatchView, View
from oddville_env.core.parts.pieces import Encoder

MEMBERS = {"data", "policy.pth"}  # what Stable-Baselines3 writes


class PolicyAgent(Agent):
    """Plays the move with the highest score, or with sample=True draws one from the softmax of the scores.

    Args:
        scores: observations uint8 [T, N] -> scores of all moves, float [T, A].
        check: raises ModelError if the network does not fit a box.
        source: the file, for messages.
        sample: draw moves.
        model: the file's contents, None for a `.zip`.
    """

    name = "policy"

    def __init__(
        self,
        scores: ScoreFunction,
        check: Callable[[Any], object],
        source: Path,
        sample: bool = False,
        model: Model | None = None,
    ) -> None:
        self._scores, self._check, self._source, self.sample, self._model = scores, check, source, sample, model
        self._box: Any = None
        self.reset(0, 0, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a game; the seed is for sampled moves."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Return the move for the seat to move. Raises ModelError if the model does not fit the table."""
        scores = self.scores(view.box, view.observation(ENCODING)[None])
        return choose(scores[0], view.mask, self._rng if self.sample else None)

    def opinion(self, view: View) -> Opinion:
        """Return the legal moves with their probabilities, the softmax of the scores, the most likely first."""
        scores = self.scores(view.box, view.observation(ENCODING)[None])[0, view.actions].astype(np.float64)
        if not np.isfinite(scores).all():
            return super().opinion(view)
        shares = np.exp(scores - scores.max())
        return Opinion.of_shares(view.actions, shares / shares.sum())

    def batch_agent(self, tables: int) -> "PolicyBatchAgent":
        """Return the same network for many tables."""
        return PolicyBatchAgent(self, tables)

    def scores(self, box: Any, observations: np.ndarray) -> np.ndarray:
        """Return the scores of all moves, float [T, A], for observations uint8 [T, N] of a box. Raises ModelError."""
        if box is not self._box:
            self._check(box)
            self._box = box
        return self._scores(observations)

    def graph(self) -> Graph:
        """Return its network. Raises ModelError for a `.zip`."""
        model = self._model
        if model is None:
            raise ModelError(f"{self._source}: this network cannot be written as a graph")
        return model.architecture.graph(model.encoder, model.sizes, model.weights)


class PolicyBatchAgent(BatchAgent):
    """A network at many tables, scored in one pass."""

    def __init__(self, policy: PolicyAgent, tables: int) -> None:
        self._policy = policy
        self._rngs: list[np.random.Generator | None] = [None] * tables

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """Start a game at a table; the seed is for sampled moves."""
        if self._policy.sample:
            self._rngs[table] = np.random.default_rng(seed)

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves. Raises ModelError if the model does not fit the tables."""
        scores = self._policy.scores(view.box, view.observations(ENCODING))
        for row, table in zip(scores, view.tables.tolist(), strict=True):
            actions[table] = choose(row, view.masks[table], self._rngs[table])


def choose(scores: np.ndarray, mask: np.ndarray, rng: np.random.Generator | None) -> int:
    """Return the legal id with the highest score [A]; with a generator, an id drawn from the softmax of the scores."""
    assert mask.any(), "a seat to move has a legal move"
    if rng is not None:
        scores = scores + rng.gumbel(size=len(scores))
    legal = np.flatnonzero(mask)
    return int(legal[scores[legal].argmax()])


def load_policy(path: Path | str, sample: bool = False, game: str = FIRST_GAME) -> PolicyAgent:
    """Return the agent in a model file.

    Args:
        path: a `.safetensors` file, or a `.zip` of Stable-Baselines3, which warns because it can run code.
        sample: draw moves from the softmax of the scores.
        game: the game's name.

    Raises:
        ModelError: if the file holds no model that fits.
        ImportError: if a library that the network needs is not installed.
    """
    path = Path(path)
    if not path.is_file():
        raise ModelError(f"there is no model {path}")
    networks, model = networks_of(game), None
    if path.suffix == ".zip":
        scores, fits = open_zip(path)
    else:
        model = load_model(path, networks)
        scores, fits = model.architecture.play(model.encoder, model.sizes, model.weights), model.encoder.__eq__
    make_encoder = game_type(game).make_encoder

    def check(box: Any) -> None:
        if not fits(make_encoder(box, ENCODING)):
            raise ModelError(f"{path}: the model was trained for {networks.misfit(box.layout)}")

    return PolicyAgent(scores, check, path, sample, model)


def open_zip(path: Path) -> tuple[ScoreFunction, Callable[[Encoder], bool]]:
    """Return a model's scores and a test of whether it fits an encoder. Warns: it is pickled. Raises ModelError."""
    import torch
    from sb3_contrib import MaskablePPO

    try:
        with zipfile.ZipFile(path) as file:
            names = set(file.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ModelError(f"{path} was not saved by Stable-Baselines3, it is not a zip ({error})") from None
    if not names >= MEMBERS:
        raise ModelError(f"{path} was not saved by Stable-Baselines3, expected a zip with {', '.join(sorted(MEMBERS))}")
    warnings.warn(f"{path}: a .zip can run any code when it is opened, so open your own only", stacklevel=4)
    torch.set_num_threads(1)  # the fastest for single positions
    try:
        policy: Any = MaskablePPO.load(path, device="cpu").policy
        shape, moves = policy.observation_space.shape, int(policy.action_space.n)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ModelError(f"{path} cannot be opened as a MaskablePPO of sb3-contrib ({reason})") from error
    policy.set_training_mode(False)
    check_finite(path, {name: each.detach().numpy() for name, each in policy.named_parameters()}, ModelError)

    def scores(observations: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            found = policy.get_distribution(torch.from_numpy(observations))
            logits: np.ndarray = found.distribution.logits.numpy()
        return logits

    return scores, lambda encoder: (encoder.shape, encoder.layout.size) == (shape, moves)
