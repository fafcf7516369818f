"""The strength of a network: one move ahead, on equal deals in every seat, always the same ones, against anchors.

    P(network wins) = sigmoid(rating - anchor's rating - ln(players - 1)), the ratings by maximum likelihood

This is the model of Bradley and Terry (1952); a unit of log odds is 400 / ln 10 points of Elo. Anchors are `greedy`
with two sets of weights and networks of earlier stages.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit

from oddville_agents.oddville.value.evaluator import make_evaluators
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_env.core.game.seeds import game_seeds
from oddville_env.oddville.rules.box import Box
from oddville_training.oddville.selfplay.games import GREEDY, NEWEST, Deals, Noting, play_games
from oddville_training.oddville.selfplay.positions import make_positions
from oddville_training.tournament.evaluate import interval

SEED = 777  # of the deals
NOTHING_NOTED = 64  # positions: room that the loop asks for
SIMPLE, TUNED = "greedy:weights=simple", "greedy"
POINTS = 400 / log(10)  # of Elo for a unit of log odds
UNKNOWN = 1e-3  # how weakly ratings are held near 0, so that they stay finite
Tensors = Mapping[str, np.ndarray]


class Wins(NamedTuple):
    """A network against tables full of an anchor: the share won, and the 95 % interval."""

    games: int
    won: float
    low: float
    high: float


def wins_against(box: Box, network: Tensors, anchors: Mapping[str, Tensors | None], games: int) -> dict[str, Wins]:
    """A network's wins against each anchor: networks, or None for the two that `greedy` names."""
    return {name: _against(box, network, name, anchor, games) for name, anchor in anchors.items()}


def _against(box: Box, network: Tensors, name: str, anchor: Tensors | None, games: int) -> Wins:
    players, formula = box.players, weight_set("search", box.players)
    deals = games // players
    seats = np.tile(np.arange(players), deals)
    policies = np.full((deals * players, players), GREEDY if anchor is None else NEWEST + 1, np.int8)
    policies[np.arange(len(seats)), seats] = NEWEST
    evaluators = make_evaluators(formula, (network, anchor or network))
    weights = weight_set("simple" if name == SIMPLE else "tuned", players)
    asked = Deals(np.repeat(game_seeds(SEED + players, deals), players), policies, np.zeros(len(seats)), 0)
    winners = play_games(box, weights, evaluators, asked, Noting(share=0.0), make_positions(box, NOTHING_NOTED))
    won = (winners == seats).reshape(deals, players)
    return Wins(won.size, float(won.mean()), *interval(won))


def elo(matches: Sequence[tuple[str, str, int, Mapping[str, Any]]]) -> dict[str, float]:
    """Ratings of all that played, `greedy` being 0: matches of (network, anchor, players, Wins as a mapping)."""
    names = sorted({name for one, other, *_ in matches for name in (one, other)} | {TUNED})
    place = {name: at for at, name in enumerate(names)}
    pairs = np.array([(place[one], place[other]) for one, other, *_ in matches], int).reshape(-1, 2)
    rivals = np.array([log(players - 1) for _, _, players, _ in matches])
    games = np.array([wins["games"] for *_, wins in matches], float)
    won = np.array([wins["won"] for *_, wins in matches], float)

    def loss(ratings: np.ndarray) -> float:
        odds = ratings[pairs[:, 0]] - ratings[pairs[:, 1]] - rivals
        likely = won * log_expit(odds) + (1 - won) * log_expit(-odds)
        return float(UNKNOWN * (ratings**2).sum() - (games * likely).sum())

    found = minimize(loss, np.zeros(len(names))).x
    return {name: POINTS * float(found[at] - found[place[TUNED]]) for name, at in place.items()}
