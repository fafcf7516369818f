"""Random play in other environments and in this one, side by side: steps by second of CPU time on one core.

    python training/benchmarks/peers.py

It runs whichever of PettingZoo's classic games, OpenSpiel, RLCard, catanatron and Pgx is installed; none is needed.
The games differ in length and in what a step is: the table compares what a user's loop gets out of each library's own
ordinary way to play a random legal move and look at what the next player sees.
"""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from oddville_env import OddVilleSelfPlayEnv, oddville_v0
from oddville_env.cli.commands.bench import aec

SECONDS = 3.0  # CPU time of each measurement
CLASSIC = ("connect_four_v3", "tictactoe_v3", "go_v5", "chess_v6", "hanabi_v5")
OPEN_SPIEL = ("connect_four", "backgammon", "quoridor", "hive", "go", "chess", "gin_rummy")
RLCARD = ("gin-rummy", "uno", "limit-holdem")
PGX = ("connect_four", "backgammon", "go_9x9", "chess")
PGX_BATCH = 256

Play = Callable[[], int]  # play a little and tell how many steps that were


def by_mask(rng: np.random.Generator) -> Callable[[dict[str, np.ndarray], int], int]:
    """A random legal action, as a numpy user draws it."""
    return lambda observation, _: int(rng.choice(np.flatnonzero(observation["action_mask"])))


def ours() -> Iterator[tuple[str, Play]]:
    """OddVille: the AEC environment with a numpy sampler and with the compiled one, and the vector environment."""
    rng = np.random.default_rng(0)
    yield "oddville_v0.env()", aec(oddville_v0.env(), by_mask(rng))
    yield "oddville_v0.raw_env()", aec(oddville_v0.raw_env(), by_mask(rng))
    yield "oddville_v0.raw_env(), our sampler", aec(oddville_v0.raw_env())
    env = OddVilleSelfPlayEnv(1024)
    sampler = env.sampler()
    env.reset(seed=0)

    def vector() -> int:
        env.step(sampler.sample(env.batch))
        return env.num_envs

    yield "OddVilleSelfPlayEnv(1024)", vector


def classic() -> Iterator[tuple[str, Play]]:
    """PettingZoo's classic games, bare, with a numpy user's sampler."""
    from importlib import import_module

    for name in CLASSIC:
        module = import_module(f"pettingzoo.classic.{name}")
        yield f"PettingZoo {name}", aec(module.raw_env(), by_mask(np.random.default_rng(0)))


def open_spiel() -> Iterator[tuple[str, Play]]:
    """OpenSpiel's games through Python, with the observation tensor where there is one."""
    import pyspiel

    rng = np.random.default_rng(0)
    for name in OPEN_SPIEL:
        game = pyspiel.load_game(name)
        has_tensor = game.get_type().provides_observation_tensor

        def play(game: Any = game, has_tensor: bool = has_tensor) -> int:
            state, steps = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(int(rng.choice(outcomes, p=odds)))
                    continue
                if has_tensor:
                    state.observation_tensor(state.current_player())
                state.apply_action(int(rng.choice(state.legal_actions())))
                steps += 1
            return steps

        yield f"OpenSpiel {name}", play


def rlcard() -> Iterator[tuple[str, Play]]:
    """RLCard's games with its own random agents."""
    import rlcard as library
    from rlcard.agents import RandomAgent

    for name in RLCARD:
        env = library.make(name)
        env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

        def play(env: Any = env) -> int:
            trajectories, _ = env.run(is_training=False)
            return sum(len(trajectory) // 2 for trajectory in trajectories)

        yield f"RLCard {name}", play


def catanatron() -> Iterator[tuple[str, Play]]:
    """catanatron's Catan between its random players."""
    from catanatron import Color, Game, RandomPlayer

    def play() -> int:
        game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE)])
        steps = 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            steps += 1
        return steps

    yield "catanatron, no observation", play


def pgx() -> Iterator[tuple[str, Play]]:
    """Pgx on the processor: a batch, with its observation."""
    import jax
    import pgx as library

    for name in PGX:
        env = library.make(name)
        init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
        keys = jax.jit(lambda key, turn: jax.random.split(jax.random.fold_in(key, turn), PGX_BATCH))
        sample = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask), axis=-1))
        key = jax.random.PRNGKey(0)

        def play(init: Any = init, step: Any = step, sample: Any = sample, key: Any = key, keys: Any = keys) -> int:
            state, steps = init(jax.random.split(key, PGX_BATCH)), 0
            for turn in range(20):
                action = sample(jax.random.fold_in(key, turn), state.legal_action_mask)
                state = step(state, action, keys(key, turn))
                steps += PGX_BATCH
            state.observation.block_until_ready()
            return steps

        yield f"Pgx {name}, batch of {PGX_BATCH}", play


def speed(play: Play) -> float:
    """Steps by CPU second."""
    play()
    steps, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        steps += play()
    return steps / (time.process_time() - start)


def main() -> None:
    """Measure all that is installed and print the table."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    console = Console()
    table = Table("environment", "steps/s of one core")
    table.columns[1].justify = "right"
    for family in (ours, classic, open_spiel, rlcard, catanatron, pgx):
        try:
            for name, play in family():
                table.add_row(name, f"{speed(play):,.0f}")
        except ImportError as missing:
            console.print(f"{family.__name__}: not measured ({missing})", highlight=False)
    console.print(table)


if __name__ == "__main__":
    main()
