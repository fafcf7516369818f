"""Importing the package."""

import statistics
import subprocess
import sys

# Importing

IMPORT = """
import sys, time
start = time.process_time()
import oddville_env
spent = time.process_time() - start
heavy = {"torch", "stable_baselines3", "sb3_contrib", "ray", "matplotlib", "polars", "starlette", "numba", "pygame"}
print(spent, " ".join(sorted(heavy & set(sys.modules))))
"""


def test_importing_the_package_is_quick_and_brings_nothing_heavy() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True) for _ in range(3)
    ]
    spent, heavy = zip(*(run.stdout.split(" ", 1) for run in runs), strict=True)

    assert "".join(heavy).split() == []
    assert statistics.median(map(float, spent)) < 0.5
