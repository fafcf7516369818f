"""`make doors`: run the examples with other libraries, each in its own venv, and print a table of what works.

Libraries pin each other, so each lane has a venv, which is kept. A failed installation or test is a row with its
reason. Lanes can be named: `make doors LANES="rllib openspiel"`.
"""

import json
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "examples"
TORCH = "torch==2.13.0"  # as `oddville_env.core.system.extras` has it, which is not installed here
WIDEST = 100  # characters of a reason


class Lane(NamedTuple):
    """A venv and its tests.

    libraries: installed beside the project and pytest, and shown with their versions; tests: a file of tests/examples;
    chosen: pytest's -k; torch: install it first.
    """

    libraries: tuple[str, ...]
    tests: str = "test_libraries.py"
    chosen: str = ""
    torch: bool = True


LANES = {
    "sb3": Lane(("stable-baselines3", "sb3-contrib", "scipy", "matplotlib", "safetensors"), chosen="sb3"),
    "rl_zoo3": Lane(("rl_zoo3",), chosen="rl_zoo3"),
    "cleanrl": Lane((TORCH,), chosen="cleanrl"),
    "torchrl": Lane(("torchrl",), chosen="torchrl"),
    "tianshou": Lane(("tianshou",), chosen="tianshou"),
    "rllib": Lane(("ray[rllib]",), chosen="rllib"),
    "agilerl": Lane(("agilerl", "peft"), chosen="agilerl"),
    "rlcard": Lane(("rlcard[torch]",), chosen="rlcard"),
    "openspiel": Lane(("open_spiel",), chosen="openspiel", torch=False),
    "reasoning_gym": Lane(("reasoning-gym",), chosen="reasoning_gym", torch=False),
    "textarena": Lane(("textarena",), chosen="textarena", torch=False),
    "openenv": Lane(("openenv-core",), chosen="openenv", torch=False),
    "verifiers": Lane(("verifiers",), chosen="verifiers", torch=False),
    "trl": Lane(("trl",), chosen="trl_grpo"),
    "conversions": Lane(("SuperSuit", "pettingzoo"), "test_conversions.py", torch=False),
    "packages": Lane(
        (str(ROOT / "examples" / "agent_package"), str(ROOT / "examples" / "game_package")),
        "test_packages.py",
        torch=False,
    ),
}


def install(python: Path, *words: str | Path) -> str:
    """Install packages; returns the reason of a failure, or an empty text."""
    command = [python, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else reason_in(done.stderr)


def reason_in(text: str) -> str:
    """Return the last error in a text, or its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no reason given"]
    named = re.findall(r"\w*(?:Error|Exception|ERROR): [^│\n]*\w[^│\n]*", text)
    return " ".join((named or lines)[-1].split())[:WIDEST]


def prepare(lane: Lane, folder: Path) -> str:
    """Make or update a lane's venv; returns the reason of a failure, or an empty text."""
    python = folder / "bin" / "python"
    if not python.is_file():
        venv.create(folder, with_pip=True)
    failed = install(python, TORCH) if lane.torch else ""
    return failed or install(python, "pytest", "setuptools>=77", "--editable", ROOT, *lane.libraries)


def versions(lane: Lane, python: Path) -> str:
    """Return a lane's libraries with their installed versions."""
    listed = json.loads(subprocess.check_output([python, "-m", "pip", "list", "--format", "json"]))
    there = {plain_name(each["name"]): each["version"] for each in listed}
    names = [plain_name(library) for library in lane.libraries]
    return ", ".join(f"{name} {there[name]}" for name in names if name in there)


def plain_name(library: str) -> str:
    """Normalise a name as registries do: `ray[rllib]==2.60` -> `ray`."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[=<>]", library)[0]).lower()


def rows_of(name: str, lane: Lane, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Run a lane; yields what each test tried, with which versions, and what came of it."""
    if failed := prepare(lane, folder):
        yield name, "", f"cannot be installed: {failed}"
        return
    python, report = folder / "bin" / "python", folder / "found.xml"
    report.unlink(missing_ok=True)
    command = [python, "-m", "pytest", TESTS / lane.tests, "-m", "", "-k", lane.chosen, f"--junitxml={report}"]
    ran, shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True), versions(lane, python)
    if not report.exists():
        yield name, shown, f"its tests did not run: {reason_in(ran.stdout + ran.stderr)}"
        return
    for case in ElementTree.parse(report).iter("testcase"):
        words = case.get("name", "")
        tried = re.sub(r".*\[(.*)\]", r"\1", words) if "[" in words else words.removeprefix("test_").replace("_", " ")
        yield tried, shown, found_in(case)


def found_in(case: ElementTree.Element) -> str:
    """Return the result in a test's report."""
    for kind in ("failure", "error", "skipped"):
        for each in case.iter(kind):
            works = kind == "skipped" and each.get("type") != "pytest.xfail"
            return ("" if works else "no: ") + reason_in(each.get("message", ""))
    return "yes"


def main(home: Path, names: list[str]) -> None:
    """Run the lanes and print the table."""
    print("| what | with | works |\n| --- | --- | --- |")
    for name in names or LANES:
        for row in rows_of(name, LANES[name], home / name):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
