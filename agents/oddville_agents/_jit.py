"""The decorator of the agents' compiled code: its cache also depends on the agents' sources."""

from pathlib import Path

from oddville_env.core.jit import PACKAGE, kernels_of

kernel = kernels_of(PACKAGE, Path(__file__).resolve().parent)
