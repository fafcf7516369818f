"""`agents`: the agents of a game and their options."""

from oddville_env.cli.options import JsonOut
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents


def agents(game_type: GameType, json_out: JsonOut = None) -> None:
    """List the built-in and installed agents with their options."""
    check_out(json_out)
    found = find_agents("roster").listed(game_type.name)
    console = terminal(json_out)
    for agent in found:
        console.print(agent.name, style="bold")
        console.print(f"  {agent.what}", soft_wrap=True)
        for option in agent.options:
            usual = "" if option.default in (None, "") else f"={option.default}"
            console.print(f"  :{option.name}{usual}  {option.text} ({option.kind.expected})", soft_wrap=True)
        console.print(f"  {agent.home}", soft_wrap=True, style="dim")
    also = "also package.module:Class, ./file.py:Class and ./model.safetensors, each with :key=value,key=value"
    console.print(also, soft_wrap=True)
    if json_out is not None:
        write_json(json_out, [agent.plain() for agent in found])
