"""The decorator of the tournament's compiled code: its cache also depends on the training package's sources."""

from pathlib import Path

from oddville_env.rules._jit import PACKAGE, kernels_of

kernel = kernels_of(PACKAGE, Path(__file__).resolve().parent)
