"""What a package index and other programs are told about the package."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

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


def test_every_package_and_every_file_it_needs_is_listed() -> None:
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    for package, folder in PROJECT["tool"]["setuptools"]["package-dir"].items():
        for init in (ROOT / folder).rglob("__init__.py"):
            inside = init.parent.relative_to(ROOT / folder).parts
            assert ".".join((package, *inside)) in listed
