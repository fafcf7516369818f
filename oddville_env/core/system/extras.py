"""Optional dependencies (extras): what each contains, and how messages name them."""

from collections.abc import Iterator
from contextlib import contextmanager

from oddville_env.core.errors import SettingError

TORCH = "torch==2.13.0"
"""The CPU build; the default wheel pulls in several GB of CUDA."""

PACKAGES = {
    "train": ("torch", "stable_baselines3", "sb3_contrib", "filelock", "tensorboard", "scipy", "matplotlib"),
    "sweep": ("optuna",),
    "tournament": ("polars", "matplotlib", "jinja2", "filelock"),
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
    first = f"pip install {TORCH} (the CPU build) first, then " if extra == "train" else ""
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
