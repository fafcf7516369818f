"""Facts about the environments of RL libraries."""

from importlib import import_module
from typing import Any

import gymnasium
import numpy as np

from frozen.doors import SB3, SELF_PLAY, Digest, Fact, chosen, hash_of, here
from frozen.games import REWARDS, dealt
from oddville_env import oddville_v0


def aec() -> Fact:
    """Two games in PettingZoo's wrappers, the second one dealt without a seed; hidden orders; an illegal action."""
    told: Fact = {}
    for players, reward in zip((2, 3, 4), REWARDS, strict=True):
        env, seen = oddville_v0.env(players=players, reward=reward, max_rounds=12), Digest()
        for seed in (players, None):
            env.reset(seed=seed)
            for number, agent in enumerate(env.agent_iter()):
                observation, paid, terminated, truncated, info = env.last()
                seen.add(agent, observation["observation"], observation["action_mask"])
                seen.add(paid, terminated, truncated, {name: info[name] for name in info if name != "action_mask"})
                over = terminated or truncated
                env.step(None if over else chosen(observation["action_mask"], number))
        env.reset(seed=players, options={"deck": list(range(64)), "first": 1})
        told[f"{players} players"] = {"seen": str(seen), "given": dealt(env.unwrapped.game.record())[1:]}
        env.step(int(env.last()[0]["action_mask"].argmin()))
        told[f"{players} players"]["illegal"] = [env.rewards, env.terminations]
    return told


ONE_SEAT: dict[str, dict[str, Any]] = {
    "random": {"opponents": "random", "players": 2},
    "greedy, ids": {"opponents": "greedy", "players": 2, "encoding": "ids", "reward": "rank"},
    "mixed": {"opponents": ["greedy:weights=simple", "random"], "players": 3, "seat": 1, "reward": "margin"},
    "four": {"opponents": "random", "players": 4, "table": (5, 3), "max_rounds": 6},
    "search": {"opponents": "search:sims=20", "players": 2, "max_rounds": 8},
    "mine": {"opponents": ["./mine.py:Lucky", "./mine.py:Thinker", "./mine.py:first"], "players": 4, "max_rounds": 8},
}


def one_seat() -> Fact:
    """Two games of the single-seat environment, the second one dealt without a seed; an illegal action."""
    here()
    return {name: _one_seat(settings) for name, settings in ONE_SEAT.items()}


def _one_seat(settings: dict[str, Any]) -> Fact:
    env, seen, ends = gymnasium.make("oddville_env:OddVille-v0", **settings), Digest(), []
    for seed in (11, None):
        observation, info = env.reset(seed=seed)
        paid, over, number = 0.0, False, 0
        while not over:
            seen.add(observation, info["action_mask"], env.unwrapped.action_masks(), paid)
            observation, paid, terminated, truncated, info = env.step(chosen(info["action_mask"], number))
            over, number = terminated or truncated, number + 1
        ends.append([float(paid), terminated, truncated, info["scores"], info["ranks"], info["seat"]])
        seen.add(observation)
    _, info = env.reset(seed=1)
    illegal = env.step(info["action_mask"].argmin())
    return {"seen": str(seen), "ends": ends, "illegal": [float(illegal[1]), *illegal[2:4]]}


ALL_SEATS: dict[str, dict[str, Any]] = {
    "two": {"num_envs": 6, "players": 2},
    "three, ids": {"num_envs": 5, "players": 3, "encoding": "ids", "reward": "rank"},
    "four, cut off": {"num_envs": 4, "players": 4, "reward": "margin", "max_rounds": 5, "table": (5, 3)},
    "one game": {"num_envs": 1, "players": 2, "encoding": "ids"},
}
STEPS = 400


def all_seats() -> Fact:
    """The vector environment for self-play, played by its own sampler."""
    told = {}
    for name, settings in ALL_SEATS.items():
        env, seen = import_module(SELF_PLAY).OddVilleSelfPlayEnv(**settings), Digest()
        observations, info = env.reset(seed=13)
        first, sampler, ended = hash_of(observations[0]), env.sampler(seed=5), 0
        for _ in range(STEPS):
            seen.add(observations, info["action_mask"], info["seat"])
            observations, rewards, terminated, truncated, info = env.step(sampler.sample(env.batch))
            over = terminated | truncated
            seen.add(rewards, terminated, truncated, info["scores"][over], info["ranks"][over])
            ended += int(over.sum())
        told[name] = {"first": first, "seen": str(seen), "ended": ended}
    return told


SEATS: dict[str, dict[str, Any]] = {
    "greedy": {"num_envs": 5, "opponents": "greedy", "players": 2},
    "mixed": {"num_envs": 4, "opponents": ["greedy", "random"], "players": 3, "encoding": "ids", "reward": "margin"},
    "four, seat 2": {"num_envs": 3, "opponents": "random", "players": 4, "seat": 2, "reward": "rank", "max_rounds": 6},
    "mine": {"num_envs": 2, "opponents": "./mine.py:Lucky", "players": 2, "encoding": "ids", "max_rounds": 6},
}
SEAT_STEPS = 250


def _many_seats(settings: dict[str, Any]) -> gymnasium.vector.VectorEnv:
    return gymnasium.make_vec("oddville_env:OddVille-v0", vectorization_mode="vector_entry_point", **settings)


def many_seats() -> Fact:
    """The vector environment with one learning seat in every game."""
    here()
    told = {}
    for name, settings in SEATS.items():
        env, seen, ended = _many_seats(settings), Digest(), 0
        observations, info = env.reset(seed=17)
        for number in range(SEAT_STEPS):
            seen.add(observations, info["action_mask"])
            actions = np.array([chosen(mask, number + row) for row, mask in enumerate(info["action_mask"])])
            observations, rewards, terminated, truncated, info = env.step(actions)
            over = terminated | truncated
            seen.add(rewards, terminated, truncated)
            if over.any():
                final = info["final_info"]
                seen.add(info["final_obs"][over], *(final[each][over] for each in ("scores", "ranks", "seat")))
                ended += int(over.sum())
        told[name] = {"seen": str(seen), "ended": ended}
    return told


def for_baselines() -> Fact:
    """The same as Stable-Baselines3 is given it."""
    env, seen, ended = import_module(SB3).OddVilleVecEnv(_many_seats(SEATS["mixed"]).unwrapped), Digest(), []
    env.seed(19)
    observations = env.reset()
    for number in range(SEAT_STEPS):
        masks = np.stack(env.env_method("action_masks"))
        seen.add(observations, masks)
        observations, rewards, dones, infos = env.step(np.array([chosen(mask, number) for mask in masks]))
        seen.add(rewards, dones)
        for info in infos:
            if info:
                seen.add(info.pop("terminal_observation"))
                ended.append(info)
    return {"seen": str(seen), "ended": ended}
