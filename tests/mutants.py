"""Mutation testing: run the tests that must notice each small fault of `mutants.toml`.

    python tests/mutants.py [WORDS ...]

Each fault is applied alone to a copy of the tree; its tests must fail there. WORDS select faults by a part of the names
of their files or tests, or by number. The exit code is 1 where a fault survives. All of them take about half an hour.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_suffix(".toml")
PACKAGES = ("", "agents", "training")  # the folders that hold them
INSTALLED = "tests/web/page/node_modules"  # what the page's tests need and git does not know
ENDED_BY_FAILURES = 1  # the code of pytest where a test has failed
LONGEST_S = 1200


class Mutant(NamedTuple):
    """A fault: `old`, which stands once in a file, becomes `new`. tests: the files of those that must fail then.

    interpreted: they run without compiling, which is quicker for a few positions and slower for whole games.
    """

    file: str
    old: str
    new: str
    tests: str
    interpreted: bool = False

    def apply(self, root: Path) -> None:
        """Put the fault into a tree."""
        path = root / self.file
        path.write_text(path.read_text(encoding="utf-8").replace(self.old, self.new), encoding="utf-8")

    def __str__(self) -> str:
        return f"{self.file}: {' '.join(self.old.split())} -> {' '.join(self.new.split()) or 'nothing'}"


def mutants() -> list[Mutant]:
    """All of them."""
    return [Mutant(**fields) for fields in tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]]


def chosen(words: list[str]) -> dict[int, Mutant]:
    """Mutants by their numbers, from 1: those that one of the words means, without words all."""
    known = dict(enumerate(mutants(), 1))
    if not words:
        return known
    return {
        number: each
        for number, each in known.items()
        if any(word == str(number) or (not word.isdecimal() and word in each.file + each.tests) for word in words)
    }


def copy_tree(to: Path) -> None:
    """All files that git knows or would take in."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    if (ROOT / INSTALLED).exists():
        (to / INSTALLED).symlink_to(ROOT / INSTALLED)


def fate(mutant: Mutant, tree: Path) -> str:
    """What came of a mutant: the test that killed it, or that it survived."""
    paths = os.pathsep.join(str(tree / folder) for folder in PACKAGES)
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    if mutant.interpreted:
        environment["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-W", "ignore", *mutant.tests.split()]
    mutant.apply(tree)
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        return "killed: its tests came to no end"
    finally:
        shutil.copy2(ROOT / mutant.file, tree / mutant.file)
    if done.returncode == 0:
        return "SURVIVED"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    how = failed[0] if failed else (done.stdout + done.stderr).strip()[-300:]
    return f"killed: {how}" if done.returncode == ENDED_BY_FAILURES else f"NOT TESTED: {how}"


def main(words: list[str]) -> int:
    """The number of mutants that were not killed; a line for each."""
    left = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_tree(tree)
        for number, mutant in chosen(words).items():
            start = time.monotonic()
            found = fate(mutant, tree)
            left += not found.startswith("killed")
            print(f"{number:3} {time.monotonic() - start:4.0f} s  {mutant}\n      {found}", flush=True)
    print(f"{left} not killed")
    return left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
