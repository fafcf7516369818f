"""`oddville warm`: compile everything ahead. It finds agents and tournaments at run time."""

import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.progress import track

from oddville_env.cli.options import GAME, training_module
from oddville_env.cli.output import terminal
from oddville_env.core.errors import SettingError
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.envs.live_game import LiveGame
from oddville_env.envs.single import SingleSeatEnv
from oddville_env.oddville.perft import perft

PLAYERS = GAME.players[0]  # the number of players makes no other code
SEED = 0


def add_to(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command()(warm)


def warm() -> None:
    """Compile everything ahead, which takes a minute or two, once: later starts only load it."""
    for step in track(_steps(), "getting ready", console=terminal(err=True), transient=True):
        step()
    typer.echo("everything is compiled")


def _steps() -> list[Callable[[], None]]:
    """What to do once, so that all kernels are compiled."""
    box = GAME.box(GAME.settings(PLAYERS))
    batches = [partial(_play_many, box, encoding, threads) for encoding in GAME.encodings for threads in (1, 2)]
    names = import_module("oddville_agents").built_in()
    return [_play_one, _begin_to_learn, *batches, *(partial(_ask, box, name) for name in names), _play_a_tournament]


def _play_one() -> None:
    """A game as people play it."""
    rng = np.random.default_rng(SEED)
    game = GAME.game(PLAYERS, SEED)
    perft(game, 2)
    while not game.is_over:
        game.push(int(rng.choice(np.flatnonzero(game.mask))))
    assert game.outcome is not None
    game.pop()
    game.sample_unseen(0, rng)
    game.score_sheet()
    game.problems()


def _begin_to_learn() -> None:
    """A game as one learning seat begins it."""
    SingleSeatEnv(GAME, GAME.settings(PLAYERS), "random", encoding=GAME.encodings[0]).reset(seed=SEED)


def _play_many(box: Any, encoding: str, threads: int) -> None:
    """Games as learners play them."""
    encoder = GAME.make_encoder(box, encoding)
    batch, sampler = GameBatch(GAME, box, encoder, threads, threads), Sampler(threads)
    batch.deal(SEED)
    batch.step(sampler.sample(batch))
    batch.observe()
    tables = np.arange(batch.size)
    batch.observe_at(tables, batch.seats, np.zeros_like(batch.observations))
    batch.check(sampler.sample(batch), tables)
    batch.play(tables, sampler.actions)
    batch.play_out(SEED)
    batch.end()
    batch.deal_anew(tables)


def _ask(box: Any, name: str) -> None:
    """A move of an agent."""
    import_module("oddville_agents.play").rehearse(
        import_module("oddville_agents").make_agent(name), LiveGame(GAME, box)
    )


def _play_a_tournament() -> None:
    """A deal between two agents, where tournaments are installed."""
    try:
        config, executors, tournament = (
            training_module("tournaments need", "tournament", f"tournament.{name}")
            for name in ("config", "executors", "tournament")
        )
    except SettingError:
        return
    with tempfile.TemporaryDirectory() as folder:
        run = config.tournament_config(["random", "greedy"], [PLAYERS], 1, SEED, moves=True)
        tournament.run(run, Path(folder), executors.on_this_machine(1), lambda rows, failed: None)
