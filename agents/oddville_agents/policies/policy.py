"""Trained models as agents: a `.safetensors` of this project, or a `.zip` that Stable-Baselines3 saved.

    move = argmax over legal moves of: score;  with sample=True argmax of: score + Gumbel noise, a draw from the softmax

The draw is the Gumbel-max trick (Gumbel 1954).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.agent import Agent, BatchAgent, Opinion
from oddville_agents.networks.graph import Graph
from oddville_agents.policies.model_files import Model, ModelError, load_model
from oddville_agents.policies.networks import ENCODING, ScoreFunction, networks_of
from oddville_agents.roster import FIRST_GAME
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.view import BatchView, View


class PolicyAgent(Agent):
    """Plays the move that its network scores highest, or with sample=True moves as likely as it says.

    check: raises ModelError where it cannot play in a box; source: the file, for messages; model: what it holds, None
    for a `.zip`.
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
        """A game begins; the seed is of the moves that are drawn with sample=True."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """The move for the seat to move. Raises ModelError where the model does not fit the table."""
        scores = self.scores(view.box, view.observation(ENCODING)[None])
        return choose(scores[0], view.mask, self._rng if self.sample else None)

    def opinion(self, view: View) -> Opinion:
        """The legal moves with the highest scores first, each with its probability, the softmax of the scores."""
        scores = self.scores(view.box, view.observation(ENCODING)[None])[0, view.actions].astype(np.float64)
        if not np.isfinite(scores).all():
            return super().opinion(view)
        shares = np.exp(scores - scores.max())
        return Opinion.of_shares(view.actions, shares / shares.sum())

    def batch_agent(self, tables: int) -> "PolicyBatchAgent":
        """The same network at many tables."""
        return PolicyBatchAgent(self, tables)

    def scores(self, box: Any, observations: np.ndarray) -> np.ndarray:
        """Scores of all moves, float [T, A], from observations uint8 [T, N] of a box. Raises ModelError."""
        if box is not self._box:
            self._check(box)
            self._box = box
        return self._scores(observations)

    def graph(self) -> Graph:
        """Its network; raises ModelError where nobody has written how such a one looks."""
        model = self._model
        if model is None or model.architecture.graph is None:
            raise ModelError(f"{self._source}: this network cannot be written as a graph")
        return model.architecture.graph(model.encoder, model.sizes, model.weights)


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
        scores = self._policy.scores(view.box, view.observations(ENCODING))
        for row, table in zip(scores, view.tables.tolist(), strict=True):
            actions[table] = choose(row, view.masks[table], self._rngs[table])


def choose(scores: np.ndarray, mask: np.ndarray, rng: np.random.Generator | None) -> int:
    """The id of the legal move with the highest score [A]; with a generator, one drawn with the softmax of scores."""
    assert mask.any(), "a seat to move has a legal move"
    if rng is not None:
        scores = scores + rng.gumbel(size=len(scores))  # the largest sum is as likely as the softmax says
    legal = np.flatnonzero(mask)
    return int(legal[scores[legal].argmax()])


def load_policy(path: Path | str, sample: bool = False, game: str = FIRST_GAME) -> PolicyAgent:
    """The agent of a game (by its name) that a model file holds, `.safetensors` or `.zip`.

    Raises ModelError, and ImportError where what its network needs is not installed; warns before it opens a `.zip`.
    """
    path = Path(path)
    if not path.is_file():
        raise ModelError(f"there is no model {path}")
    networks, model = networks_of(game), None
    if path.suffix == ".zip":
        from oddville_agents.policies.sb3_zip import open_zip

        scores, fits = open_zip(path)
    else:
        model = load_model(path, networks)
        scores, fits = model.architecture.play(model.encoder, model.sizes, model.weights), model.encoder.__eq__
    make_encoder = game_type(game).make_encoder

    def check(box: Any) -> None:
        if not fits(make_encoder(box, ENCODING)):
            raise ModelError(f"{path}: the model was trained for {networks.misfit(box.layout)}")

    return PolicyAgent(scores, check, path, sample, model)
