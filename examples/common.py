"""What the examples share: options of the command line, and the learning curve."""

import csv
import time
from pathlib import Path
from typing import Annotated, Any

import typer

GameName = Annotated[str, typer.Option("--game", help="oddville or oldtown.")]
Opponents = Annotated[str, typer.Option(help="Agent in the other seats.")]
Seed = Annotated[int, typer.Option(help="Seed of deals, weights and choices.")]
Device = Annotated[str, typer.Option(help="Device of torch: cpu, cuda, mps.")]
CurveFile = Annotated[Path | None, typer.Option("--curve", help="CSV file for the learning curve.")]
Steps = Annotated[int, typer.Option(help="Decisions to learn from.")]
Minutes = Annotated[float, typer.Option(help="CPU minutes of learning.")]
Games = Annotated[int, typer.Option(help="Games against each opponent afterwards.")]


def seed_torch(seed: int) -> None:
    """Seed torch and give it one thread: for networks this small more threads are slower."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)


def play_against(opponents: list[str], agent: Any, games: int, seed: int, game: str) -> None:
    """Print how often an agent wins games of two against each opponent."""
    from oddville_agents import make_agent
    from oddville_env.core.game.game_type import game_type
    from oddville_training.tournament.evaluate import evaluate

    for result in evaluate(make_agent(agent), opponents, games, 2, seed + 1, game=game_type(game)).against:
        typer.echo(f"against {result.opponent}: {result.wins:.1%} ({result.low:.1%} to {result.high:.1%})")


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
