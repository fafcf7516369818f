"""What a package index and other programs are told about the package."""

import os
import re
import runpy
import shutil
import statistics
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from setuptools import PackageFinder

from oddville_env import __version__

ROOT = Path(__file__).resolve().parents[1]
FOR_DEVELOPERS = {"all", "notebooks", "docs", "test"}  # extras that bring nothing that a user's command needs
description = runpy.run_path(str(ROOT / "setup.py"))["description"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_description_needs_no_checkout_and_its_links_follow_the_projects_page() -> None:
    text = description((ROOT / "README.md").read_text(), None)
    assert "](" not in text
    assert "agents/README.md" in text or "CONTRIBUTING.md" in text
    readme = "![a table](notebooks/a.svg)\n\nSee [more](training/README.md#x), [PyPI](https://pypi.org).\n"
    assert description(readme, "https://host/us") == (
        "![a table](https://host/us/raw/HEAD/notebooks/a.svg)\n\n"
        "See [more](https://host/us/blob/HEAD/training/README.md#x), [PyPI](https://pypi.org).\n"
    )
    assert description(readme, None) == "See more, [PyPI](https://pypi.org).\n"


def test_every_package_is_found_and_declares_that_it_is_typed() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    for package, folder in PROJECT["tool"]["setuptools"]["package-dir"].items():
        assert (ROOT / folder / "py.typed").is_file()
        assert "py.typed" in data[package]
    asked = PROJECT["tool"]["setuptools"]["packages"]["find"]
    homes = [str(ROOT / where) for where in asked["where"]]
    found = {name for home in homes for name in PackageFinder.find(home, include=asked["include"])}
    for package, folder in PROJECT["tool"]["setuptools"]["package-dir"].items():
        inits = (ROOT / folder).rglob("__init__.py")
        there = {".".join((package, *init.parent.relative_to(ROOT / folder).parts)) for init in inits}
        assert {name for name in found if name.split(".")[0] == package} == there
    assert {name.split(".")[0] for name in found} == set(PROJECT["tool"]["setuptools"]["package-dir"])


def test_licence_version_changelog_and_extra_all_agree_with_each_other() -> None:
    assert PROJECT["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "oddville_env.__version__"}
    assert "version" in PROJECT["project"]["dynamic"]
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    heads = re.findall(r"^## (\S+)(.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    released = [head for head in heads if head != ("Unreleased", "")]
    assert released[0][0] == __version__
    assert [number for number, when in released if not re.fullmatch(r" \(\d{4}-\d\d-\d\d\)", when)] == []
    extras = PROJECT["project"]["optional-dependencies"]
    assert extras["all"] == [f"oddville-env[{','.join(name for name in extras if name not in FOR_DEVELOPERS)}]"]


class Built(NamedTuple):
    """A source archive and a wheel, made of what git holds."""

    listed: set[str]
    """The files that git holds."""
    archived: set[str]
    said: str


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    pytest.importorskip("setuptools", "77")
    found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip("this is no checkout: there is nothing to compare an archive with")
    copy, listed = tmp_path_factory.mktemp("checkout"), {name for name in found.stdout.split("\0") if name}
    for name in listed:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-c", "from setuptools.build_meta import *; build_sdist('dist'), build_wheel('dist')"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    made = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=True)
    (packed,) = (copy / "dist").glob("*.tar.gz")
    with tarfile.open(packed) as files:
        archived = {name.partition("/")[2] for name in files.getnames()}
    return Built(listed, archived, made.stdout + made.stderr)


def test_source_archive_is_built_without_a_warning_and_holds_what_its_tests_need(built: Built) -> None:
    assert sorted(built.listed - built.archived - {".gitignore"}) == []
    assert [line for line in built.said.splitlines() if "warning" in line.lower()] == []


IMPORT = """
import sys, time
start = time.process_time()
import oddville_env
spent = time.process_time() - start
heavy = {"torch", "stable_baselines3", "sb3_contrib", "ray", "matplotlib", "polars", "starlette", "numba", "pygame"}
print(spent, " ".join(sorted(heavy & set(sys.modules))))
"""


def test_importing_the_package_is_quick_and_brings_nothing_heavy() -> None:
    command = [sys.executable, "-c", IMPORT]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    assert [run[1:] for run in runs] == [[], [], []]
    assert statistics.median(float(run[0]) for run in runs) < 0.5
