"""`python -m oddville_training.oldtown.puzzles`: the policy for Old Town's puzzles, taught by their solutions.

Puzzles of all levels are made, some buildings of each are built, and the policy's weights are fitted to the
solutions.

    loss(weights) = mean over lots of: -ln belief(the solution's building on the lot)

The simplex method of Nelder and Mead (1965) finds the least.
"""

from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from scipy.optimize import minimize

from oddville_agents.oldtown.solo import SMALLEST, WEIGHT_NAMES, PolicyAgent, played, propagate, write_policy
from oddville_env.core.checked import check_seed, whole_number
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.disk.files import check_writable
from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.deduction.solver import unary_sets
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oddville_training.program import meter, run

BUILT = 10  # buildings that stand already, at most
START = (0.5, 0.5, 1.0, 1.0, 0.3)
LEAST, MOST = (0.0, 0.0, 0.0, 0.0, 0.0), (5.0, 5.0, 5.0, 5.0, 0.9)
TESTED = 300  # unseen puzzles of each level
MOST_CARDS = 18


class Lessons(NamedTuple):
    """Puzzles with some buildings built, B of them, and where everything stands."""

    sets: np.ndarray  # bool [B, 18, 16]
    cards: np.ndarray  # int64 [B, MOST_CARDS]
    numbers: np.ndarray  # int64 [B]: of C cards
    mine: np.ndarray  # float64 [B, 18]
    solutions: np.ndarray  # int64 [B, 16]: the building of each lot


def make_lessons(puzzles: int, seed: int) -> Lessons:
    """As many puzzles, all levels alike."""
    rng, deck, each = np.random.default_rng(seed), base_deck(), -(-puzzles // len(LEVELS))
    made = [puzzle for level in LEVELS for puzzle in islice(generate(level, seed), each)]
    lessons = Lessons(
        np.zeros((len(made), BUILDINGS, LOTS), np.bool_),
        np.zeros((len(made), MOST_CARDS), np.int64),
        np.array([len(puzzle.c) for puzzle in made]),
        np.array([np.isin(deck.keys, puzzle.mine or ()) for puzzle in made], np.float64),
        np.array([[deck.index(key) for key in puzzle.solution or ()] for puzzle in made]),
    )
    for number, puzzle in enumerate(made):
        sets, solution = lessons.sets[number], lessons.solutions[number]
        sets[:] = unary_sets(puzzle, deck)[:, None] >> np.arange(LOTS) & 1
        built = rng.permutation(LOTS)[: rng.integers(0, BUILT + 1)]
        sets[:, built], sets[solution[built]] = False, False
        sets[solution[built], built] = True
        lessons.cards[number, : len(puzzle.c)] = np.array(puzzle.c) - 1
    return lessons


@kernel
def log_loss(boxes, weights, sets, cards, numbers, mine, solutions):
    """The mean log loss of the beliefs about all lots of all lessons."""
    total, found = 0.0, np.zeros((BUILDINGS, LOTS))
    for lesson in range(numbers.size):
        propagate(boxes, weights, sets[lesson], cards[lesson, : numbers[lesson]], mine[lesson], found)
        for lot in range(LOTS):
            total -= np.log(max(found[solutions[lesson, lot], lot], SMALLEST))
    return total / numbers.size / LOTS


def learn(lessons: Lessons, steps: int, progress: bool = True) -> tuple[np.ndarray, float]:
    """The numbers [5] with the least log loss, and that loss."""
    box = make_box(2).record

    def loss_of(weights: np.ndarray) -> float:
        return float(log_loss(box, np.clip(weights, LEAST, MOST), *lessons))

    with meter("steps", progress) as shown:
        task = shown.add_task("learning", total=steps)
        found = minimize(
            loss_of,
            START,
            method="Nelder-Mead",
            callback=lambda _: shown.advance(task),
            options={"maxiter": steps, "xatol": 1e-3, "fatol": 1e-5},
        )
    return np.clip(found.x, LEAST, MOST), float(found.fun)


def solved_by_level(path: Path, seed: int) -> dict[str, Any]:
    """The share of unseen puzzles that the policy in a file solves, and its mean score, by level."""
    found = {}
    for level in LEVELS:
        games = list(played(PolicyAgent(str(path)), islice(generate(level, seed), TESTED)))
        solved, score = np.mean([game.is_solved for game in games]), np.mean([game.score for game in games])
        found[level] = {"puzzles": len(games), "solved": round(float(solved), 4), "score": round(float(score), 2)}
    return found


def command(
    out: Annotated[Path, typer.Option(help="Write the policy to this file.")],
    puzzles: Annotated[int, typer.Option(help="How many puzzles are made.")] = 900,
    steps: Annotated[int, typer.Option(help="How many steps of the search for its numbers, at most.")] = 150,
    seed: Annotated[int, typer.Option(help="Seed of the puzzles.")] = 0,
) -> None:
    """Teach a policy to solve Old Town's puzzles, and measure it on puzzles that it has not seen."""
    whole_number("puzzles", puzzles, len(LEVELS))
    whole_number("steps", steps, 1)
    check_writable(out)
    weights, loss = learn(make_lessons(puzzles, check_seed(seed)), steps)
    made = {"method": "least log loss of solutions (oddville_training.oldtown.puzzles)", "puzzles": puzzles}
    made |= {"seed": seed, "log_loss": round(loss, 4)}
    write_policy(out, weights, made)
    solved = solved_by_level(out, seed + 1)
    write_policy(out, weights, made | {"unseen": solved})
    typer.echo(f"{out}: {dict(zip(WEIGHT_NAMES, weights.round(3).tolist(), strict=True))} {solved}")


if __name__ == "__main__":
    run(command)
