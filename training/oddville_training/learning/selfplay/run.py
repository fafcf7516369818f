"""`python -m oddville_training.learning.selfplay.run`: the learned value, from nothing, round by round.

Round 0 fits a network to games of greedy. In the quick rounds after it the newest network plays itself, looking one
move ahead; in the last ones search does so with it. After each round the network is fitted anew to what the last
rounds of that kind found. Each round has a folder with its games, in parts, its network and a report; what is there is
not made again, so a run that was stopped goes on where it was.
"""

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from oddville_agents.oddville.greedy.weights import weight_set
from oddville_agents.oddville.search.iteration import Settings
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.files import read_network, write_network
from oddville_env.core.checks import whole_number
from oddville_env.core.errors import OddVilleError
from oddville_env.core.files import written_whole
from oddville_env.core.seeds import game_seeds
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.settings import make_box
from oddville_training.learning.selfplay.fit import (
    HELD_BACK,
    Fit,
    fit,
    judged,
    new_network,
    take_over,
    tensors_of,
)
from oddville_training.learning.selfplay.positions import Positions, load, make_positions, save, trimmed
from oddville_training.learning.selfplay.games import play_quickly
from oddville_training.learning.selfplay.rows import Rows, make_rows
from oddville_training.learning.selfplay.search_games import Play, play_search
from oddville_training.program import meter, run

QUICK_PART, SEARCH_PART = 2000, 200  # games of a part
QUICK_ROOM, SEARCH_ROOM = 40, 160  # positions of a game, on average at most, for each seat
NUMBERS = 1_000_000  # numbers of games that a round has for its own


class RoundError(OddVilleError):
    """A folder that holds another run."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run is made of."""

    players: int = 2
    seed: int = 0
    greedy_games: int = 30_000
    quick_rounds: int = 3
    quick_games: int = 15_000  # in each of them
    rounds: int = 3  # of search
    games: int = 4_000  # in each of them
    sims: int = 80
    window: int = 2  # rounds that a fit looks back over
    last: float = 0.85  # lambda of TD(lambda): how much of a target comes from what followed
    visited: int = 8  # visits that a move not played needs for being a row
    rows: int = 1_500_000  # of a round, at most
    epochs: int = 3


def learn(folder: Path, plan: Plan, progress: bool = True) -> Path:
    """Go on with a run until its last round is done; returns the newest network's file. Raises RoundError."""
    check_plan(folder, asdict(plan))
    box = make_box(plan.players)
    console = Console(stderr=True, quiet=not progress)
    last = plan.quick_rounds + plan.rounds
    for number in range(last + 1):
        report = _round(folder, number) / "report.json"
        if not report.exists():
            _gather(box, folder, plan, number, progress)
            _fit(box, folder, plan, number, console)
    return _network(folder, plan, last)


def check_plan(folder: Path, plan: dict[str, Any]) -> None:
    """The folder is new, or its plan is this one but for the number of rounds. Raises RoundError."""
    path = folder / "plan.json"
    if not path.exists():
        with written_whole(path) as file:
            json.dump(plan, file, indent=1)
    stored = json.loads(path.read_text())
    changed = [name for name, value in plan.items() if name != "rounds" and stored.get(name) != value]
    if changed:
        raise RoundError(f"{folder} holds a run with other settings: {', '.join(changed)}")


def _round(folder: Path, number: int) -> Path:
    return folder / f"round-{number}"


def _network(folder: Path, plan: Plan, number: int) -> Path:
    return _round(folder, number) / f"{plan.players}.safetensors"


def _games(plan: Plan, number: int) -> tuple[int, int]:
    """How many games a round has, and each of its parts."""
    if number == 0:
        return plan.greedy_games, QUICK_PART
    return (plan.quick_games, QUICK_PART) if number <= plan.quick_rounds else (plan.games, SEARCH_PART)


def _parts(folder: Path, plan: Plan, number: int) -> list[Path]:
    return [_round(folder, number) / f"games-{first:07}.npz" for first in range(0, *_games(plan, number))]


def _oldest(plan: Plan, number: int) -> int:
    """The first round that a fit looks back to: of the same kind, within the window."""
    begin = 0 if number == 0 else 1 if number <= plan.quick_rounds else plan.quick_rounds + 1
    return max(begin, number - plan.window + 1)


def _gather(box: Box, folder: Path, plan: Plan, number: int, progress: bool) -> None:
    """Play the games of a round that are not there."""
    paths = _parts(folder, plan, number)
    games, part = _games(plan, number)
    seeds = game_seeds(plan.seed * NUMBERS + number, games)
    with meter("parts", progress) as shown:
        for index, path in enumerate(shown.track(paths, description=f"round {number}: games")):
            if not path.exists():
                first = index * part
                save(path, _play(box, folder, plan, number, seeds[first : first + part], number * NUMBERS + first))


def _play(box: Box, folder: Path, plan: Plan, number: int, seeds: np.ndarray, first: int) -> Positions:
    """The games of a part."""
    network = read_network(_network(folder, plan, number - 1)) if number else None
    evaluator = make_evaluator(weight_set("search", plan.players), network)
    if number <= plan.quick_rounds:
        positions = make_positions(box, len(seeds) * QUICK_ROOM * plan.players, 3)
        play_quickly(box, weight_set("tuned", plan.players), evaluator, seeds, first, positions)
    else:
        positions = make_positions(box, len(seeds) * SEARCH_ROOM * plan.players)
        play_search(box, evaluator, evaluator, seeds, first, positions, Play(plan.sims), Settings())
    return trimmed(positions)


def rows_of(box: Box, paths: list[Path], plan: Plan, rng: np.random.Generator) -> Rows:
    """The rows of many files."""
    weights = weight_set("search", plan.players)
    most = plan.rows // len(paths)
    parts = [make_rows(box, weights, load(path, box), plan.last, plan.visited, most, rng) for path in paths]
    return Rows(*(np.concatenate([getattr(part, name) for part in parts]) for name in Rows._fields))


def _fit(box: Box, folder: Path, plan: Plan, number: int, console: Console) -> None:
    """Fit to the last rounds' rows, from the network before; write network and report."""
    start = time.perf_counter()
    paths = [path for past in range(_oldest(plan, number), number + 1) for path in _parts(folder, plan, past)]
    rows = rows_of(box, paths, plan, np.random.default_rng(plan.seed + number))
    network = new_network(rows.own, rows.shared, plan.seed)
    back = np.flatnonzero(rows.games % HELD_BACK == 0)
    report: dict[str, Any] = {"round": number, "rows": len(rows.games), "formula": judged(network, rows, back)}
    if number:
        take_over(network, read_network(_network(folder, plan, number - 1)))
        report["before"] = judged(network, rows, back)
    for epoch, loss in fit(network, rows, Fit(epochs=plan.epochs), plan.seed + number):
        report["after"] = loss
        console.print(f"round {number}, epoch {epoch}: loss {loss:.4f}, of the formula {report['formula']:.4f}")
    report["seconds"] = round(time.perf_counter() - start, 1)
    write_network(_network(folder, plan, number), tensors_of(network), {**asdict(plan), **report})
    with written_whole(_round(folder, number) / "report.json") as file:
        json.dump(report, file, indent=1)


def command(
    folder: Annotated[Path, typer.Option(help="Keep the run in this folder; go on with it if it is there.")],
    players: Annotated[int, typer.Option(help="How many play: 2, 3 or 4.")] = Plan.players,
    greedy_games: Annotated[int, typer.Option(help="Games of greedy.")] = Plan.greedy_games,
    quick_rounds: Annotated[int, typer.Option(help="Rounds of looking one move ahead.")] = Plan.quick_rounds,
    quick_games: Annotated[int, typer.Option(help="Games in each of them.")] = Plan.quick_games,
    rounds: Annotated[int, typer.Option(help="Rounds of search, after those.")] = Plan.rounds,
    games: Annotated[int, typer.Option(help="Games of search in each of them.")] = Plan.games,
    sims: Annotated[int, typer.Option(help="Iterations for each of their moves.")] = Plan.sims,
    rows: Annotated[int, typer.Option(help="Rows that a round is fitted to, at most.")] = Plan.rows,
    epochs: Annotated[int, typer.Option(help="How often each is looked at.")] = Plan.epochs,
    seed: Annotated[int, typer.Option(help="Seed of games and fits.")] = Plan.seed,
) -> None:
    """Learn a value from nothing, round by round; stop it whenever you like, it goes on where it was."""
    plan = Plan(
        players=players,
        seed=seed,
        greedy_games=greedy_games,
        quick_rounds=quick_rounds,
        quick_games=quick_games,
        rounds=rounds,
        games=games,
        sims=sims,
        rows=rows,
        epochs=epochs,
    )
    for name, value in asdict(plan).items():
        if isinstance(value, int):
            whole_number(name, value, 0 if name in ("seed", "rounds", "quick_rounds") else 1)
    typer.echo(learn(folder, plan))


if __name__ == "__main__":
    run(command)
