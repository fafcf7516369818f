"""Wrappers and conversions of PettingZoo and SuperSuit over the AEC environments."""

from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec, turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import MultiEpisodeEnv

import oddville_env

pytestmark = pytest.mark.filterwarnings("ignore")
DECISIONS = 30
every_game = pytest.mark.parametrize("game", ["oddville", "oldtown"])


def made(game: str, **settings: Any) -> AECEnv:
    env: AECEnv = getattr(oddville_env, f"{game}_v0").env(players=2, **settings)
    return env


def play_on(env: AECEnv) -> None:
    """Play first legal moves: no game ends so soon, unless a move was illegal."""
    env.reset(seed=3)
    for _ in range(DECISIONS):
        seen, _, terminated, truncated, info = env.last()
        over = terminated or truncated
        assert not over, "the game ended"
        assert env.observation_space(env.agent_selection).contains(seen), "the observation lies in its space"
        mask = info["action_mask"] if "action_mask" in info else seen["action_mask"]
        env.step(int(mask.argmax()))  # any action, for a waiting seat


def supersuit(name: str, *arguments: Any, floats: bool = False) -> Any:
    """A wrapper of SuperSuit over observations that are arrays, converted to floats first where it needs them."""

    def check(game: str) -> None:
        package = pytest.importorskip("supersuit", reason="SuperSuit is not installed")
        env = made(game, mask_in="info")
        play_on(getattr(package, name)(package.dtype_v0(env, np.float32) if floats else env, *arguments))

    return check


def reshaped(game: str) -> None:
    size = made(game, mask_in="info").observation_space("player_0").shape[0]
    supersuit("reshape_v0", (size, 1))(game)


def all_at_once(game: str) -> None:
    env = turn_based_aec_to_parallel(made(game))
    observations, _ = env.reset(seed=3)
    for _ in range(DECISIONS):
        chosen = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
        observations, _, terminations, *_ = env.step(chosen)
        assert not any(terminations.values()), "the game ended"


CHECKED: dict[str, Any] = {
    "turn_based_aec_to_parallel": all_at_once,
    "parallel_to_aec": lambda game: play_on(parallel_to_aec(turn_based_aec_to_parallel(made(game)))),
    "aec_to_parallel": lambda game: aec_to_parallel(made(game)),
    "MultiEpisodeEnv": lambda game: play_on(MultiEpisodeEnv(made(game, mask_in="info"), 2)),
    "reshape_v0": reshaped,
    "normalize_obs_v0": supersuit("normalize_obs_v0", floats=True),
    **{
        name: supersuit(name, *arguments)
        for name, *arguments in (
            ("dtype_v0", np.float32), ("frame_stack_v1", 2), ("flatten_v0",), ("agent_indicator_v0",),
            ("frame_skip_v0", 2), ("sticky_actions_v0", 0.5), ("nan_noop_v0", 0), ("clip_reward_v0", -1, 1),
            ("black_death_v3",), ("pad_observations_v0",), ("pad_action_space_v0",), ("delay_observations_v0", 1),
            ("max_observation_v0", 2),
        )
    },
}  # fmt: skip
CANNOT = {
    "aec_to_parallel": "seats move one after the other: use turn_based_aec_to_parallel",
    "frame_skip_v0": "it repeats a move, which is seldom legal",
    "sticky_actions_v0": "it repeats a move, which is seldom legal",
    "black_death_v3": "it is for seats that move at the same time",
    "agent_indicator_v0": "it adds the number 255, which lies outside its space",
}
"""Conversions that do not work, and why."""
CONVERSIONS = [
    pytest.param(name, marks=[pytest.mark.xfail(strict=True, reason=CANNOT[name])] if name in CANNOT else [])
    for name in CHECKED
]


@every_game
@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_conversion_keeps_the_game_playable(conversion: str, game: str) -> None:
    CHECKED[conversion](game)
