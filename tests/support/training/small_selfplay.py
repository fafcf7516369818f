"""The smallest runs of self-play, and positions to learn from."""

from pathlib import Path

import numpy as np

from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_env.core.checked import game_seeds
from oddville_env.oddville.rules.box import Box
from oddville_training.oddville.selfplay.games import GREEDY, Deals, Noting, play_games
from oddville_training.oddville.selfplay.plan import Plan
from oddville_training.oddville.selfplay.positions import Positions, make_positions, trimmed
from oddville_training.oldtown.selfplay.plan import Plan as OldTownPlan

TINY = Plan(
    players=(2, 3), warm_games=(8, 8), games=(8, 8), search_games=(5, 3), value_games=(3, 5),
    rounds=1, search_rounds=1, value_rounds=1, sims=8, past=0.5, batch=64, epochs=1, evaluation=12,
)  # fmt: skip
OLDTOWN_TINY = OldTownPlan(players=(2, 3), warm_games=(9, 7), rounds=2, games=(5, 3), batch=16, evaluation=12)


def networks(folder: Path) -> dict[str, bytes]:
    """The networks of a run by the names of their files."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.safetensors")}


def noted(box: Box, games: int = 21, sims: int = 0, policies: np.ndarray | None = None) -> Positions:
    """What is noted of games of greedy, or of a search with the formula."""
    formula = make_evaluator(weight_set("search", box.players))
    seats = np.full((games, box.players), GREEDY, np.int8) if policies is None else policies
    deals = Deals(game_seeds(1, games), seats, np.zeros(games), 0)
    positions = make_positions(box, 400 * games)
    play_games(box, weight_set("tuned", box.players), formula, deals, Noting(0.25, sims), positions)
    return trimmed(positions)
