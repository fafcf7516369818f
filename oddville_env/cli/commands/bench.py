"""`bench`: the speed of the engine on this machine."""

from typing import Annotated

from rich.table import Table

from oddville_env.cli.options import JsonOut, option
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.game.game_type import GameType

ROUND = 100  # figures from here on are shown without decimals


def bench(
    game_type: GameType,
    quick: Annotated[bool, option("Skip the slow measurements; takes half a minute.", "--quick")] = False,
    json_out: JsonOut = None,
) -> None:
    """Measure the speed of the engine and environments: CPU time on one core, median of several runs."""
    from oddville_env.cli.figures import figures
    from oddville_env.core.system.machine import machine

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
