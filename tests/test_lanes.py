"""The same code in other lanes: without compiling at all, and in the slow lane compiled with every index checked.

Numpy checks every index too: code that is not compiled tells of one that leaves its array, and costs no compiling.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def run(lane: str, *arguments: str) -> None:
    """Run golden games in a process of their own with an environment variable of numba set.

    Hardly optimised code is quick to compile, and it is kept: a second run costs 3.4 CPU seconds. Without being
    optimised at all it names its kernels by their addresses, so that none is kept, and every run costs 10.8.
    """
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(TESTS / "games" / "test_golden.py")]
    environment = {**os.environ, lane: "1", "NUMBA_OPT": "1"}
    done = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, cwd=TESTS.parent)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


# Games that run every line that all of them run, of two players and of the most; and lines of play.
SOME = {
    "oddville": "[oddville-0] or [oddville-3] or [oddville-5] or oddville-4-57-lines",
    "oldtown": "[oldtown-0] or [oldtown-1] or [oldtown-5] or oldtown-2-35-lines",
}
ALL = {"oddville": "golden_game or oddville-4-57", "oldtown": "golden_game or oldtown-2-35"}


@pytest.mark.parametrize("games", SOME.values(), ids=SOME)
def test_rules_hold_and_no_index_leaves_its_array_without_compiling(games: str) -> None:
    run("NUMBA_DISABLE_JIT", "-W", "ignore:overflow:RuntimeWarning", "-k", games)


@pytest.mark.slow
@pytest.mark.parametrize("games", ALL.values(), ids=ALL)
def test_no_index_leaves_its_array_in_compiled_code_either(games: str) -> None:
    run("NUMBA_BOUNDSCHECK", "-k", games)
