"""`warm`: all kernels compiled ahead of time."""

import signal
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from oddville_env.cli.commands.bench import rehearse
from oddville_env.cli.options import option, training_module
from oddville_env.cli.output import shown_progress
from oddville_env.core.checked import whole_number
from oddville_env.core.compiled.jit import NOTICE
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.game_type import game_type as known_game
from oddville_env.core.parts.entries import count_lines
from oddville_env.core.system.extras import find_agents
from oddville_env.core.system.processes import cores, safe_path
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.envs.live_game import LiveGame
from oddville_env.envs.single import SingleSeatEnv

SEED = 0


def warm(
    game_type: GameType, workers: Annotated[int | None, option("Number of processes.", default="one per core")] = None
) -> None:
    """Compile everything ahead of time; takes a minute or two once, later starts load the cache."""
    number = cores() if workers is None else whole_number("workers", workers, 1)
    steps = _steps(game_type)
    with safe_path(), ProcessPoolExecutor(min(number, len(steps)), get_context("spawn"), _be_quiet) as pool:
        begun = [pool.submit(_do, game_type.name, *step) for step in steps]
        try:
            for step in shown_progress(as_completed(begun), "getting ready", len(begun)):
                step.result()
        finally:
            pool.shutdown(cancel_futures=True)
    typer.echo("everything is compiled")


def _be_quiet() -> None:
    """Set up a worker: the command itself prints the notice and handles Ctrl-C."""
    NOTICE.is_printed = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _do(game: str, step: Callable[..., None], *of: str) -> None:
    step(known_game(game), *of)


def _steps(game_type: GameType) -> list[tuple[Any, ...]]:
    """The steps that compile all kernels: the short ones last, so that no process waits long for another one."""
    batches = [(_play_many, encoding) for encoding in game_type.encodings]
    asked = [(_ask, name) for name in reversed(find_agents().built_in(game_type.name))]
    last = [(rehearse,), (_play_a_tournament,), (_begin_to_learn,)]
    return [(_play_one,), (_play_oneself,), *batches, *asked, *last]


def _play_one(game_type: GameType) -> None:
    """Compile a game for people."""
    rng = np.random.default_rng(SEED)
    game = game_type.game(game_type.players[0], SEED)
    count_lines(game, 2)
    while not game.is_over:
        game.push(int(rng.choice(np.flatnonzero(game.mask))))
    assert game.outcome is not None
    game.pop()
    game.sample_unseen(0, rng)
    game.score_sheet()
    game.problems()


def _begin_to_learn(game_type: GameType) -> None:
    """Compile the single-seat environment."""
    settings = game_type.settings(game_type.players[0])
    SingleSeatEnv(game_type, settings, "random", encoding=game_type.encodings[0]).reset(seed=SEED)


def _play_many(game_type: GameType, encoding: str) -> None:
    """Compile batches with an encoding."""
    box = game_type.box(game_type.settings(game_type.players[0]))
    encoder = game_type.make_encoder(box, encoding)
    batch, sampler = GameBatch(game_type, box, encoder, 1), Sampler(1)
    batch.deal(SEED)
    batch.step(sampler.sample(batch))
    batch.observe()
    tables = np.arange(batch.size)
    batch.observe_at(tables, batch.seats, np.zeros_like(batch.observations))
    batch.view(tables).afterstates(encoding)
    batch.check(sampler.sample(batch), tables)
    batch.play(tables, sampler.actions)
    batch.play_out(SEED)
    batch.end()
    batch.deal_anew(tables)


def _ask(game_type: GameType, name: str) -> None:
    """Compile a move and an opinion of an agent."""
    agent = find_agents().make_agent(name, game_type.name)
    live = LiveGame(game_type, game_type.box(game_type.settings(game_type.players[0])))
    find_agents("play").compile_agent(agent, live)
    find_agents("player").Player(agent).opinion(live.view())


def _play_a_tournament(game_type: GameType) -> None:
    """Compile tournaments, if installed."""
    try:
        config, executors, tournament = (
            training_module("tournaments need", "tournament", f"tournament.{name}")
            for name in ("config", "executors", "tournament")
        )
    except SettingError:
        return
    with tempfile.TemporaryDirectory() as folder:
        agents, counts = ["random", "random"], [game_type.players[0]]
        run = config.tournament_config(agents, counts, 1, SEED, game=game_type, moves=True)
        tournament.run(run, Path(folder), executors.on_this_machine(1), lambda rows, failed: None)


def _play_oneself(game_type: GameType) -> None:
    """Compile self-play, if installed."""
    module = find_agents().roster_of(game_type.name).self_play
    if module:
        with suppress(SettingError):
            training_module("training needs", "train", module).rehearse()
