"""Search with your own network in torch: the policy and value of `selfplay_ppo.py`.

    python examples/selfplay_ppo.py --minutes 10 --out policy.pt
    python examples/torch_evaluator.py --weights policy.pt
    oddville evaluate ./examples/torch_evaluator.py:Searching:weights=policy.pt --against greedy

An evaluator maps views to priors of all moves and every seat's chance to win.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer

from oddville_agents import EvaluatorSearch
from oddville_env import View
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.live_game import vector_space
from oddville_training.tournament.evaluate import evaluate

sys.path.append(str(Path(__file__).resolve().parent))  # for selfplay_ppo
from selfplay_ppo import Policy

ENCODING = "summary"


class TorchEvaluator:
    """Evaluates positions with a policy of `selfplay_ppo.py`.

    weights: the file of its weights; fresh ones without a file.
    """

    def __init__(self, weights: str = "", device: str = "cpu", seed: int = 0) -> None:
        self._weights, self._device, self._seed = weights, device, seed
        self._policy: Policy | None = None

    def _policy_for(self, view: View) -> Policy:
        """Return the policy, which is made for the first position's sizes."""
        if self._policy is None:
            torch.manual_seed(self._seed)
            torch.set_num_threads(1)
            space = vector_space(view.game_type.make_encoder(view.box, ENCODING))
            self._policy = Policy(space, len(view.mask))
            if self._weights:
                self._policy.load_state_dict(torch.load(self._weights, weights_only=True))
            self._policy.to(self._device)
        return self._policy

    @torch.no_grad()
    def evaluate(self, views: Sequence[View]) -> tuple[np.ndarray, np.ndarray]:
        """Return priors [T, A] and chances to win [T, P] of T positions in one pass."""
        policy = self._policy_for(views[0])
        seen = policy.tensor(np.stack([view.observation(ENCODING) for view in views]))
        choice, returns = policy(seen, policy.tensor(np.stack([view.mask for view in views])))
        return choice.probs.cpu().numpy(), chances(views, returns.cpu().numpy())


def chances(views: Sequence[View], returns: np.ndarray) -> np.ndarray:
    """Return every seat's chance to win [T, P] from the expected returns of the seats to move [T].

    A win returns 1, and all seats together 0. The other seats share the rest equally.
    """
    players = views[0].players
    own = np.clip((returns * (players - 1) + 1) / players, 0, 1)
    found = np.repeat((1 - own)[:, None] / (players - 1), players, axis=1)
    found[np.arange(len(views)), [view.seat for view in views]] = own
    return found


class Searching(EvaluatorSearch):
    """The search as an agent that commands can name. weights: the file that `selfplay_ppo.py --out` writes."""

    name = "torch-search"

    def __init__(self, weights: str = "", sims: int = 200, batch: int = 16, device: str = "cpu") -> None:
        super().__init__(TorchEvaluator(weights, device), sims, batch)


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    weights: Annotated[str, typer.Option(help="File of the policy's weights; fresh ones if left out.")] = "",
    sims: Annotated[int, typer.Option(help="Iterations for a move.")] = 200,
    games: Annotated[int, typer.Option(help="Games against `random`.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of deals and choices.")] = 1,
    device: Annotated[str, typer.Option(help="Device of torch: cpu, cuda, mps.")] = "cpu",
) -> None:
    """Play the search against `random`."""
    agent = Searching(weights, sims, device=device)
    found = evaluate(agent, ["random"], games, 2, seed=seed, game=game_type(game)).against[0]
    typer.echo(f"against random: {found.wins:.1%} ({found.low:.1%} to {found.high:.1%}) with {sims} iterations a move")


if __name__ == "__main__":
    typer.run(main)
