"""`perft`, `tables`, `bench`: the rules and the encodings, counted, printed and timed."""

import time
from typing import Annotated

import typer
from rich.table import Table

from oddville_env.cli.options import JsonOut, Players, Seed, Settings
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game_type import GameType
from oddville_env.core.parts.perft import count_lines

DEEPEST = 12
ROUND = 100  # figures from here on are shown without decimals


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (perft, tables, bench):
        app.command()(command)


def perft(
    game_type: GameType,
    depth: Annotated[int, typer.Option(help="How many moves deep.")] = 5,
    players: Players = 2,
    seed: Seed = 0,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Count the lines of legal moves from a deal, for each depth up to the one asked for."""
    whole_number("depth", depth, 1, DEEPEST)
    game = game_type.game(players, seed, **settings)
    for reached in range(1, depth + 1):
        start = time.perf_counter()
        lines = count_lines(game, reached)
        typer.echo(f"depth {reached}: {lines:,} lines in {time.perf_counter() - start:.2f} s")


def tables(
    game_type: GameType, name: Annotated[str, typer.Argument(help="Its name; any other name tells which there are.")]
) -> None:
    """Print a table of the documentation: moves, observations, state, rules."""
    known = game_type.tables
    if name not in known:
        raise SettingError(f"there is no table {shown(name)}, expected {', '.join(known)}")
    typer.echo(known[name]())


def bench(
    game_type: GameType,
    quick: Annotated[bool, typer.Option("--quick", help="Only what takes half a minute.")] = False,
    json_out: JsonOut = None,
) -> None:
    """Measure how fast everything is on this machine: CPU time, one core, the median of several runs."""
    from oddville_env.cli.commands.bench import figures
    from oddville_env.core.machine import machine

    check_out(json_out)
    found = []
    with terminal(err=True).status("measuring") as status:
        for figure in figures(game_type, quick):
            found.append(figure)
            status.update(f"measured: {figure.what}")
    where = machine()
    table = Table(title=", ".join(f"{name} {value}" for name, value in where.items()), title_justify="left")
    for column in ("what", "median", "least", "most", "unit"):
        table.add_column(column, justify="left" if column in ("what", "unit") else "right")
    for figure in found:
        values = (figure.median, min(figure.runs), max(figure.runs))
        shown = [f"{value:,.{0 if value >= ROUND else 2}f}" for value in values]
        table.add_row(figure.what, *shown, figure.unit)
    terminal(json_out).print(table)
    if json_out is not None:
        write_json(json_out, {"machine": where, "figures": [figure.as_json() for figure in found]})
