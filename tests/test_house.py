"""The rules of this house, as checks."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import oddville_env.oddville.rules.state as state
from oddville_env.oddville import printed
from oddville_env.oddville.settings import make_box

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {
    "oddville_env": ROOT / "oddville_env",
    "oddville_agents": ROOT / "agents" / "oddville_agents",
    "oddville_training": ROOT / "training" / "oddville_training",
}
RULES = ROOT / "oddville_env" / "oddville" / "rules"
# What a folder imports from beside itself: a game no adapter, an adapter no game.
BELOW = {"core": (), "oddville": ("core",), "envs": ("core",), "cli": ("core", "oddville", "envs")}
DOORS = ("__init__", "oddville_v0", "oddville_envs")  # at the root: where a game and the adapters meet
FREE_NUMBERS = {-1, 0, 1, 2}


def sources(package: str) -> list[Path]:
    return sorted(PACKAGES[package].rglob("*.py"))


def imports(source: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, at any depth."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def folder(module: str) -> str | None:
    """The folder of a module of oddville_env; None for the doors at the root."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in BELOW else None


def rules_told(folder: Path) -> set[str]:
    """The rule ids that tests name."""
    texts = (source.read_text() for source in folder.rglob("test_*.py"))
    return {rule for text in texts for rule in re.findall(r'rule\("([A-Z]\d+)"\)', text)}


def test_every_rule_has_code() -> None:
    missing = [line for line in printed.rules().splitlines() if line.endswith("|  |")]
    assert missing == []


def test_every_rule_and_example_has_a_test() -> None:
    examples = [f"X{number}" for number in range(1, 9)]
    assert sorted({*printed.rule_ids(), *examples} - rules_told(ROOT / "tests")) == []


def test_no_kernel_names_a_rule_that_does_not_exist() -> None:
    known = {*printed.rule_ids(), *(f"X{number}" for number in range(1, 9))}
    for source in (RULES).glob("*.py"):
        for told in re.findall(r'"""\[([A-Z]\d[A-Z0-9 -]*)\]', source.read_text()):
            assert set(printed.expand(told)) <= known, f"{source.name}: {told}"


@pytest.mark.parametrize("source", sources("oddville_env"), ids=lambda source: source.stem)
def test_imports_point_down_the_floors(source: Path) -> None:
    inside = source.relative_to(PACKAGES["oddville_env"]).with_suffix("").parts
    own = folder("oddville_env." + inside[0])
    if own is None:
        assert inside[0] in DOORS
        return
    for name in imports(source):
        assert not name.startswith(("oddville_agents", "oddville_training")), f"{source.name} imports {name}"
        other = folder(name) if name.startswith("oddville_env.") else own
        assert other in (own, *BELOW[own]) or (other is None and own == "cli"), f"{source.name} imports {name}"


def test_agents_do_not_import_training() -> None:
    named = [name for source in sources("oddville_agents") for name in imports(source)]
    assert not [name for name in named if name.startswith("oddville_training")]


def test_no_module_has_a_name_of_the_standard_library() -> None:
    stems = {source.stem for package in PACKAGES for source in sources(package)} - {"__init__", "__main__"}
    assert stems & set(sys.stdlib_module_names) == set()


def test_no_field_of_a_record_has_a_name_of_numpy_records() -> None:
    import numpy as np

    box = make_box()
    assert {*box.games.names, *box.record.dtype.names} & set(dir(np.record)) == set()


@pytest.mark.parametrize("source", sorted((RULES).glob("*.py")), ids=lambda s: s.stem)
def test_no_bare_number_stands_in_the_rules(source: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.FunctionDef)]
    numbers = [
        (node.lineno, node.value)
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in FREE_NUMBERS
    ]
    assert numbers == []


@pytest.mark.parametrize("name", printed.TABLES)
def test_the_printed_tables_are_those_of_the_code(name: str) -> None:
    begin, end = f"<!-- table {name} -->\n", f"\n<!-- end {name} -->"
    homes = [page for page in ROOT.glob("**/*.md") if begin in page.read_text(errors="ignore")]
    assert homes, f"no page shows the table {name}"
    for page in homes:
        shown = page.read_text().split(begin)[1].split(end)[0]
        assert shown == printed.TABLES[name](), f"{page.name}: run `oddville tables {name}`"


def test_the_state_fits_its_bounds() -> None:
    table = state.fields(state.DEFAULT_CELLS, make_box().layout.slots)
    for field in table:
        if field.dtype not in ("?", "u8"):
            kind = state.np.iinfo(field.dtype)
            assert kind.min <= field.low <= field.high <= kind.max, field.name
