"""The machine of a measurement."""

import os
import platform
from pathlib import Path
from typing import Any

import numba
import numpy as np


def machine() -> dict[str, Any]:
    """Return the processor, its cores and the versions that speed depends on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
