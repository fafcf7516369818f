"""`agents`: those that a spec may name."""

from importlib import import_module

from oddville_env.cli.options import JsonOut
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.above import find_agents
from oddville_env.core.errors import OddVilleError
from oddville_env.core.game_type import GameType


def agents(game_type: GameType, json_out: JsonOut = None) -> None:
    """List the agents that a spec may name."""
    check_out(json_out)
    built_in = find_agents().built_in(game_type.name)
    found = [{"name": name, "what": _described(home), "class": home} for name, home in built_in.items()]
    console = terminal(json_out)
    for agent in found:
        console.print(agent["name"], style="bold")
        console.print(f"  {agent['what']}", soft_wrap=True)
        console.print(f"  {agent['class']}", soft_wrap=True, style="dim")
    also = "also package.module:Class, ./file.py:Class and ./model.safetensors, each with :key=value,key=value"
    console.print(also, soft_wrap=True)
    if json_out is not None:
        write_json(json_out, found)


def _described(home: str) -> str:
    """The first line of what a class says of itself; a plug-in may be broken."""
    module, _, found = home.rpartition(":")
    try:
        with find_agents("player").faults_of(home, "when it was imported"):
            return (getattr(import_module(module), found).__doc__ or "it says nothing of itself").splitlines()[0]
    except OddVilleError as error:
        return f"cannot be loaded ({getattr(error, 'reason', error)})"
