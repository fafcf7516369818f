"""`watch`: a game between agents, shown in the terminal."""

import time
from typing import Annotated

from oddville_env.cli.commands.simulate import live_game, seated_by
from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import NONE, Seed, Settings, option
from oddville_env.cli.output import terminal
from oddville_env.cli.screen import Screen
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.seeds import check_seed
from oddville_env.core.system.lazy_packages import find_agents
from oddville_env.envs.live_game import LiveGame

LONGEST_DELAY = 60  # seconds

Watched = Annotated[list[str] | None, option("Agent of each seat.", "--agents", default="two strong ones")]


def watch(
    game_type: GameType,
    agents: Watched = None,
    seed: Seed = 0,
    delay: Annotated[float, option("Seconds between moves.")] = 1.0,
    settings: Settings = NONE,
) -> None:
    """Watch agents play in the terminal."""
    if not 0 <= delay <= LONGEST_DELAY:
        raise SettingError(f"delay must be from 0 to {LONGEST_DELAY} seconds, not {shown(delay)}")
    usual = find_agents().roster_of(game_type.name).measured_against[-1:] * 2
    seated = seated_by(game_type, specs_of(agents or usual))
    live = live_game(game_type, len(seated), settings)
    screen = Screen(game_type, terminal())

    def show(said: str) -> None:
        screen.show(game_type.position(live.box, live.state, 0, None), live.box, said)
        time.sleep(delay)

    def before(live: LiveGame, action: int) -> None:
        show(f"seat {live.to_move} ({seated[live.to_move].name}): {game_type.words(live.box.layout)[action]}")

    outcome = find_agents("play.loop").play(live, seated, check_seed(seed), before)
    won = " and ".join(f"seat {seat}" for seat in outcome.winners)
    show(f"{won} {'wins' if len(outcome.winners) == 1 else 'win'}, scores {list(outcome.scores)}")
