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
# From the ground up: a folder imports from itself and from those that stand in its set. `.` is the root of a package.
FLOORS: dict[str, set[str]] = {
    "oddville_env.core": set(),
    "oddville_env.oddville": {"oddville_env.core"},
    "oddville_env.oldtown": {"oddville_env.core"},
    "oddville_env.envs": {"oddville_env.core"},
    "oddville_env.": {"oddville_env.core", "oddville_env.oddville", "oddville_env.envs"},
    "oddville_env.web": {"oddville_env.", "oddville_env.core", "oddville_env.envs"},
    "oddville_env.cli": {"oddville_env.", "oddville_env.core", "oddville_env.oddville", "oddville_env.envs"},
}
ENVIRONMENT = {"oddville_env.", "oddville_env.core", "oddville_env.oddville", "oddville_env.envs"}
FLOORS["oddville_agents."] = ENVIRONMENT
FLOORS["oddville_agents.oddville"] = {*ENVIRONMENT, "oddville_agents."}
AGENTS = {*ENVIRONMENT, "oddville_agents.", "oddville_agents.oddville"}
FLOORS["oddville_training."] = AGENTS
FLOORS["oddville_training.statistics"] = {*AGENTS, "oddville_training."}
FLOORS["oddville_training.tournament"] = FLOORS["oddville_training.statistics"] | {"oddville_training.statistics"}
FLOORS["oddville_training.report"] = FLOORS["oddville_training.tournament"] | {"oddville_training.tournament"}
FLOORS["oddville_training.tuning"] = FLOORS["oddville_training.report"]
FLOORS["oddville_training.learning"] = FLOORS["oddville_training.report"]
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


def folder_of(module: str) -> str:
    """The folder of FLOORS that a module lies in; `__main__` is the command line's."""
    package, *rest = module.split(".")
    if rest == ["__main__"]:
        return f"{package}.cli"
    return f"{package}.{rest[0]}" if rest and f"{package}.{rest[0]}" in FLOORS else f"{package}."


def name_of(source: Path) -> str:
    """The full name of a module."""
    (package,) = (name for name, folder in PACKAGES.items() if source.is_relative_to(folder))
    parts = source.relative_to(PACKAGES[package]).with_suffix("").parts
    return ".".join([package, *parts]).removesuffix(".__init__")


def inner_imports(source: Path) -> Iterator[str]:
    """The full names of the modules and packages that a file imports from these packages, at any depth."""
    known = {name_of(each) for package in PACKAGES for each in sources(package)}
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = name_of(source).split(".")[: -node.level] if node.level else []
            home = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                name = f"{home}.{alias.name}"
                yield from [each for each in (name if name in known else home,) if each in known]


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


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_down_the_floors(package: str) -> None:
    upward = []
    for source in sources(package):
        own = folder_of(name_of(source))
        for name in imports(source):
            other = folder_of(name) if name.split(".")[0] in PACKAGES else own
            if other != own and other not in FLOORS[own] and name != package:
                upward.append(f"{name_of(source)} imports {name}")
    assert upward == []


def test_modules_do_not_import_each_other_in_circles() -> None:
    arrows = {name_of(source): set(inner_imports(source)) for package in PACKAGES for source in sources(package)}
    while leaves := [name for name, others in arrows.items() if not others & arrows.keys() - {name}]:
        for name in leaves:
            del arrows[name]
    assert arrows == {}


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
