"""The jobs of workers: the games of a part, and the evaluation of a network. They need no torch, for a quick start."""

from typing import Any

import numpy as np

from oddville_agents.oddville.value.evaluator import make_evaluators
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.selfplay.card_sets import card_sets
from oddville_training.oddville.selfplay.evaluation import TUNED, Tensors, wins_against
from oddville_training.oddville.selfplay.games import GREEDY, NEWEST, Deals, Noting, play_games
from oddville_training.oddville.selfplay.plan import SEARCHED, Plan
from oddville_training.oddville.selfplay.positions import EDGES, Positions, make_positions, trimmed
from oddville_training.selfplay.plan import Part, Stage

ROOM = 48  # positions of a game for each seat, if all decisions are noted: more than there are on average
STRAYS = (0.0, 0.02, 0.08, 0.2)  # parts of moves that are random; games take them in turn
AT_THE_TABLE = 0.5  # how likely a seat of such a game is another's than the newest network's
NUMBERS = 1_000_000  # numbers of games that a stage has for its own
ALL_NUMBERS = 2_000_000_000  # of all stages, counted anew behind them: files hold int32


def play_part(plan: Plan, stage: Stage, part: Part, networks: tuple[Tensors, ...]) -> Positions:
    """The positions of the games of a part; they follow from the arguments alone."""
    number, players = part.games, part.players
    rng = np.random.default_rng([plan.seed, stage.place, players, part.number])
    sets = card_sets(plan.cards)
    box = make_box(players, cards=sets[part.number % len(sets)])
    formula = weight_set("search", players)
    evaluators = make_evaluators(formula, networks or (None,))
    strays = np.resize(STRAYS, number)
    policies = _policies(plan, len(networks), number, players, rng)
    seeds = rng.integers(2**64, size=number, dtype=np.uint64)
    deals = Deals(seeds, policies, strays, (stage.place * NUMBERS + part.first) % ALL_NUMBERS)
    noting = Noting(plan.share, plan.sims, plan.turns) if stage.kind in SEARCHED else Noting(plan.share)
    edges = EDGES if noting.sims else 2
    positions = make_positions(box, int(number * players * ROOM * plan.share) + ROOM * players, edges)
    play_games(box, weight_set("tuned", players), evaluators, deals, noting, positions)
    return trimmed(positions)


def _policies(plan: Plan, networks: int, games: int, players: int, rng: np.random.Generator) -> np.ndarray:
    """The policy in every seat of every game, int8 [games, players]."""
    if not networks:
        return np.full((games, players), GREEDY, np.int8)
    policies = np.full((games, players), NEWEST, np.int8)
    if plan.rival is not None:
        policies[:] = GREEDY if plan.rival == TUNED else NEWEST + 1
        policies[np.arange(games), rng.integers(players, size=games)] = NEWEST
        return policies
    others = rng.integers(GREEDY, networks, size=(games, players))
    mixed = rng.random((games, 1)) < plan.past
    return np.where(mixed & (rng.random((games, players)) < AT_THE_TABLE), others, policies).astype(np.int8)


def evaluate(players: int, network: Tensors, anchors: dict[str, Tensors | None], games: int) -> dict[str, Any]:
    """A network's wins by anchor, as plain values; always with the base card set."""
    return {name: wins._asdict() for name, wins in wins_against(make_box(players), network, anchors, games).items()}
