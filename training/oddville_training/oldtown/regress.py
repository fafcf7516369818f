"""`python -m oddville_training.oldtown.regress`: the weights of Old Town's heuristic, fitted to its own games.

The heuristic plays against itself, now and then a random move. What each seat sees after a move is noted, and the next
round's weights are those of ridge regression (Hoerl and Kennard 1970) of the seat's final lead on its features.

    weights = (X'X + RIDGE) ** -1 X'y, with a round's rows counting 1 - FORGET of those of the next one
"""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from oddville_agents.oldtown.greedy import try_move
from oddville_agents.oldtown.heuristic import features
from oddville_agents.oldtown.heuristic.choice import WEIGHT_RECORD, best_move, write_weights
from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS, look
from oddville_agents.spec import AgentSpec
from oddville_agents.tensors import read_only
from oddville_env.core.checked import check_seed, game_seeds, whole_number
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.disk.files import check_writable
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.rules import hidden, turn, worlds
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.batch import LOOPS
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import STATE
from oddville_env.oldtown.settings import make_box
from oddville_training.program import Out, Players, Seed, meter, run
from oddville_training.tournament.evaluate import evaluate

ROWS = 80  # positions of a game that are noted, at most
MOVES = 400  # of a game, at most
TENTH = 10  # of so many moves one is random
FORGET = 0.4  # how much of the earlier rounds' weight is gone in the next one
RIDGE = 1e-3
DEALS = 1000  # deals against each rival at the end
METHOD = "least squares of final leads in self-play (oddville_training.oldtown.regress)"
Deals = Annotated[int, typer.Option(help="Deals of a round.")]
Rounds = Annotated[int, typer.Option(help="How many rounds.")]
deal_one = LOOPS.deal_one
START = {"lead": 1.0, "first": 0.3, "next": -0.5}  # the weights of the first round


@kernel
def play_noted(boxes, weights, seeds, games, rows, leads):
    """Play deals from seeds [D] and note after each move what its seat sees, rows [N, 2, NUMBERS], and its final lead.

    A row holds the features, plain and times the part of all points that is left. Returns how many rows belong to
    finished games.
    """
    box, number, seen = boxes[0], 0, np.zeros(NUMBERS)
    mask, who, board = np.zeros(box.kind.size, np.bool_), np.zeros(MOVES, np.int64), np.zeros(1, worlds.WORLD)
    for seed in seeds:
        deal_one(box, games[0], seed, mask)
        start, move = number, 0
        while games[0].to_move != NOBODY:
            if number == leads.size:
                return start
            games[1] = games[0]
            hidden.canonicalize_hidden(box, games[1], games[0].to_move)
            if chance.move_number(seed, MOVES + move, TENTH) == 0:
                action = chance.random_move(mask, seed, move)
            else:
                action = best_move(boxes, games, 1, mask, weights)
            if games[0].legal_count > 1 and box.kind[action] != Kind.SHOW:  # a first card of a pair changes no board
                who[number - start] = games[0].to_move
                try_move(box, games[1], action, games[2:])
                left = look(box, games[2], games[1].to_move, board, seen)
                for at in range(NUMBERS):
                    rows[number, 0, at], rows[number, 1, at] = seen[at], left * seen[at]
                number += 1
            turn.step(box, games[0], action, mask)
            move += 1
        for row in range(start, number):
            leads[row] = features.leads(box, games[0], who[row - start])[0]
    return number


class LeastSquares:
    """Sums over positions, from which the weights follow."""

    def __init__(self) -> None:
        self.positions = 0
        self._rows, self._squares, self._products = 0.0, np.zeros((2 * NUMBERS,) * 2), np.zeros(2 * NUMBERS)

    def add(self, rows: np.ndarray, leads: np.ndarray) -> None:
        """A round's positions [N, 2, NUMBERS] and leads [N]; earlier ones count less."""
        flat, kept = rows.reshape(len(rows), -1), 1 - FORGET
        self.positions += len(rows)
        self._rows = kept * self._rows + len(rows)
        self._squares = kept * self._squares + flat.T @ flat
        self._products = kept * self._products + flat.T @ leads

    def weights(self) -> np.ndarray:
        """The weights [1] of least squares; weights of features that never vary are 0."""
        scale = np.sqrt(np.diag(self._squares) / self._rows)
        varies = scale > 0
        scale = np.where(varies, scale, 1.0)
        squares = self._squares / self._rows / np.outer(scale, scale) + RIDGE * np.eye(scale.size)
        found = np.linalg.solve(squares, self._products / self._rows / scale) / scale
        weights = np.zeros(1, WEIGHT_RECORD)
        weights["late"], weights["early"] = np.where(varies, found, 0.0).reshape(2, NUMBERS)
        return weights


def noted_games(box: Box, weights: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Play deals from seeds [D] and note positions [N, 2, NUMBERS] and final leads [N]."""
    rows, leads = np.zeros((len(seeds) * ROWS, 2, NUMBERS)), np.zeros(len(seeds) * ROWS)
    number = play_noted(box.record, read_only(weights), seeds, np.zeros(3, STATE), rows, leads)
    return rows[:number], leads[:number]


def regress(box: Box, deals: int, rounds: int, seed: int, progress: bool = True) -> tuple[np.ndarray, LeastSquares]:
    """The weights [1] after so many rounds of so many deals; equal arguments give equal ones."""
    weights, fit = np.zeros(1, WEIGHT_RECORD), LeastSquares()
    weights["late"] = [START.get(feature.name, 0.0) for feature in FEATURES]
    seeds = game_seeds(seed, deals * rounds).reshape(rounds, deals)
    with meter("rounds", progress) as shown:
        for one in shown.track(seeds, description="fitting"):
            fit.add(*noted_games(box, weights, one))
            weights = fit.weights()
    return weights, fit


def command(out: Out, players: Players = 2, deals: Deals = 4000, rounds: Rounds = 6, seed: Seed = 0) -> None:
    """Fit the weights of Old Town's heuristic to its own games, and measure it against greedy."""
    box = box_for(players, deals, rounds, out)
    weights, fit = regress(box, deals, rounds, check_seed(seed))
    made: dict[str, Any] = {"method": METHOD, "players": players, "seed": seed}
    made |= {"deals": deals * rounds, "positions": fit.positions}
    write_measured(out, weights, made, ["greedy"])


def box_for(players: int, deals: int, rounds: int, out: Path) -> Box:
    """The box of so many players, when the other options are right too; raises SettingError and OSError."""
    whole_number("deals", deals, 1)
    whole_number("rounds", rounds, 1)
    box = make_box(players)
    check_writable(out)
    return box


def write_measured(out: Path, weights: np.ndarray, made: dict[str, Any], rivals: list[str]) -> None:
    """Write weights [1] with how they were made, and then with how they do against rivals too."""
    write_weights(out, weights, made)
    mine, players = AgentSpec("heuristic", {"weights": str(out)}), made["players"]
    for against in evaluate(mine, rivals, DEALS * players, players, made["seed"] + 1, game=OLDTOWN).against:
        figures = {name: round(getattr(against, name), 4) for name in ("games", "wins", "low", "high")}
        made[f"against_{against.opponent}"] = figures
        typer.echo(f"{out}: against {against.opponent} {figures}")
    write_weights(out, weights, made)


if __name__ == "__main__":
    run(command)
