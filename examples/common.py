"""What the examples share: options of the command line, and the learning curve."""

import csv
import time
from pathlib import Path
from typing import Annotated

import typer

GameName = Annotated[str, typer.Option("--game", help="oddville or oldtown.")]
Opponents = Annotated[str, typer.Option(help="Agent in the other seats.")]
Seed = Annotated[int, typer.Option(help="Seed of deals, weights and choices.")]
Device = Annotated[str, typer.Option(help="Device of torch: cpu, cuda, mps.")]
CurveFile = Annotated[Path | None, typer.Option("--curve", help="CSV file for the learning curve.")]
Minutes = Annotated[float, typer.Option(help="CPU minutes of learning.")]
Games = Annotated[int, typer.Option(help="Games against each opponent afterwards.")]


def seed_torch(seed: int) -> None:
    """Seed torch and give it one thread: for networks this small more threads are slower."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)


class Curve:
    """A learning curve: a line on the terminal and a row of a CSV file for each measurement."""

    def __init__(self, path: Path | None = None) -> None:
        """path: of the CSV file; None writes no file."""
        self._path, self._begun, self._mode = path, time.process_time(), "w"

    def add(self, decisions: int, **measured: float) -> None:
        """Add a measurement: the number of decisions learned from, and other numbers by name."""
        seconds = time.process_time() - self._begun
        numbers = ", ".join(f"{name.replace('_', ' ')} {number:.3g}" for name, number in measured.items())
        typer.echo(f"{decisions:,} decisions, {decisions / seconds:,.0f} a second of CPU, {numbers}")
        if self._path is not None:
            row = {"decisions": decisions, "cpu_seconds": round(seconds, 2), **measured}
            with self._path.open(self._mode, newline="") as file:
                writer = csv.DictWriter(file, row)
                if self._mode == "w":
                    writer.writeheader()
                writer.writerow(row)
            self._mode = "a"
