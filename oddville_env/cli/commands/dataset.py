"""`dataset`: recorded games as a data set for offline learning."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, TextColumn

from oddville_env.cli.options import NONE, File, Settings, option, training_module
from oddville_env.cli.output import check_out, terminal
from oddville_env.core.disk.reading import numbered_lines
from oddville_env.core.errors import RecordError
from oddville_env.core.game.game_type import GameType


def dataset(
    game_type: GameType,
    file: File,
    out: Annotated[Path, option("File to write: .parquet, .npz, or .minari for a Minari folder.")],
    encoding: Annotated[str, option("Encoding of the observations.", default="that of the game")] = "",
    reward: Annotated[str, option("Reward of the last decision: outcome, rank or margin.")] = "outcome",
    data: Settings = NONE,
) -> None:
    """Write the decisions of recorded games as observation, mask, action and reward (extra `data`)."""
    module = training_module("data sets need", "data", "dataset.write")
    module.check_name(out)
    check_out(out)
    with Progress(TextColumn("{task.completed} games"), console=terminal(err=True), transient=True) as shown:
        task = shown.add_task("")
        seen = encoding or game_type.encodings[0]
        records = numbered_lines(file, RecordError)
        games, decisions = module.write(
            file, records, out, game_type, seen, reward, data, lambda done: shown.update(task, completed=done)
        )
    typer.echo(f"{decisions} decisions of {games} games are in {out}")
