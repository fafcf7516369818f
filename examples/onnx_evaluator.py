"""Search with a network as ONNX: the value network of `champion`, run by onnxruntime.

    oddville export champion --out champion.onnx
    python examples/onnx_evaluator.py champion.onnx --sims 100
    oddville evaluate ./examples/onnx_evaluator.py:Searching:network=champion.onnx --against greedy

Any network over a view works. This one gives no priors, so all moves start equal.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import onnxruntime
import typer

from oddville_agents import EvaluatorSearch
from oddville_agents.oddville.value import evaluator as oddville
from oddville_agents.oldtown.value import evaluator as oldtown
from oddville_env import View
from oddville_env.core.game.game_type import game_type
from oddville_training.tournament.evaluate import evaluate


class OnnxEvaluator:
    """Evaluates with the file that `export champion` writes."""

    def __init__(self, network: str) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # fastest for small networks, and deterministic
        self._session = onnxruntime.InferenceSession(network, options)

    def evaluate(self, views: Sequence[View]) -> tuple[np.ndarray, np.ndarray]:
        """Return equal priors [T, A] and chances to win [T, P] in one pass."""
        chances = {"oddville": self._of_all_seats, "oldtown": self._of_the_seat_that_looks}[views[0].game_type.name]
        return np.ones((len(views), len(views[0].mask))), chances(views)

    def _of_all_seats(self, views: Sequence[View]) -> np.ndarray:
        """OddVille: all seats see the same, so the network evaluates every seat."""
        own, shared = zip(*map(oddville.inputs_of, views), strict=True)
        return self._session.run(["chances"], {"own": np.stack(own), "shared": np.stack(shared)})[0]

    def _of_the_seat_that_looks(self, views: Sequence[View]) -> np.ndarray:
        """Old Town: the log odds of the seat to move; the others share the rest equally."""
        odds = self._session.run(["odds"], {"seen": np.stack([oldtown.inputs_of(view) for view in views])})[0]
        players, own = views[0].players, 1 / (1 + np.exp(-odds.astype(np.float64)))
        found = np.repeat((1 - own)[:, None] / (players - 1), players, axis=1)
        found[np.arange(len(views)), [view.seat for view in views]] = own
        return found


class Searching(EvaluatorSearch):
    """The search as an agent that commands can name. network: the ONNX file."""

    name = "onnx-search"

    def __init__(self, network: str, sims: int = 100, batch: int = 16) -> None:
        super().__init__(OnnxEvaluator(network), sims, batch)


def main(
    network: Annotated[str, typer.Argument(help="The ONNX file of the game's champion.")],
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    sims: Annotated[int, typer.Option(help="Iterations for a move.")] = 100,
    games: Annotated[int, typer.Option(help="Games against `random`.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of deals and choices.")] = 1,
) -> None:
    """Play the search against `random`."""
    found = evaluate(Searching(network, sims), ["random"], games, 2, seed=seed, game=game_type(game)).against[0]
    typer.echo(f"against random: {found.wins:.1%} ({found.low:.1%} to {found.high:.1%}) with {sims} iterations a move")


if __name__ == "__main__":
    typer.run(main)
