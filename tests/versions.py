"""`make test-oldest` and `make test-newest`: the tests of the core in a new venv.

The oldest versions are the lower bounds of the core's dependencies in pyproject.toml.
"""

import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = (
    "tests/oddville",
    "tests/envs",
    "tests/cli",
    "tests/test_kernels.py",
    "tests/test_kernel_files.py",
    "tests/test_lanes.py",
)
TOOLS = ("pytest", "hypothesis", "setuptools>=77")


def requirements(which: str) -> list[str]:
    """The dependencies of the core at their lower bounds or at the newest allowed version."""
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    if which == "newest":
        return list(stated)
    return [re.sub(r">=([^,]+).*", r"==\1", floor) for floor in stated]


def main(which: str, folder: Path) -> int:
    """Make the venv anew, and run the tests in it."""
    venv.create(folder, clear=True, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--upgrade"]
    subprocess.run([*install, *requirements(which), *TOOLS], check=True)
    subprocess.run([*install, "--no-deps", "--no-build-isolation", "--editable", ROOT], check=True)
    subprocess.run([python, "-m", "pip", "list"], check=True)
    tests = CORE[:2] if os.name == "nt" else CORE  # others start programs in forks, which Windows lacks
    return subprocess.run([python, "-m", "pytest", *tests], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
