"""`export`: the network of an agent as an ONNX file."""

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import argument, option
from oddville_env.cli.output import check_out, is_standard_output, out_file
from oddville_env.core.game.game_type import GameType


def export(
    game_type: GameType,
    agent: Annotated[str, argument("Agent with a network: a model file, champion, or champion:network=FILE.")],
    out: Annotated[Path, option("ONNX file to write; - is standard output.")],
) -> None:
    """Export the network of an agent as an ONNX file (extra `onnx`)."""
    check_out(out)
    plain = import_module("oddville_agents.networks.graph").export(agent, game_type.name)
    with out_file(out, "wb") as file:
        file.write(plain)
    if not is_standard_output(out):
        typer.echo(f"the network is {out}")
