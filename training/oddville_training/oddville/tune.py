"""`python -m oddville_training.oddville.tune`: greedy's weights, tuned by playing against themselves.

The method is simultaneous perturbation (Spall 1992): each step moves all weights a little, each up or down at random,
lets the two opposite sets play the same deals in all seats, and goes towards the better one.

    weights += gain x move x mean over games of: tanh(lead / LEAD_SCALE), of one side over the other

An average of the steps (Polyak and Juditsky 1992) is the candidate. From time to time it plays the best set so far on
fresh deals and takes its place if it wins.

At the end winning chances are fitted to the winners by conditional logit (McFadden 1974), from seats' values in points:

    P(seat wins) = softmax over seats of: (early x left + late x (1 - left)) x points + tempo x (1 - left) x next

left is the part of the game to come, next 1 for the seat whose turn is next. The log likelihood is concave: Newton's
method finds its maximum.
"""

from typing import Annotated, Any

import numpy as np
import typer
from scipy.special import softmax

from oddville_agents.oddville.greedy import best_move
from oddville_agents.oddville.value.formula.values import next_up, seat_values
from oddville_agents.oddville.value.formula.weights import bounds, from_vector, vector, weight_set, write_weights
from oddville_agents.tensors import read_only
from oddville_env.core.checked import check_seed, game_seeds, whole_number
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.disk.files import check_writable
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.rules import scoring, turn
from oddville_env.oddville.rules.batch import deal_one
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.settings import make_box
from oddville_training.program import Out, Players, Seed, meter, run
from oddville_training.tournament.evaluate import interval

GAMES_PER_STEP = 32  # deals times seats, about, of a step
GAIN = 0.3  # steps of a weight for a step in which one side won by far everywhere, at the start
FINAL_GAIN = 0.1  # of the first, at the end
FINAL_REACH = 0.6  # how far weights are moved at the end, of the first
LEAD_SCALE = 10.0  # points: a lead of so many says nearly as much as a larger one
AVERAGING = 0.2  # of the steps so far: the mean looks back over about as many
CHALLENGES = 10  # of the best set so far, in a run
CHALLENGE_DEALS = 300  # deals
EVALUATION_DEALS = 1000  # deals against simple at the end
CALIBRATION_DEALS = 2000  # deals, at most, to fit chances to
POSITIONS = 100_000
ROUNDS = 20  # of Newton's method, which needs fewer
RIDGE = 1e-9


def duels(box: Box, mine: np.ndarray, theirs: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Play each deal with one set of weights [1] in every seat, the other in all others; seeds uint64 [D].

    Returns won bool [D, P], and the lead over the best of the others, int [D, P], by deal and seat.
    """
    won = np.zeros((len(seeds), box.players), np.bool_)
    leads = np.zeros((len(seeds), box.players), np.int64)
    games, masks = np.zeros(2, box.games), np.zeros((2, box.layout.size), np.bool_)
    play_duels(box.record, mine, theirs, seeds, games[:1], games[1:], masks, won, leads)
    return won, leads


def record_positions(box: Box, weights: np.ndarray, seeds: np.ndarray, rows: int) -> tuple[np.ndarray, ...]:
    """Play each deal with the same weights [1] in all seats and note what `values` goes by, before every decision.

    Returns seats' values in points [N, P], parts of the game to come [N], `next_up` [N, P], winners int [N]; N <= rows.
    """
    value_rows, remaining, turns = np.zeros((rows, box.players)), np.zeros(rows), np.zeros((rows, box.players))
    winners = np.zeros(rows, np.int64)
    games, masks = np.zeros(2, box.games), np.zeros((2, box.layout.size), np.bool_)
    number = play_recorded(
        box.record, weights, seeds, games[:1], games[1:], masks, value_rows, remaining, turns, winners
    )
    return value_rows[:number], remaining[:number], turns[:number], winners[:number]


@kernel
def play_duels(boxes, mine, theirs, seeds, games, after, masks, won, leads):
    """Play every deal with one set in every seat: writes won [D, P] and leads [D, P]; masks [2, A] is scratch."""
    box = boxes[0]
    for deal in range(seeds.size):
        for seat in range(won.shape[1]):
            deal_one(box, games[0], seeds[deal], masks[0])
            while games[0].to_move != NOBODY:
                weights = mine if games[0].to_move == seat else theirs
                turn.step(box, games[0], best_move(boxes, games, 0, masks[0], weights, after, masks[1]), masks[0])
            won[deal, seat] = scoring.winner(box, games[0]) == seat
            best = -1
            for other in range(box.players):
                if other != seat:
                    best = max(best, scoring.score(box, games[0], other))
            leads[deal, seat] = scoring.score(box, games[0], seat) - best


@kernel
def play_recorded(boxes, weights, seeds, games, after, masks, value_rows, remaining, turns, winners):
    """Every deal, until the rows [N] are full; returns how many rows belong to games that were finished."""
    box, row = boxes[0], 0
    for deal in range(seeds.size):
        start = row
        deal_one(box, games[0], seeds[deal], masks[0])
        while games[0].to_move != NOBODY:
            if row == remaining.size:
                return start
            remaining[row] = seat_values(box, games[0], weights[0], value_rows[row])
            for seat in range(box.players):
                turns[row, seat] = next_up(box, games[0], seat)
            row += 1
            turn.step(box, games[0], best_move(boxes, games, 0, masks[0], weights, after, masks[1]), masks[0])
        winners[start:row] = scoring.winner(box, games[0])
    return row


class Tuning:
    """A run from a set of weights [1]: `best` is the set that won the last meeting; `steps` and `games` were played."""

    def __init__(self, box: Box, start: np.ndarray, seed: int) -> None:
        self.best, self.steps, self.games = start, 0, 0
        self._box, self._rng = box, np.random.default_rng(seed)
        self._reach, self._low, self._high = (bounds(name) for name in ("step", "low", "high"))
        self._current = self._mean = vector(start)

    def step(self, progress: float) -> None:
        """Move the weights up or down at random, and go towards the better side; progress: 0..1 of the run."""
        move = self._reach * self._rng.choice([-1.0, 1.0], len(self._reach))
        perturbation = (1 - (1 - FINAL_REACH) * progress) * move
        gain = GAIN * (1 - (1 - FINAL_GAIN) * progress)
        better = self._advantage(self._current + perturbation, self._current - perturbation)
        self._current = np.clip(self._current + gain * move * better, self._low, self._high)
        self.steps += 1
        self._mean = self._mean + (self._current - self._mean) / (1 + AVERAGING * self.steps)

    def challenge(self) -> float:
        """The share that the mean of the steps wins against the best set; above par it becomes the best."""
        candidate = from_vector(self._mean)
        won = self._play(candidate, self.best, self._deals(CHALLENGE_DEALS))[0]
        if won.mean() > 1 / self._box.players:
            self.best = candidate
        return float(won.mean())

    def _advantage(self, one: np.ndarray, other: np.ndarray) -> float:
        """-1..1: how much better one side plays than the other, by leads, of which large ones say little more."""
        one, other = (from_vector(np.clip(side, self._low, self._high)) for side in (one, other))
        deals = self._deals(GAMES_PER_STEP // self._box.players)
        if self._box.players == 2:
            return self._lead(one, other, deals)
        return (self._lead(one, other, deals) - self._lead(other, one, deals)) / 2  # one against many, both ways

    def _lead(self, mine: np.ndarray, theirs: np.ndarray, deals: np.ndarray) -> float:
        return float(np.tanh(self._play(mine, theirs, deals)[1] / LEAD_SCALE).mean())

    def _play(self, mine: np.ndarray, theirs: np.ndarray, deals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        won, leads = duels(self._box, mine, theirs, deals)
        self.games += won.size
        return won, leads

    def _deals(self, number: int) -> np.ndarray:
        return self._rng.integers(0, np.iinfo(np.uint64).max, number, np.uint64)


def tune(box: Box, start: np.ndarray, steps: int, seed: int, progress: bool = True) -> Tuning:
    """Tune weights [1] for a box; equal arguments give equal weights. Ctrl-C ends it early with the best so far."""
    tuning = Tuning(box, start, seed)
    with meter("steps", progress) as shown:
        task = shown.add_task("tuning", total=steps)
        try:
            for step in range(1, steps + 1):
                tuning.step(step / steps)
                if step * CHALLENGES // steps > (step - 1) * CHALLENGES // steps:
                    shown.update(task, description=f"tuning, {tuning.challenge():.1%} against the best so far")
                shown.advance(task)
        except KeyboardInterrupt:
            shown.console.print(f"Stopped after {tuning.steps} of {steps} steps; the best set so far is kept.")
    return tuning


def fit_chances(
    points: np.ndarray, remaining: np.ndarray, turns: np.ndarray, winners: np.ndarray
) -> tuple[np.ndarray, dict[str, Any]]:
    """Fit on half of the positions, and measure on the other; the arguments are what `record_positions` returns.

    Returns the weights `early`, `late` and `tempo` [3], and log loss and Brier score beside those of equal chances.
    """
    late = 1 - remaining[:, None]
    inputs = np.stack([points * (1 - late), points * late, turns * late], axis=-1)  # [N, P, 3]
    half, players = len(inputs) // 2, points.shape[1]
    weights = _fit(inputs[:half], winners[:half])
    chances, won = softmax(inputs[half:] @ weights, axis=1), np.eye(players)[winners[half:]]
    loss = -np.log(chances[won == 1]).mean()
    brier = ((chances - won) ** 2).sum(1).mean()
    losses = {"log_loss": float(loss), "even_log_loss": float(np.log(players))}
    return weights, {"positions": len(inputs), **losses, "brier": float(brier), "even_brier": 1 - 1 / players}


def _fit(inputs: np.ndarray, winners: np.ndarray) -> np.ndarray:
    """The weights [3] under which the winners are likeliest, by Newton's method: the problem is convex."""
    weights = np.zeros(inputs.shape[2])
    for _ in range(ROUNDS):
        chances = softmax(inputs @ weights, axis=1)[..., None]
        centred = inputs - (chances * inputs).sum(1, keepdims=True)  # around what is expected
        gradient = centred[np.arange(len(winners)), winners].mean(0)
        hessian = np.einsum("npx,npf,npg->fg", chances, centred, centred) / len(inputs) + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(hessian, gradient)
    return weights


def fit_and_measure(box: Box, weights: np.ndarray, seed: int) -> tuple[np.ndarray, dict[str, Any]]:
    """Fit the chances of tuned weights [1] to their own games, and measure both: the weights [1], and the figures."""
    deals = game_seeds(seed, CALIBRATION_DEALS + EVALUATION_DEALS)
    (early, late, tempo), figures = fit_chances(*record_positions(box, weights, deals[:CALIBRATION_DEALS], POSITIONS))
    fitted = weights.copy()
    fitted["certainty"], fitted["tempo"] = (early, late), tempo
    won = duels(box, read_only(fitted), weight_set("simple", box.players), deals[CALIBRATION_DEALS:])[0]
    low, high = interval(won)
    against = {"games": won.size, "won": float(won.mean()), "low": low, "high": high}
    chances = {name: round(value, 4) for name, value in figures.items()}
    return fitted, {"against_simple": against, "chances": chances}


def command(
    out: Out,
    players: Players = 2,
    start: Annotated[str, typer.Option(help="Begin with the set simple, tuned, or of a json file.")] = "simple",
    steps: Annotated[int, typer.Option(help="How many steps.")] = 3000,
    seed: Seed = 0,
) -> None:
    """Tune the weights of greedy by playing against themselves; Ctrl-C keeps the best so far."""
    box = make_box(players)
    whole_number("steps", steps, 1)
    check_writable(out)
    tuning = tune(box, weight_set(start, players), steps, check_seed(seed))
    weights, measured = fit_and_measure(box, tuning.best, seed)
    made = {
        "method": "simultaneous perturbation in self-play (oddville_training.oddville.tune)",
        "players": players, "start": start, "seed": seed, "steps": tuning.steps, "games": tuning.games, **measured,
    }  # fmt: skip
    write_weights(out, weights, made)
    typer.echo(f"{out}: {measured['against_simple']}")


if __name__ == "__main__":
    run(command)
