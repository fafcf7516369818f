"""The rules of this house, as checks."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from oddville_agents.roster import option_table
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts import printed
from oddville_env.core.parts.fields import Field
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.rules.state import DEFAULT_CELLS, fields
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.rules.state import FIELDS

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {
    "oddville_env": ROOT / "oddville_env",
    "oddville_agents": ROOT / "agents" / "oddville_agents",
    "oddville_training": ROOT / "training" / "oddville_training",
}


class Wing(NamedTuple):
    """A game's law and its code."""

    game: GameType
    law: str
    chapters: str
    """The letters of its rules; worked examples are X."""
    fields: tuple[Field, ...]

    @property
    def folder(self) -> Path:
        return ROOT / "oddville_env" / self.game.name

    @property
    def rules(self) -> list[str]:
        return printed.rule_ids(self.folder / "rules" / self.law, self.chapters)

    @property
    def examples(self) -> list[str]:
        return printed.rule_ids(self.folder / "rules" / self.law, "X")

    @property
    def box(self) -> Any:
        return self.game.box(self.game.settings())


WINGS = (
    Wing(ODDVILLE, "RULES.md", "STWPLBNGCEVK", fields(DEFAULT_CELLS, ODDVILLE.box(ODDVILLE.settings()).layout.slots)),
    Wing(OLDTOWN, "OLDTOWN.md", "STWCPQBDEOK", FIELDS),
)
CHAPTERS = [
    pytest.param(source, id=f"{wing.game.name}-{source.stem}")
    for wing in WINGS
    for source in sorted((wing.folder / "rules").glob("*.py"))
]
PRINTED = [(wing.game, name) for wing in WINGS for name in wing.game.tables]
every_wing = pytest.mark.parametrize("wing", WINGS, ids=lambda wing: wing.game.name)

# From the ground up: a folder imports from itself and from those that stand in its set. `.` is the root of a package.
FLOORS: dict[str, set[str]] = {
    "oddville_env.core": set(),
    "oddville_env.oddville": {"oddville_env.core"},
    "oddville_env.oldtown": {"oddville_env.core"},
    "oddville_env.envs": {"oddville_env.core"},
    "oddville_env.": {"oddville_env.core", "oddville_env.oddville", "oddville_env.oldtown", "oddville_env.envs"},
    "oddville_env.web": {"oddville_env.", "oddville_env.core", "oddville_env.envs"},
    "oddville_env.cli": {"oddville_env.", "oddville_env.core", "oddville_env.envs"},
}
ENVIRONMENT = {"oddville_env.", *FLOORS["oddville_env."]}
FLOORS["oddville_env.cli.commands.puzzles"] = {*ENVIRONMENT, "oddville_env.cli"} - {"oddville_env.oddville"}
FLOORS["oddville_env.cli.commands.solve"] = {
    *FLOORS["oddville_env.cli.commands.puzzles"],
    "oddville_env.cli.commands.puzzles",
}
FLOORS["oddville_agents."] = {"oddville_env.core", "oddville_env.envs"}
FLOORS["oddville_agents.oddville"] = {*ENVIRONMENT, "oddville_agents."} - {"oddville_env.oldtown"}
FLOORS["oddville_agents.oldtown"] = {*ENVIRONMENT, "oddville_agents."} - {"oddville_env.oddville"}
AGENTS = {*ENVIRONMENT, "oddville_agents.", "oddville_agents.oddville", "oddville_agents.oldtown"}
FLOORS["oddville_training."] = AGENTS
FLOORS["oddville_training.statistics"] = {*AGENTS, "oddville_training."}
FLOORS["oddville_training.work"] = {*AGENTS, "oddville_training."}
FLOORS["oddville_training.tournament"] = FLOORS["oddville_training.work"] | {
    "oddville_training.work",
    "oddville_training.statistics",
}
FLOORS["oddville_training.report"] = FLOORS["oddville_training.tournament"] | {"oddville_training.tournament"}
FLOORS["oddville_training.selfplay"] = FLOORS["oddville_training.report"]
FLOORS["oddville_training.learning"] = FLOORS["oddville_training.selfplay"] | {"oddville_training.selfplay"}
FLOORS["oddville_training.oddville"] = FLOORS["oddville_training.learning"] | {"oddville_training.learning"}
FLOORS["oddville_training.oldtown"] = FLOORS["oddville_training.oddville"]
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
    named = [".".join([package, *rest[:depth]]) for depth in range(len(rest), 0, -1)]
    return next((name for name in named if name in FLOORS and rest), f"{package}.")


def name_of(source: Path) -> str:
    """The full name of a module."""
    (package,) = (name for name, folder in PACKAGES.items() if source.is_relative_to(folder))
    parts = source.relative_to(PACKAGES[package]).with_suffix("").parts
    return ".".join([package, *parts]).removesuffix(".__init__")


@cache
def inner_names() -> frozenset[str]:
    """The full names of all modules."""
    return frozenset(name_of(each) for package in PACKAGES for each in sources(package))


def inner_imports(source: Path) -> Iterator[str]:
    """The full names of the modules and packages that a file imports from these packages, at any depth."""
    known = inner_names()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = name_of(source).split(".")[: -node.level] if node.level else []
            home = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                name = f"{home}.{alias.name}"
                yield from [each for each in (name if name in known else home,) if each in known]


def rules_tested(game: str) -> set[str]:
    """The rule ids that a game's tests name."""
    texts = (source.read_text() for source in (ROOT / "tests" / game).rglob("test_*.py"))
    return {rule for text in texts for rule in re.findall(r'rule\("([A-Z]\d+)"\)', text)}


@every_wing
def test_every_rule_has_code(wing: Wing) -> None:
    missing = [line for line in wing.game.tables["rules"]().splitlines() if line.endswith("|  |")]
    assert missing == []
    assert len(wing.rules) > 40


@every_wing
def test_every_rule_and_example_has_a_test(wing: Wing) -> None:
    assert wing.examples
    assert sorted({*wing.rules, *wing.examples} - rules_tested(wing.game.name)) == []


@every_wing
def test_no_code_names_a_rule_that_does_not_exist(wing: Wing) -> None:
    for source in wing.folder.rglob("*.py"):
        for named in re.findall(r'"""\[([A-Z]\d[A-Z0-9 -]*)\]', source.read_text()):
            assert set(printed.expand(named)) <= {*wing.rules, *wing.examples}, f"{source.name}: {named}"


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


NO_GAME = (
    "oddville_env/core",
    "oddville_env/envs",
    "oddville_env/web",
    "agents/oddville_agents",
    "training/oddville_training",
)
MAY_NAME_A_GAME = {
    "roster.py": "FIRST_GAME, the default where no game is named",
    "threads.py": "the package's name in the names of threads",
    "extras.py": "the extras as pyproject.toml describes them",
}


def test_no_module_outside_a_games_folders_names_a_game() -> None:
    names = {wing.game.name for wing in WINGS}
    titles = re.compile(
        "|".join({wing.game.title for wing in WINGS} | {wing.game.title.replace(" ", "") for wing in WINGS})
    )
    for source in (path for folder in NO_GAME for path in sorted((ROOT / folder).rglob("*.py"))):
        if names & set(source.relative_to(ROOT).parts[2:]) or source.name in MAY_NAME_A_GAME:
            continue
        tree = ast.parse(source.read_text(encoding="utf-8"))
        docs = {
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        }
        texts = [
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert not [text for text in texts if text not in docs and (text in names or titles.search(text))], source
        assert not [module for module in imports(source) if names & set(module.split(".")[1:])], source


def test_modules_do_not_import_each_other_in_circles() -> None:
    arrows = {name_of(source): set(inner_imports(source)) for package in PACKAGES for source in sources(package)}
    while leaves := [name for name, others in arrows.items() if not others & arrows.keys() - {name}]:
        for name in leaves:
            del arrows[name]
    assert arrows == {}


def test_no_module_has_a_name_of_the_standard_library() -> None:
    stems = {source.stem for package in PACKAGES for source in sources(package)} - {"__init__", "__main__"}
    assert stems & set(sys.stdlib_module_names) == set()


@every_wing
def test_no_field_of_a_record_has_a_name_of_numpy_records(wing: Wing) -> None:
    assert {*wing.box.games.names, *wing.box.record.dtype.names} & set(dir(np.record)) == set()


@pytest.mark.parametrize("source", CHAPTERS)
def test_no_bare_number_stands_in_the_rules(source: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.FunctionDef)]
    numbers = [
        (node.lineno, node.value)
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in FREE_NUMBERS
    ]
    assert numbers == []


@pytest.mark.parametrize(("game", "name"), PRINTED, ids=lambda each: getattr(each, "name", each))
def test_the_printed_tables_are_those_of_the_code(game: GameType, name: str) -> None:
    begin, end = f"<!-- table {name} -->\n", f"\n<!-- end {name} -->"
    homes = [page for page in (ROOT / "oddville_env" / game.name).glob("**/*.md") if begin in page.read_text()]
    assert homes, f"no page shows the table {name}"
    for page in homes:
        shown = page.read_text().split(begin)[1].split(end)[0]
        assert shown == game.tables[name](), f"{page.name}: run `{game.name} tables {name}`"


@every_wing
def test_the_page_of_a_games_agents_shows_their_options(wing: Wing) -> None:
    page = (ROOT / "agents" / "oddville_agents" / wing.game.name / "README.md").read_text()
    shown = page.split("<!-- table options -->\n")[1].split("\n<!-- end options -->")[0]
    assert shown == option_table(wing.game.name), f"run `{wing.game.name} tables options`"


@every_wing
def test_the_state_fits_its_bounds(wing: Wing) -> None:
    for field in wing.fields:
        if field.dtype not in ("?", "u8"):
            kind = np.iinfo(field.dtype)
            assert kind.min <= field.low <= field.high <= kind.max, field.name
