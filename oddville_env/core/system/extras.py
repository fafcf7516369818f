"""Packages found at run time: optional dependencies (extras), the layers above the games, and plug-ins."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Any
from warnings import warn

from oddville_env.core.errors import SettingError

TORCH = "torch==2.13.0"
"""Installed first: some indexes have its CPU build, and only a build with gigabytes of CUDA of newer versions."""

PACKAGES = {
    "train": ("torch", "stable_baselines3", "sb3_contrib", "filelock", "tensorboard", "scipy", "matplotlib"),
    "sweep": ("optuna",),
    "tournament": ("polars", "scipy", "matplotlib", "jinja2", "filelock"),
    "ray": ("ray",),
    "onnx": ("onnx",),
    "data": ("polars", "minari", "h5py"),
    "render": ("resvg_py", "pygame", "PIL"),
    "web": ("starlette", "uvicorn", "websockets", "jsonschema", "filelock", "httptools", "segno"),
    "chat": ("httpx",),
}
"""Extra -> the modules that it provides."""
FEATURES = {
    "train": "training, imitation, models of OddVille as agents",
    "sweep": "search of training settings",
    "tournament": "tournaments, ladder, benchmark, reports",
    "ray": "--executor ray",
    "onnx": "export of networks",
    "data": "data sets as Parquet or for Minari",
    "render": "pictures as .png, films, render modes rgb_array and human",
    "web": "page in the browser",
    "chat": "language models as agents",
}
"""Extra -> the features that need it."""


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra: `pip install 'oddville-env[render]'`."""
    first = f"pip install {TORCH} first, then " if extra == "train" else ""
    return f"{first}pip install 'oddville-env[{extra}]'"


def extra_of(error: ImportError, likely: str = "") -> str | None:
    """Return the extra that provides what could not be imported, preferably `likely`; None if no extra does."""
    package = (error.name or "").partition(".")[0]
    found = [extra for extra, packages in PACKAGES.items() if package in packages]
    return likely if likely in found else next(iter(found), None)


@contextmanager
def needs_extra(needs: str, likely: str) -> Iterator[None]:
    """Raise SettingError if an import in this block lacks an extra; `needs` begins the message: `training needs`."""
    try:
        yield
    except ImportError as error:
        extra = extra_of(error, likely)
        if extra is None:
            raise
        raise SettingError(f"{needs} the extra {extra}: {how_to_install(extra)} ({error})") from None


HUMAN = "human"
"""The word for a human player in lists of agents."""


def find_agents(module: str = "") -> Any:
    """Return the package of agents, or a module of it."""
    return import_module(f"oddville_agents.{module}".rstrip("."))


def find_training(module: str) -> Any:
    """Return a module of the training package; raises ImportError if an extra that it needs is missing."""
    return import_module(f"oddville_training.{module}")


def find_page(module: str) -> Any:
    """Return a module of the page's package; raises ImportError if the extra `web` is missing."""
    return import_module(f"oddville_env.web.{module}")


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, one for each name; the first package on the path counts.

    `importlib.metadata.entry_points` raises an error if the entry_points.txt of any installed package is damaged. Here
    such a package is left out with a warning.
    """
    found: dict[str, EntryPoint] = {}
    for package in distributions():
        try:
            points = package.entry_points.select(group=group)
        except Exception as error:  # TypeError, ValueError and others: the parser has no error of its own
            warn(f"entry_points.txt of the package {_name(package)} cannot be read ({error})", stacklevel=2)
            continue
        for point in points:
            found.setdefault(point.name, point)
    return list(found.values())


def _name(package: Distribution) -> str:
    with suppress(Exception):
        return str(package.metadata["Name"])
    return "of an unknown name"
