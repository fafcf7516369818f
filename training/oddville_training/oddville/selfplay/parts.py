"""The jobs of workers: the games of a part, and the strength of a network. They need no torch, for a quick start.

A network plays one move ahead, on equal deals in every seat, always the same ones, against anchors: `greedy` with two
sets of weights and networks of earlier stages.

    P(network wins) = sigmoid(rating - anchor's rating - ln(players - 1)), the ratings by maximum likelihood

This is the model of Bradley and Terry (1952); a unit of log odds is 400 / ln 10 points of Elo.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit

from oddville_agents.oddville.value.evaluator import make_evaluators
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_env.core.checked import game_seeds
from oddville_env.core.disk.reading import kept_by_file
from oddville_env.core.errors import SettingError, shown
from oddville_env.oddville.cards import NAMED, CardSet, draw_cards, load_cards
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.selfplay.games import GREEDY, NEWEST, Deals, Noting, play_games
from oddville_training.oddville.selfplay.plan import SEARCHED, SIMPLE, TUNED, Plan
from oddville_training.oddville.selfplay.positions import EDGES, Positions, make_positions, trimmed
from oddville_training.selfplay.plan import Part, Stage
from oddville_training.tournament.evaluate import interval

ROOM = 48  # positions of a game for each seat, if all decisions are noted: more than there are on average
STRAYS = (0.0, 0.02, 0.08, 0.2)  # parts of moves that are random; games take them in turn
AT_THE_TABLE = 0.5  # how likely a seat of such a game is another's than the newest network's
NUMBERS = 1_000_000  # numbers of games that a stage has for its own
ALL_NUMBERS = 2_000_000_000  # of all stages, counted anew behind them: files hold int32
DRAWN = "drawn:"
MOST_DRAWN = 10_000  # card sets of one name
SEED = 777  # of the deals of evaluations
NOTHING_NOTED = 64  # positions: room that the loop asks for
POINTS = 400 / log(10)  # of Elo for a unit of log odds
UNKNOWN = 1e-3  # how weakly ratings are held near 0, so that they stay finite
Tensors = Mapping[str, np.ndarray]
_in_folder = kept_by_file(load_cards)
_drawn = cache(draw_cards)


def card_sets(names: tuple[str, ...]) -> list[CardSet]:
    """The sets named in `NAMED`, `drawn:SEED`, `drawn:FIRST-LAST`, or by a folder. Raises CardError, SettingError."""
    return [cards for name in names for cards in _sets(name)]


def _sets(name: str) -> Iterator[CardSet]:
    if name in NAMED:
        yield NAMED[name]()
    elif not name.startswith(DRAWN):
        yield _in_folder(Path(name))
    else:
        found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", name.removeprefix(DRAWN), re.ASCII)
        if found is None:
            raise SettingError(f"drawn card sets are named drawn:SEED or drawn:FIRST-LAST, not {shown(name)}")
        seeds = range(int(found[1]), int(found[2] or found[1]) + 1)
        if not 0 < len(seeds) <= MOST_DRAWN:
            raise SettingError(f"{shown(name)} must name 1 to {MOST_DRAWN} card sets, the first seed first")
        yield from map(_drawn, seeds)


def play_part(plan: Plan, stage: Stage, part: Part, networks: tuple[Tensors, ...]) -> Positions:
    """The positions of the games of a part; they follow from the arguments alone."""
    number, players = part.games, part.players
    rng = np.random.default_rng([plan.seed, stage.number, players, part.number])
    sets = card_sets(plan.cards)
    box = make_box(players, **plan.settings(sets[part.number % len(sets)]))
    formula = weight_set("search", players)
    evaluators = make_evaluators(formula, networks or (None,))
    strays = np.resize(STRAYS, number)
    policies = _policies(plan, len(networks), number, players, rng)
    seeds = rng.integers(2**64, size=number, dtype=np.uint64)
    deals = Deals(seeds, policies, strays, (stage.number * NUMBERS + part.first) % ALL_NUMBERS)
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


def evaluate(
    plan: Plan, players: int, network: Tensors, anchors: Mapping[str, Tensors | None]
) -> dict[str, dict[str, Any]]:
    """The share that a network wins against tables full of each anchor, with the plan's first card set.

    anchors: networks, or None for the two that `greedy` names. Returns `games`, `won` and the 95 % interval by anchor.
    """
    box, deals = make_box(players, **plan.settings(card_sets(plan.cards[:1])[0])), plan.evaluation // players
    seats = np.tile(np.arange(players), deals)
    found = {}
    for name, anchor in anchors.items():
        policies = np.full((deals * players, players), GREEDY if anchor is None else NEWEST + 1, np.int8)
        policies[np.arange(len(seats)), seats] = NEWEST
        evaluators = make_evaluators(weight_set("search", players), (network, anchor or network))
        weights = weight_set("simple" if name == SIMPLE else "tuned", players)
        asked = Deals(np.repeat(game_seeds(SEED + players, deals), players), policies, np.zeros(len(seats)), 0)
        winners = play_games(box, weights, evaluators, asked, Noting(share=0.0), make_positions(box, NOTHING_NOTED))
        won = (winners == seats).reshape(deals, players)
        low, high = interval(won)
        found[name] = {"games": won.size, "won": float(won.mean()), "low": low, "high": high}
    return found


def elo(matches: Sequence[tuple[str, str, int, Mapping[str, Any]]]) -> dict[str, float]:
    """Ratings of all that played, `greedy` being 0: matches of (network, anchor, players, what `evaluate` returns)."""
    names = sorted({name for one, other, *_ in matches for name in (one, other)} | {TUNED})
    index_of = {name: at for at, name in enumerate(names)}
    pairs = np.array([(index_of[one], index_of[other]) for one, other, *_ in matches], int).reshape(-1, 2)
    rivals = np.array([log(players - 1) for _, _, players, _ in matches])
    games = np.array([wins["games"] for *_, wins in matches], float)
    won = np.array([wins["won"] for *_, wins in matches], float)

    def loss(ratings: np.ndarray) -> float:
        odds = ratings[pairs[:, 0]] - ratings[pairs[:, 1]] - rivals
        likely = won * log_expit(odds) + (1 - won) * log_expit(-odds)
        return float(UNKNOWN * (ratings**2).sum() - (games * likely).sum())

    found = minimize(loss, np.zeros(len(names))).x
    return {name: POINTS * float(found[at] - found[index_of[TUNED]]) for name, at in index_of.items()}
