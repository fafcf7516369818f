"""The same code in other lanes: with every index checked, and without compiling at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def run(lane: str, *arguments: str) -> None:
    """Run golden games in a process of their own with an environment variable of numba set."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(TESTS / "oddville" / "test_golden.py")]
    environment = {**os.environ, lane: "1"}
    done = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, cwd=TESTS.parent)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_no_index_leaves_its_array() -> None:
    run("NUMBA_BOUNDSCHECK", "-k", "golden_game or 4-57")


@pytest.mark.parametrize("games", ["golden_game and (0 or 6)"])
def test_the_rules_hold_without_compiling(games: str) -> None:
    run("NUMBA_DISABLE_JIT", "-W", "ignore:overflow:RuntimeWarning", "-k", games)
