"""Runs the tests that a change concerns: test files that it touches, and those that import a module that it touches.

    python tests/changed.py [commit]

The change is everything since a commit, the last one if none is named, with what is not committed yet.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALWAYS = ("tests/test_house.py",)
PACKAGES = {
    "oddville_env": ROOT,
    "oddville_agents": ROOT / "agents",
    "oddville_training": ROOT / "training",
    "support": ROOT / "tests",
}


def changed_since(commit: str) -> list[Path]:
    """The files that are other than in a commit, and those that git does not know yet."""
    listed = [["diff", "--name-only", commit], ["ls-files", "--others", "--exclude-standard"]]
    done = [subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True) for words in listed]
    return [ROOT / name for each in done for name in each.stdout.splitlines()]


def module_of(path: Path) -> str | None:
    """What a file of the packages is imported as."""
    for package, home in PACKAGES.items():
        if path.suffix == ".py" and path.is_relative_to(home / package):
            names = path.relative_to(home).with_suffix("").parts
            return ".".join(names[:-1] if names[-1] == "__init__" else names)
    return None


def imports_one(path: Path, modules: set[str]) -> bool:
    """A file imports one of these modules; no file is taken apart that does not name one."""
    text = path.read_text(encoding="utf-8")
    return any(module.rpartition(".")[2] in text for module in modules) and not modules.isdisjoint(imported_by(text))


def imported_by(text: str) -> Iterator[str]:
    """The modules that a file imports, and the names that it takes from them, which may be modules too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def concerned(changed: Iterable[Path]) -> list[str]:
    """The test files to run for changed files, as paths from the root."""
    files = set(changed)
    modules = {module for path in files if (module := module_of(path))}
    tests = (path for path in sorted(ROOT.glob("tests/**/test_*.py")))
    found = [path for path in tests if path in files or imports_one(path, modules)]
    return [*ALWAYS, *(name for path in found if (name := path.relative_to(ROOT).as_posix()) not in ALWAYS)]


if __name__ == "__main__":
    paths = concerned(changed_since(sys.argv[1] if len(sys.argv) > 1 else "HEAD"))
    sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-n", "2", "-x", *paths], cwd=ROOT).returncode)
