"""The parts that are installed on demand: what each brings, and how messages name them."""

from collections.abc import Iterator
from contextlib import contextmanager

from oddville_env.core.errors import SettingError

TORCH = "torch==2.13.0"
"""The CPU build: the newest one on the registry draws gigabytes of CUDA."""

PACKAGES = {
    "train": ("torch", "stable_baselines3", "sb3_contrib", "filelock", "tensorboard", "scipy", "matplotlib"),
    "tournament": ("polars", "matplotlib", "jinja2", "filelock"),
    "ray": ("ray",),
    "onnx": ("onnx",),
    "data": ("polars", "minari", "h5py"),
    "render": ("resvg_py", "pygame", "PIL"),
    "web": ("starlette", "uvicorn", "websockets", "jsonschema", "filelock", "httptools", "segno"),
}
"""By the extra: what is imported of the packages that it brings."""
FEATURES = {
    "train": "training, imitation, models of OddVille as agents",
    "tournament": "tournaments, ladder, benchmark, reports",
    "ray": "--executor ray",
    "onnx": "export of networks",
    "data": "data sets as Parquet or for Minari",
    "render": "pictures as .png, films, render modes rgb_array and human",
    "web": "page in the browser",
}
"""By the extra: what needs it."""


def how_to_install(extra: str) -> str:
    """The command that installs an extra: `pip install 'oddville-env[render]'`."""
    first = f"pip install {TORCH} (the CPU build) first, then " if extra == "train" else ""
    return f"{first}pip install 'oddville-env[{extra}]'"


def extra_of(error: ImportError, likely: str = "") -> str | None:
    """The extra that brings what could not be imported, the likely one if it does; None where no extra does."""
    package = (error.name or "").partition(".")[0]
    found = [extra for extra, packages in PACKAGES.items() if package in packages]
    return likely if likely in found else next(iter(found), None)


@contextmanager
def needs_extra(who: str, likely: str) -> Iterator[None]:
    """Raises SettingError where an import in this block lacks an extra; who: `training needs`."""
    try:
        yield
    except ImportError as error:
        extra = extra_of(error, likely)
        if extra is None:
            raise
        raise SettingError(f"{who} the extra {extra}: {how_to_install(extra)} ({error})") from None
