"""`doctor`, `agents` and `tables`."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import numba
import typer
from rich.table import Table

from oddville_env import __version__
from oddville_env.cli.options import JsonOut, argument
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.compiled import cache as kernel_cache
from oddville_env.core.disk.files import check_writable
from oddville_env.core.errors import SettingError, shown, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import FEATURES, PACKAGES, find_agents, how_to_install
from oddville_env.core.system.processes import cores, machine

CORE = ("numpy", "numba", "gymnasium", "pettingzoo", "safetensors", "typer", "rich")
LIMITS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS")
DISTRIBUTIONS = {"PIL": "pillow"}  # packages that are installed by another name than they are imported by
MEGABYTE = 1e6


def doctor(json_out: JsonOut = None) -> None:
    """Show installed and missing packages, and where compiled code is cached."""
    check_out(json_out)
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
    write_json(json_out, [agent.plain() for agent in found])


def tables(
    game_type: GameType, name: Annotated[str, argument("Name of the table; an unknown name lists all.")]
) -> None:
    """Print a reference table: moves, observations, state, rules or options of agents."""
    known = {**game_type.tables, "options": lambda: find_agents("roster").option_table(game_type.name)}
    if name not in known:
        raise SettingError(f"there is no table {shown(name)}, expected {', '.join(known)}")
    typer.echo(known[name]())
