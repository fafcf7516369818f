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

MEMBERS = {"data", "policy.pth"}  # what Stable-Baselines3 writes


class PolicyAgent(Agent):
    """Plays the move with the highest score, or with sample=True draws one from the softmax of the scores.

    Args:
        scores: observations [T, ...] -> scores of all moves, float [T, A].
        encoding_of: the encoding of these observations in games of a box; raises ModelError if there is none.
        source: the file, for messages.
        sample: draw moves.
        model: the file's contents, None for a `.zip`.
    """

    name = "policy"

    def __init__(
        self,
        scores: ScoreFunction,
        encoding_of: Callable[[Any], str],
        source: Path,
        sample: bool = False,
        model: Model | None = None,
    ) -> None:
        self.scores, self._encoding_of, self._source = scores, encoding_of, source
        self.sample, self._model = sample, model
        self._box: Any = None
        self.reset(0, 0, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a game; the seed is for sampled moves."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Return the move for the seat to move. Raises ModelError if the model does not fit the table."""
        return choose(self._scores_of(view), view.mask, self._rng if self.sample else None)

    def opinion(self, view: View) -> Opinion:
        """Return the legal moves with their probabilities, the softmax of the scores, the most likely first."""
        scores = self._scores_of(view)[view.actions].astype(np.float64)
        if not np.isfinite(scores).all():
            return super().opinion(view)
        shares = np.exp(scores - scores.max())
        return Opinion.of_shares(view.actions, shares / shares.sum())

    def batch_agent(self, tables: int) -> "PolicyBatchAgent":
        """Return the same network for many tables."""
        return PolicyBatchAgent(self, tables)

    def encoding(self, box: Any) -> str:
        """Return the encoding that its network reads in games of a box. Raises ModelError if there is none."""
        if box is not self._box:
            self._encoding, self._box = self._encoding_of(box), box
        return self._encoding

    def graph(self) -> Graph:
        """Return its network. Raises ModelError for a `.zip`."""
        model = self._model
        if model is None:
            raise ModelError(f"{self._source}: this network cannot be written as a graph")
        return model.architecture.graph(model.encoder, model.sizes, model.weights)

    def _scores_of(self, view: View) -> np.ndarray:
        """The scores of all moves, float [A]."""
        scores: np.ndarray = self.scores(view.observation(self.encoding(view.box))[None])[0]
        return scores


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
        scores = self._policy.scores(view.observations(self._policy.encoding(view.box)))
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
    if path.suffix == ".zip":
        return PolicyAgent(*open_zip(path, game), path, sample)
    networks = networks_of(game)
    model = load_model(path, networks)

    def encoding_of(box: Any) -> str:
        if game_type(game).make_encoder(box, ENCODING) != model.encoder:
            raise ModelError(f"{path}: the model was trained for {networks.misfit(box.layout)}")
        return ENCODING

    scores = model.architecture.play(model.encoder, model.sizes, model.weights)
    return PolicyAgent(scores, encoding_of, path, sample, model)


def open_zip(path: Path, game: str) -> tuple[ScoreFunction, Callable[[Any], str]]:
    """Return a model's scores, and what finds the encoding for a box. Warns: it is pickled. Raises ModelError."""
    import torch
    from sb3_contrib import MaskablePPO

    played = game_type(game)
    try:
        with zipfile.ZipFile(path) as file:
            names = set(file.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ModelError(f"{path} was not saved by Stable-Baselines3, it is not a zip ({error})") from None
    if not names >= MEMBERS:
        raise ModelError(f"{path} was not saved by Stable-Baselines3, expected a zip with {', '.join(sorted(MEMBERS))}")
    caller = 6  # of `make_agent`
    warnings.warn(f"{path}: a .zip can run any code when it is opened, so open your own only", stacklevel=caller)
    torch.set_num_threads(1)  # the fastest for single positions
    try:
        policy: Any = MaskablePPO.load(path, device="cpu").policy
        seen, moves = policy.observation_space, int(policy.action_space.n)
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

    def encoding_of(box: Any) -> str:
        for encoding in played.encodings:
            encoder = played.make_encoder(box, encoding)
            if (encoder.shape, encoder.dtype, encoder.layout.size) == (seen.shape, seen.dtype, moves):
                return encoding
        reads = f"observations {seen.shape} of {seen.dtype} and {moves} moves"
        raise ModelError(f"{path}: the model was trained for {reads}, expected those of an encoding of this table")

    return scores, encoding_of
