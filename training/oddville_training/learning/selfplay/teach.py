"""`python -m oddville_training.learning.selfplay.teach`: `champion` learns what search would do.

Lesson 0 is what the last round of a run found, and the student begins as that round's network. In every further lesson
the student plays and search says of each position what it would do there (DAgger, Ross et al. 2011); the student is
fitted to all lessons so far. It goes on where it was stopped, as `run` does.
"""

import json
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
from oddville_env.core.files import written_whole
from oddville_env.core.seeds import game_seeds
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.settings import make_box
from oddville_training.learning.selfplay.distill import Choices, Student, fit, joined, make_choices
from oddville_training.learning.selfplay.fit import Fit, new_network, take_over, tensors_of
from oddville_training.learning.selfplay.positions import load, make_positions, save, trimmed
from oddville_training.learning.selfplay.run import SEARCH_PART, SEARCH_ROOM, check_plan
from oddville_training.learning.selfplay.search_games import Play, play_search
from oddville_training.program import meter, run

SEEDS = 7_000_000  # lessons are other games than those of the run


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """What a student is taught."""

    players: int = 2
    seed: int = 0
    rounds: int = 2  # after lesson 0
    games: int = 600  # in each of them
    sims: int = 100  # iterations for saying what it would do
    student: float = 0.9  # part of the moves that the student chooses
    choices: int = 60_000  # positions of a lesson that it is fitted to, at most
    epochs: int = 3


def teach(folder: Path, found: Path, lessons: Lessons, progress: bool = True) -> Path:
    """Go on with the lessons in a folder; `found` is a round's folder. Returns the newest student's file."""
    check_plan(folder, asdict(lessons))
    box, console = make_box(lessons.players), Console(stderr=True, quiet=not progress)
    teacher = found / f"{lessons.players}.safetensors"
    for number in range(lessons.rounds + 1):
        if not (_lesson(folder, number) / "report.json").exists():
            if number:
                _ask(box, folder, teacher, lessons, number, progress)
            _fit(box, folder, found, lessons, number, console)
    return _student(folder, lessons, lessons.rounds)


def _lesson(folder: Path, number: int) -> Path:
    return folder / f"lesson-{number}"


def _student(folder: Path, lessons: Lessons, number: int) -> Path:
    return _lesson(folder, number) / f"{lessons.players}.safetensors"


def _parts(folder: Path, found: Path, lessons: Lessons, number: int) -> list[Path]:
    if number == 0:
        return sorted(found.glob("games-*.npz"))
    return [_lesson(folder, number) / f"games-{first:07}.npz" for first in range(0, lessons.games, SEARCH_PART)]


def _ask(box: Box, folder: Path, teacher: Path, lessons: Lessons, number: int, progress: bool) -> None:
    """Play the games of a lesson that are not there."""
    weights = weight_set("search", lessons.players)
    student = make_evaluator(weights, read_network(_student(folder, lessons, number - 1)))
    play = Play(lessons.sims, student=lessons.student)
    seeds = game_seeds(SEEDS + lessons.seed + number, lessons.games)
    with meter("parts", progress) as shown:
        parts = _parts(folder, Path(), lessons, number)
        for index, path in enumerate(shown.track(parts, description=f"lesson {number}: games")):
            if not path.exists():
                some = seeds[index * SEARCH_PART : (index + 1) * SEARCH_PART]
                positions = make_positions(box, len(some) * SEARCH_ROOM * lessons.players)
                of_teacher = make_evaluator(weights, read_network(teacher))
                first = SEEDS + number * lessons.games + index * SEARCH_PART
                play_search(box, of_teacher, student, some, first, positions, play, Settings())
                save(path, trimmed(positions))


def choices_of(box: Box, paths: list[Path], most: int, rng: np.random.Generator) -> Choices:
    """The choices in many files."""
    weights = weight_set("search", box.players)
    return joined([make_choices(box, weights, load(path, box), most // len(paths), rng) for path in paths])


def _fit(box: Box, folder: Path, found: Path, lessons: Lessons, number: int, console: Console) -> None:
    """Fit to all lessons so far, from the student before; write student and report."""
    rng = np.random.default_rng(lessons.seed + number)
    parts = [_parts(folder, found, lessons, past) for past in range(number + 1)]
    choices = joined([choices_of(box, paths, lessons.choices, rng) for paths in parts])
    before = _student(folder, lessons, number - 1) if number else found / f"{lessons.players}.safetensors"
    network = new_network(choices.own, choices.shared, lessons.seed)
    take_over(network, read_network(before))
    report: dict[str, Any] = {"lesson": number, "choices": len(choices.movers)}
    how = Fit(epochs=lessons.epochs, batch=128, rate=1e-3)
    for epoch, loss, right in fit(Student(network), choices, how, lessons.seed + number):
        report |= {"loss": loss, "agrees": right}
        console.print(f"lesson {number}, epoch {epoch}: loss {loss:.4f}, agrees with search on {right:.1%}")
    write_network(_student(folder, lessons, number), tensors_of(network), {**asdict(lessons), **report})
    with written_whole(_lesson(folder, number) / "report.json") as file:
        json.dump(report, file, indent=1)


def command(
    folder: Annotated[Path, typer.Option(help="Keep the lessons in this folder; go on with them if they are there.")],
    found: Annotated[Path, typer.Option(help="The folder of a run's last round: its games and its network.")],
    players: Annotated[int, typer.Option(help="How many play: 2, 3 or 4.")] = Lessons.players,
    rounds: Annotated[int, typer.Option(help="Lessons in which the student plays.")] = Lessons.rounds,
    games: Annotated[int, typer.Option(help="Games in each of them.")] = Lessons.games,
    sims: Annotated[int, typer.Option(help="Iterations of search for each position.")] = Lessons.sims,
    choices: Annotated[int, typer.Option(help="Positions of a lesson, at most.")] = Lessons.choices,
    epochs: Annotated[int, typer.Option(help="How often each is looked at.")] = Lessons.epochs,
    seed: Annotated[int, typer.Option(help="Seed of games and fits.")] = Lessons.seed,
) -> None:
    """Teach a student what search would do, lesson by lesson; stop it whenever you like, it goes on where it was."""
    lessons = Lessons(players=players, seed=seed, rounds=rounds, games=games, sims=sims, choices=choices, epochs=epochs)
    for name in ("games", "sims", "choices", "epochs"):
        whole_number(name, getattr(lessons, name), 1)
    typer.echo(teach(folder, found, lessons))


if __name__ == "__main__":
    run(command)
