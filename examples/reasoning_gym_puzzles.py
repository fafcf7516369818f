"""Reasoning Gym: Old Town's puzzles as a data set class.

    python examples/reasoning_gym_puzzles.py --level hard --size 3

After `import reasoning_gym_puzzles`, `reasoning_gym.create_dataset("oldtown_puzzles", level="hard")` makes one.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import reasoning_gym
import typer
from common import Seed
from reasoning_gym.factory import ProceduralDataset, register_dataset

from oddville_env.oldtown.solo.dataset import entries, score
from oddville_env.oldtown.solo.generator import LEVELS

NAME = "oldtown_puzzles"


@dataclass
class PuzzleConfig:
    """The settings of a data set. hide_mine: leave out which buildings are own."""

    level: str = "easy"
    hide_mine: bool = False
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise AssertionError for settings that cannot be."""
        assert self.level in LEVELS, f"level must be one of {', '.join(LEVELS)}"
        assert self.size > 0, "size must be above 0"


class PuzzleDataset(ProceduralDataset):
    """Puzzles with one solution; the metadata hold the proof in sentences."""

    def __init__(self, config: PuzzleConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return a puzzle, the same one for the same seed and index."""
        entry = next(entries(self.config.level, self.seed + index, self.config.hide_mine))
        metadata = {"source_dataset": NAME, "source_index": index, "entry": entry}
        return {"question": entry["question"], "answer": entry["answer"], "metadata": metadata}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return the share of lots that are right."""
        return score(answer, entry["metadata"]["entry"])


register_dataset(NAME, PuzzleDataset, PuzzleConfig)


def main(
    level: Annotated[str, typer.Option(help="easy, medium or hard.")] = "easy",
    size: Annotated[int, typer.Option(help="Puzzles of the data set.")] = 3,
    seed: Seed = 0,
) -> None:
    """Make a data set, and score the right answers and empty ones."""
    puzzles = reasoning_gym.create_dataset(NAME, level=level, size=size, seed=seed)
    right = sum(puzzles.score_answer(puzzle["answer"], puzzle) for puzzle in puzzles) / size
    empty = sum(puzzles.score_answer("", puzzle) for puzzle in puzzles) / size
    typer.echo(f"{size} puzzles: score {right:.2f} of the right answers, {empty:.2f} of empty ones")


if __name__ == "__main__":
    typer.run(main)
