"""`doctor`: installed packages, missing extras and the cache of compiled code."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numba
from rich.console import Console
from rich.table import Table

from oddville_env import __version__
from oddville_env.cli.options import JsonOut
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.compiled import cache as kernel_cache
from oddville_env.core.disk.files import check_writable
from oddville_env.core.errors import shown_path
from oddville_env.core.system.extras import FEATURES, PACKAGES, how_to_install
from oddville_env.core.system.machine import machine
from oddville_env.core.system.processes import cores

CORE = ("numpy", "numba", "gymnasium", "pettingzoo", "safetensors", "typer", "rich")
DISTRIBUTIONS = {"PIL": "pillow"}  # packages that are installed by another name than they are imported by
MEGABYTE = 1e6


def doctor(json_out: JsonOut = None) -> None:
    """Show installed and missing packages, and where compiled code is cached."""
    check_out(json_out)
    found = {
        "version": __version__,
        "machine": machine(),
        "threads": _threads(),
        "kernels": _kernels(),
        "packages": {name: _version(name) for name in CORE},
        "extras": {extra: _extra(extra) for extra in PACKAGES},
    }
    _show(terminal(json_out), found)
    if json_out is not None:
        write_json(json_out, found)


def _threads() -> dict[str, Any]:
    """Cores that this process may use, and the limits that are set."""
    limits = {name: os.environ.get(name) for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS")}
    return {"usable_cores": cores(), "numba": numba.config.NUMBA_NUM_THREADS, **limits}


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


def _extra(extra: str) -> dict[str, Any]:
    """The features of an extra, and the versions of its packages; None for those that are not installed."""
    return {"for": FEATURES[extra], "packages": {name: _version(name) for name in PACKAGES[extra]}}


def _version(package: str) -> str | None:
    """The version of a package, by the name that it is imported by; None where it is not installed."""
    try:
        return version(DISTRIBUTIONS.get(package, package))
    except PackageNotFoundError:
        return None


def _show(console: Console, found: dict[str, Any]) -> None:
    rows = Table(box=None, show_header=False, pad_edge=False)
    rows.add_column(no_wrap=True)
    rows.add_column(overflow="fold")
    for row in (*_about(found), *_extras(found["extras"])):
        rows.add_row(*row)
    console.print(rows)


def _about(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    where, threads, kernels = found["machine"], found["threads"], found["kernels"]
    yield "oddville-env", found["version"]
    yield "Python", f"{platform.python_version()} on {platform.system()}"
    yield "packages", _listed(found["packages"])
    yield "processor", f"{where['processor']}, {where['cores']} cores"
    limits = [f"{name}={threads[name]}" for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS") if threads[name]]
    yield (
        "threads",
        ", ".join([f"{threads['usable_cores']} cores usable, numba uses up to {threads['numba']}", *limits]),
    )
    size = f"{kernels['functions']} functions are kept, {kernels['bytes'] / MEGABYTE:.0f} MB"
    if kernels["folder"] is None:
        yield "compiled code", f"{size}; {kernel_cache.CANNOT_KEEP}"
    else:
        yield "compiled code", f"{size}; written to {shown_path(kernels['folder'])}"


def _extras(extras: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for extra, about in extras.items():
        missing = [name for name, found in about["packages"].items() if found is None]
        if missing:
            told = f"missing: {', '.join(missing)}. Without it no {about['for']}: {how_to_install(extra)}"
        else:
            told = f"ready: {about['for']} ({_listed(about['packages'])})"
        yield f"extra {extra}", told


def _listed(packages: dict[str, str | None]) -> str:
    return ", ".join(f"{name} {found}" for name, found in packages.items())
