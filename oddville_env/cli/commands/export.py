"""`export`: an agent's network as a file for other languages. It finds `oddville_agents` at run time."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.output import check_out, is_standard_output, out_file
from oddville_env.core.game.game_type import GameType


def export(
    game_type: GameType,
    agent: Annotated[str, typer.Argument(help="The agent: a model, champion, or champion:network=FILE.")],
    out: Annotated[Path, typer.Option(help="The ONNX file; - is standard output.")],
) -> None:
    """Write the network that an agent plays by as an ONNX file (extra `onnx`)."""
    check_out(out)
    plain = import_module("oddville_agents.networks.graph").export(agent, game_type.name)
    with out_file(out, "wb") as file:
        file.write(plain)
    if not is_standard_output(out):
        typer.echo(f"the network is {out}")
