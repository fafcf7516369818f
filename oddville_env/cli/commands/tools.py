"""`doctor`, `agents`, `tables` and `warm`."""

import os
import platform
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import numba
import numpy as np
import typer
from rich.table import Table

from oddville_env import __version__
from oddville_env.cli.commands.bench import rehearse
from oddville_env.cli.options import JsonOut, argument, option, training_module
from oddville_env.cli.output import shown_progress, terminal, write_json
from oddville_env.core.checked import whole_number
from oddville_env.core.compiled import cache as kernel_cache
from oddville_env.core.compiled.jit import NOTICE
from oddville_env.core.disk.files import check_writable
from oddville_env.core.errors import SettingError, shown, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.game_type import game_type as known_game
from oddville_env.core.parts.entries import count_lines
from oddville_env.core.system.extras import FEATURES, PACKAGES, find_agents, how_to_install
from oddville_env.core.system.processes import cores, machine, safe_path
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.envs.live_game import LiveGame
from oddville_env.envs.single import SingleSeatEnv

CORE = ("numpy", "numba", "gymnasium", "pettingzoo", "safetensors", "typer", "rich")
LIMITS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS")
DISTRIBUTIONS = {"PIL": "pillow"}  # packages that are installed by another name than they are imported by
MEGABYTE = 1e6


def doctor(json_out: JsonOut = None) -> None:
    """Show installed and missing packages, and where compiled code is cached."""
    limits = {name: os.environ.get(name) for name in LIMITS}
    found = {
        "version": __version__,
        "machine": machine(),
        "threads": {"usable_cores": cores(), "numba": numba.config.NUMBA_NUM_THREADS, **limits},
        "kernels": _kernels(),
        "packages": {name: _version(name) for name in CORE},
        "extras": {
            extra: {"for": FEATURES[extra], "packages": {name: _version(name) for name in packages}}
            for extra, packages in PACKAGES.items()
        },
    }
    rows = Table(box=None, show_header=False, pad_edge=False)
    rows.add_column(no_wrap=True)
    rows.add_column(overflow="fold")
    for row in _rows(found):
        rows.add_row(*row)
    terminal(json_out).print(rows)
    write_json(json_out, found)


def _kernels() -> dict[str, Any]:
    """The folder that compiled code is written to, None where there is none, and what all its folders hold."""
    folders = kernel_cache.folders()
    files = [file for folder in folders if folder.is_dir() for file in folder.iterdir() if file.is_file()]
    writable = next((folder for folder in folders if _is_writable(folder)), None)
    return {
        "folder": None if writable is None else str(writable),
        "functions": len(files),
        "bytes": sum(file.stat().st_size for file in files),
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR"),
    }


def _is_writable(folder: Path) -> bool:
    try:
        check_writable(folder / "kernel")
    except OSError:
        return False
    return True


def _version(package: str) -> str | None:
    """The version of a package, by the name that it is imported by; None where it is not installed."""
    try:
        return version(DISTRIBUTIONS.get(package, package))
    except PackageNotFoundError:
        return None


def _rows(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    where, threads, kernels = found["machine"], found["threads"], found["kernels"]
    yield "oddville-env", found["version"]
    yield "Python", f"{platform.python_version()} on {platform.system()}"
    yield "packages", _listed(found["packages"])
    yield "processor", f"{where['processor']}, {where['cores']} cores"
    limits = [f"{name}={threads[name]}" for name in LIMITS if threads[name]]
    usable = f"{threads['usable_cores']} cores usable, numba uses up to {threads['numba']}"
    yield "threads", ", ".join([usable, *limits])
    folder = kernels["folder"]
    kept = kernel_cache.CANNOT_KEEP if folder is None else f"written to {shown_path(folder)}"
    size = f"{kernels['functions']} functions are kept, {kernels['bytes'] / MEGABYTE:.0f} MB"
    yield "compiled code", f"{size}; {kept}"
    for extra, about in found["extras"].items():
        missing = [name for name, version in about["packages"].items() if version is None]
        state = f"ready: {about['for']} ({_listed(about['packages'])})"
        if missing:
            state = f"missing: {', '.join(missing)}. Without it no {about['for']}: {how_to_install(extra)}"
        yield f"extra {extra}", state


def _listed(packages: dict[str, str | None]) -> str:
    return ", ".join(f"{name} {version}" for name, version in packages.items())


def agents(game_type: GameType, json_out: JsonOut = None) -> None:
    """List the built-in and installed agents with their options."""
    found = find_agents("roster").listed(game_type.name)
    console = terminal(json_out)
    for agent in found:
        console.print(agent.name, style="bold")
        console.print(f"  {agent.what}", soft_wrap=True)
        for each in agent.options:
            usual = "" if each.default in (None, "") else f"={each.default}"
            console.print(f"  :{each.name}{usual}  {each.text} ({each.kind.expected})", soft_wrap=True)
        console.print(f"  {agent.home}", soft_wrap=True, style="dim")
    also = "also package.module:Class, ./file.py:Class and ./model.safetensors, each with :key=value,key=value"
    console.print(also, soft_wrap=True)
    write_json(json_out, [agent.plain() for agent in found])


def tables(
    game_type: GameType, name: Annotated[str, argument("Name of the table; an unknown name lists all.")]
) -> None:
    """Print a reference table: moves, observations, state, rules or options of agents."""
    known = {**game_type.tables, "options": lambda: find_agents("roster").option_table(game_type.name)}
    if name not in known:
        raise SettingError(f"there is no table {shown(name)}, expected {', '.join(known)}")
    typer.echo(known[name]())


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
