"""What a package index and other programs are told about the package."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from setuptools import PackageFinder

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture
def setup_file() -> ModuleType:
    spec = importlib.util.spec_from_file_location("setup_file", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_description_needs_no_checkout(setup_file: ModuleType) -> None:
    text = setup_file.description((ROOT / "README.md").read_text(), None)

    assert "](" not in text
    assert "agents/README.md" in text or "CONTRIBUTING.md" in text


def test_pictures_and_links_follow_the_projects_page(setup_file: ModuleType) -> None:
    readme = "![a table](notebooks/a.svg)\n\nSee [more](training/README.md#x), [PyPI](https://pypi.org).\n"

    assert setup_file.description(readme, "https://host/us") == (
        "![a table](https://host/us/raw/HEAD/notebooks/a.svg)\n\n"
        "See [more](https://host/us/blob/HEAD/training/README.md#x), [PyPI](https://pypi.org).\n"
    )
    assert setup_file.description(readme, None) == "See more, [PyPI](https://pypi.org).\n"


def test_all_packages_say_that_they_are_typed() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    for package, folder in PROJECT["tool"]["setuptools"]["package-dir"].items():
        assert (ROOT / folder / "py.typed").is_file()
        assert "py.typed" in data[package]


def test_the_package_names_its_licence_and_its_history() -> None:
    assert PROJECT["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert f"## {PROJECT['project']['version']}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_package_is_found() -> None:
    asked = PROJECT["tool"]["setuptools"]["packages"]["find"]
    homes = [str(ROOT / where) for where in asked["where"]]
    found = {name for home in homes for name in PackageFinder.find(home, include=asked["include"])}
    for package, folder in PROJECT["tool"]["setuptools"]["package-dir"].items():
        inits = (ROOT / folder).rglob("__init__.py")
        there = {".".join((package, *init.parent.relative_to(ROOT / folder).parts)) for init in inits}
        assert {name for name in found if name.split(".")[0] == package} == there
    assert {name.split(".")[0] for name in found} == set(PROJECT["tool"]["setuptools"]["package-dir"])
