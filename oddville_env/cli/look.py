"""`oddville perft`, `tables`, `bench`: the rules and the encodings, counted, printed and timed."""

import time
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.table import Table

from oddville_env.cli.options import GAME, JsonOut, Players, Seed, with_settings
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.oddville.perft import perft as count_lines
from oddville_env.oddville.printed import TABLES

DEEPEST = 12
ROUND = 100  # figures from here on are shown without decimals


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (with_settings(perft), tables, bench):
        app.command()(command)


def perft(
    depth: Annotated[int, typer.Option(help="How many moves deep.")] = 5,
    players: Players = 2,
    seed: Seed = 0,
    settings: Mapping[str, Any] = {},
) -> None:
    """Count the lines of legal moves from a deal, for each depth up to the one asked for."""
    whole_number("depth", depth, 1, DEEPEST)
    game = GAME.game(players, seed, **settings)
    for reached in range(1, depth + 1):
        start = time.perf_counter()
        lines = count_lines(game, reached)
        typer.echo(f"depth {reached}: {lines:,} lines in {time.perf_counter() - start:.2f} s")


def tables(name: Annotated[str, typer.Argument(help="One of " + ", ".join(TABLES))]) -> None:
    """Print a table of the documentation: moves, observations, state, rules."""
    if name not in TABLES:
        raise SettingError(f"there is no table {shown(name)}, expected {', '.join(TABLES)}")
    typer.echo(TABLES[name]())


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Only what takes half a minute.")] = False,
    json_out: JsonOut = None,
) -> None:
    """Measure how fast everything is on this machine: CPU time, one core, the median of several runs."""
    from oddville_env.cli.bench import figures
    from oddville_env.core.machine import machine

    check_out(json_out)
    found = []
    with terminal(err=True).status("measuring") as status:
        for figure in figures(quick):
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
