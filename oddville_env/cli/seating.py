"""Agents at a table, as commands name them."""

from collections.abc import Sequence
from typing import Any

from oddville_env.cli.options import Settings
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents
from oddville_env.envs.live_game import LiveGame


def seated_by(game_type: GameType, specs: Sequence[str]) -> list[Any]:
    """An agent for each seat; the agents' package is found at run time."""
    least, most = game_type.players[0], game_type.players[-1]
    if len(specs) not in game_type.players:
        raise SettingError(f"--agents must name {least} to {most} agents, not {len(specs)}")
    return [find_agents().make_agent(spec, game_type.name) for spec in specs]


def live_game(game_type: GameType, players: int, settings: Settings) -> LiveGame:
    """A table of these settings."""
    return LiveGame(game_type, game_type.box(game_type.settings(players, **settings)))
