"""`python -m oddville_training.oddville.forecast`: the weights of `search`'s winning chances.

Greedy's weights are tuned to choose moves, search needs them to foresee. So search plays against itself, and all
weights that its values depend on are fitted to the winners.

    loss(weights) = mean over games of the mean over their positions of: -ln(value of the winner)
                  + REGULARIZATION x mean of squared moves of weights, in their steps

L-BFGS-B (Byrd et al. 1995) finds the least, with slopes by central differences. Every fifth game is held back and tells
how good the fit is.
"""

from itertools import chain
from typing import Annotated, NamedTuple

import numpy as np
import typer
from scipy.optimize import minimize

from oddville_agents.agent import Agent
from oddville_agents.oddville.search.agent import SearchAgent
from oddville_agents.oddville.value.formula.values import values
from oddville_agents.oddville.value.formula.weights import bounds, from_vector, vector, weight_set, write_weights
from oddville_agents.play import Watcher, play
from oddville_env.core.checked import check_seed, game_seeds, whole_number
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.disk.files import check_writable
from oddville_env.core.errors import SettingError
from oddville_env.core.game.view import View
from oddville_env.core.system.progress import console_if
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS
from oddville_env.oddville.settings import make_box
from oddville_training.program import Out, Players, Seed, meter, run

RANDOM_MOVES = 0.03  # the part of moves that are random, so that the fit also sees what good play does not reach
STEP = 0.1  # of weights that tuning leaves alone
INTERVAL = 4  # positions of a game, neighbours being much alike
HELD_BACK = 5  # every fifth game
MIN_GAMES = 2  # games: one to fit to, one held back
DIFFERENCE = 0.25  # of a weight's step: half the width of a numeric slope's central difference
REGULARIZATION = 5e-4  # log loss for weights that are a step each from where they began
MIN_CHANCE = 1e-6  # a chance that is counted as such, lest one game decide all

Sample = tuple[np.ndarray, np.ndarray, np.ndarray]  # states, winners, and what each position counts for


class FinishedPositions(NamedTuple):
    """Positions of finished games: states [N], the winner of each one's game and the game's number, int [N]."""

    states: np.ndarray
    winners: np.ndarray
    games: np.ndarray


class StrayingAgent(Agent):
    """An agent that plays some of its moves at random."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner
        self.name = inner.name

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins."""
        self._inner.reset(seat, players, seed)

    def act(self, view: View) -> int:
        """The agent's move, or any legal one."""
        if view.rng.random() < RANDOM_MOVES:
            return int(view.rng.choice(np.flatnonzero(view.mask)))
        return self._inner.act(view)


def play_games(box: Box, games: int, sims: int, weights: str, seed: int, progress: bool = True) -> FinishedPositions:
    """Let search play with some weights against itself; Ctrl-C ends it early with the games that are finished."""
    live = LiveGame(ODDVILLE, box)
    agents = [StrayingAgent(SearchAgent(sims=sims, weights=weights, value="formula")) for _ in range(box.players)]
    rng = np.random.default_rng(seed)
    samples: list[list[np.ndarray]] = []
    winners: list[int] = []
    with meter("games", progress) as shown:
        try:
            for deal in shown.track(game_seeds(seed, games), description="playing"):
                sample: list[np.ndarray] = []
                winners.append(play(live, agents, int(deal), _sampling(sample, rng)).winner)
                samples.append(sample)
        except KeyboardInterrupt:
            shown.console.print(f"Stopped after {len(samples)} of {games} games, which are used.")
    if len(samples) < MIN_GAMES:
        raise SettingError(f"a fit needs {MIN_GAMES} finished games at least, there are {len(samples)}")
    numbers = np.repeat(np.arange(len(samples)), [*map(len, samples)])
    return FinishedPositions(np.concatenate([*chain(*samples)]), np.array(winners)[numbers], numbers)


def _sampling(sample: list[np.ndarray], rng: np.random.Generator) -> Watcher:
    """A watcher that adds every few of a game's states to the sample."""

    def watch(live: LiveGame, action: int) -> None:
        if rng.random() < 1 / INTERVAL:
            sample.append(copied(live.state))

    return watch


class Forecast(NamedTuple):
    """Fitted weights [1], and the mean log loss on games that were held back: before, after, and of equal chances."""

    weights: np.ndarray
    before: float
    after: float
    even: float


def fit(box: Box, positions: FinishedPositions, start: np.ndarray, rounds: int, progress: bool = True) -> Forecast:
    """Fit weights [1] from a start, in at most so many rounds. Ctrl-C ends it early with the best so far."""
    held_back = positions.games % HELD_BACK == 0
    samples = [_sample(positions, held_back), _sample(positions, ~held_back)]
    origin, (step, low, high) = vector(start), (bounds(name) for name in ("step", "low", "high"))
    reach = np.where(step > 0, step, STEP)
    still = _loss(box, samples[1], origin)  # that of weights without influence too
    free = np.flatnonzero([_loss(box, samples[1], origin + way) != still for way in np.diag(DIFFERENCE * reach)])
    best = origin.copy()

    def weights_at(moves: np.ndarray) -> np.ndarray:
        moved = origin.copy()
        moved[free] = np.clip(origin[free] + moves * reach[free], low[free], high[free])
        return moved

    def loss(moves: np.ndarray) -> float:
        return _loss(box, samples[1], weights_at(moves)) + REGULARIZATION * float(np.mean(moves**2))

    def slope(moves: np.ndarray) -> np.ndarray:
        ways = DIFFERENCE * np.eye(free.size)
        return np.array([(loss(moves + way) - loss(moves - way)) / (2 * DIFFERENCE) for way in ways])

    console = console_if(progress)
    with console.status("fitting") as status:

        def keep(moves: np.ndarray) -> None:
            best[:] = weights_at(moves)
            status.update(f"fitting: log loss {_loss(box, samples[0], best):.4f} on games that were held back")

        try:
            options = {"maxiter": rounds}
            minimize(loss, np.zeros(free.size), jac=slope, method="L-BFGS-B", callback=keep, options=options)
        except KeyboardInterrupt:
            console.print("Stopped; the best weights so far are used.")
    before, after = (_loss(box, samples[0], weights) for weights in (origin, best))
    return Forecast(from_vector(best), before, after, float(np.log(box.players)))


def _sample(positions: FinishedPositions, chosen: np.ndarray) -> Sample:
    """The chosen positions: states, winners, and what each counts for."""
    games = positions.games[chosen]
    return positions.states[chosen], positions.winners[chosen], 1 / np.bincount(games)[games]


def _loss(box: Box, sample: Sample, weights: np.ndarray) -> float:
    return float(log_loss(box.record, *sample, from_vector(weights), np.zeros(SEATS)))


@kernel
def log_loss(boxes, states, winners, counts, weights, chances):
    """The mean of minus the logarithm of the winners' chances: states [N], winners int [N], counts float [N]."""
    loss, total = 0.0, 0.0
    for at in range(states.size):
        values(boxes[0], states[at], weights[0], chances)
        loss -= counts[at] * np.log(max(chances[winners[at]], MIN_CHANCE))
        total += counts[at]
    return loss / total


def command(
    out: Out,
    players: Players = 2,
    games: Annotated[int, typer.Option(help="How many games of search against itself.")] = 1600,
    sims: Annotated[int, typer.Option(help="Iterations for each of their moves.")] = 200,
    start: Annotated[str, typer.Option(help="Begin with the set tuned, simple, search, or of a json file.")] = "tuned",
    rounds: Annotated[int, typer.Option(help="Rounds of the fit, at most.")] = 25,
    seed: Seed = 0,
) -> None:
    """Fit the weights of search's value function to the winners of its games; Ctrl-C fits to the finished ones."""
    box = make_box(players)
    for name, number, least in (("games", games, MIN_GAMES), ("sims", sims, 1), ("rounds", rounds, 1)):
        whole_number(name, number, least)
    check_writable(out)
    positions = play_games(box, games, sims, start, check_seed(seed))
    found = fit(box, positions, weight_set(start, players), rounds)
    losses = {"log_loss": found.after, "log_loss_before": found.before, "even_log_loss": found.even}
    made = {
        "method": "fitted to who won games of search against itself (oddville_training.oddville.forecast)",
        "players": players, "start": start, "seed": seed, "sims": sims,
        "games": int(np.unique(positions.games).size), "positions": len(positions.games),
        "chances": {name: round(value, 4) for name, value in losses.items()},
    }  # fmt: skip
    write_weights(out, found.weights, made)
    summary = f"log loss {found.before:.4f} before, {found.after:.4f} after, {found.even:.4f} for equal chances"
    typer.echo(f"{out}: {summary}")


if __name__ == "__main__":
    run(command)
