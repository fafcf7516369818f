"""The notebooks run from top to bottom on small settings, and are stored with their outputs."""

import ast
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LARGEST = 600_000  # bytes
PARAMETERS = "parameters"  # the tag of the cell that holds a notebook's settings
SMALL: dict[str, dict[str, int]] = {
    "1_first_look": {},
    "2_environment": {"GAMES": 8, "STEPS": 20},
    "3_maskable_ppo": {"STEPS": 2048, "GAMES": 2},
    "4_self_play": {"WARM_GAMES": 42, "ROUND_GAMES": 20, "ROUNDS": 1, "EVALUATION": 12, "DECISIONS": 30},
    "5_tournament": {"BLOCKS": 3, "WORKERS": 1},
    "6_what_wins": {"BLOCKS": 6, "RECORDS": 12, "WORKERS": 1},
    "7_old_town": {"WORLDS": 10, "PUZZLES": 2, "GAMES": 4, "DEALS": 30},
    "8_card_set": {"GAMES": 4, "DRAWN": 1, "LEARN": 20},
    "9_offline": {"GAMES": 12, "EPOCHS": 1, "EVALUATION": 2},
    "10_what_has_changed": {"WARM_GAMES": 42, "ROUND_GAMES": 20, "GAMES": 4, "PAIRS": 2, "SIMS": 20},
    "11_language_models": {"GAMES": 2, "BLOCKS": 2, "PUZZLES": 2},
}
PACKAGES = {"sb3_contrib": "sb3-contrib", "stable_baselines3": "stable-baselines3"}  # by module

of_each_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)


def cells(notebook: Path, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == kind]


def code(notebook: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in cells(notebook, "code")]


@pytest.fixture
def without_windows(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open no window, and close a notebook's figures after it."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    yield
    plt.close("all")


@of_each_notebook
@pytest.mark.usefixtures("without_windows")
def test_notebook_runs(notebook: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(workdir))
    names: dict[str, Any] = {}
    for cell in cells(notebook, "code"):
        exec("".join(cell["source"]), names)
        if PARAMETERS in cell["metadata"].get("tags", []):
            assert SMALL[notebook.stem].keys() <= names.keys()
            names |= SMALL[notebook.stem]


@of_each_notebook
def test_notebook_is_stored_with_its_outputs(notebook: Path) -> None:
    outputs = [output for cell in cells(notebook, "code") for output in cell["outputs"]]
    assert [cell["execution_count"] for cell in cells(notebook, "code")] == list(range(1, len(code(notebook)) + 1))
    assert all(output["output_type"] != "error" and output.get("name") != "stderr" for output in outputs)
    assert notebook.stat().st_size < LARGEST


@of_each_notebook
def test_stored_outputs_contain_no_absolute_paths(notebook: Path) -> None:
    for cell in cells(notebook, "code"):
        for output in cell["outputs"]:
            text = "".join(output.get("text", [])) + "".join(output.get("data", {}).get("text/plain", []))
            assert not re.search(r"(?<![\w.])/(tmp|home|root|Users|var|work)\b", text)


@of_each_notebook
def test_first_cell_names_all_extras_that_a_notebook_needs(notebook: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    first = "".join(cells(notebook, "markdown")[0]["source"])
    named = re.findall(r"`(\w+)`", first.partition("Needs the extra")[2].partition(".")[0])
    needed = [*project["dependencies"], *(each for extra in named for each in project["optional-dependencies"][extra])]
    there = {re.split(r"[^\w-]", each)[0] for each in needed}
    assert named
    for cell in code(notebook):
        for node in ast.walk(ast.parse(cell)):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                package = str(module).partition(".")[0]
                if package not in sys.stdlib_module_names and not package.startswith("oddville_"):
                    assert PACKAGES.get(package, package) in there, f"{notebook.name} imports {package}"
