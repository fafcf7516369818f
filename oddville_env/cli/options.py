"""What several commands share: options, and the way to the packages that need an extra."""

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from oddville_env.core.errors import SettingError

Players = Annotated[int, typer.Option(help="How many play: 2, 3 or 4.")]
Seed = Annotated[int, typer.Option(help="Seed of the deal; of several games the k-th has seed + k.")]
Games = Annotated[int, typer.Option(help="How many games.")]
Columns = Annotated[tuple[int, int], typer.Option("--table", help="Columns and lines of the table.")]
Rounds = Annotated[int, typer.Option("--max-rounds", help="Cut a game off after so many rounds.")]
CardFolder = Annotated[Path | None, typer.Option("--cards", help="A folder with a card set of your own.")]
File = Annotated[Path, typer.Argument(help="A file of records, one a line.")]
Index = Annotated[int, typer.Option(help="Which game of the file, from 0.")]


class ManyValues(TyperCommand):
    """A command whose option --against takes all words up to the next option."""

    def parse_args(self, ctx, args):  # type: ignore[no-untyped-def]
        """`--against a b` becomes `--against a --against b`."""
        spread, taking = [], False
        for word in args:
            if word.startswith("-"):
                taking = word == "--against"
                spread += [] if taking else [word]
            else:
                spread += ["--against", word] if taking else [word]
        return super().parse_args(ctx, spread)


def split_specs(text: str) -> list[str]:
    """`greedy,search:ms=50,threads=2` -> [greedy, search:ms=50,threads=2]: a bare key=value belongs to its agent."""
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part and ":" not in part:
            specs[-1] += f",{part}"
        else:
            specs.append(part.strip())
    return specs


def training_module(needy: str, extra: str, module: str) -> Any:
    """A module of `oddville_training`; raises SettingError where the extra is not installed that somebody needs."""
    try:
        return import_module(f"oddville_training.{module}")
    except ImportError as error:
        raise SettingError(f"{needy} the extra {extra}: pip install 'oddville-env[{extra}]' ({error})") from None
