"""Structure of the code: coverage of the rules, imports, names and printed tables."""

import ast
import re
import runpy
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
RULES = runpy.run_path(str(ROOT / "docs" / "rule_tests.py"))
PACKAGES = {
    "oddville_env": ROOT / "oddville_env",
    "oddville_agents": ROOT / "agents" / "oddville_agents",
    "oddville_training": ROOT / "training" / "oddville_training",
}


class GameCode(NamedTuple):
    """The rules of a game and its code."""

    type: GameType
    law: str
    chapters: str
    """The letters of its rules; worked examples are X."""
    fields: tuple[Field, ...]

    @property
    def folder(self) -> Path:
        return ROOT / "oddville_env" / self.type.name

    @property
    def rules(self) -> list[str]:
        return printed.rule_ids(self.folder / "rules" / self.law, self.chapters)

    @property
    def examples(self) -> list[str]:
        return printed.rule_ids(self.folder / "rules" / self.law, "X")

    @property
    def box(self) -> Any:
        return self.type.box(self.type.settings())


GAMES = (
    GameCode(
        ODDVILLE, "RULES.md", "STWPLBNGCEVK", fields(DEFAULT_CELLS, ODDVILLE.box(ODDVILLE.settings()).layout.slots)
    ),
    GameCode(OLDTOWN, "OLDTOWN.md", "STWCPQBDEOK", FIELDS),
)
CHAPTERS = [
    pytest.param(source, id=f"{game.type.name}-{source.stem}")
    for game in GAMES
    for source in sorted((game.folder / "rules").glob("*.py"))
]
PRINTED = [(game.type, name) for game in GAMES for name in game.type.tables]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.type.name)

# Bottom layer first: a folder imports from itself and from the folders in its set. `.` is the root of a package.
LAYERS: dict[str, set[str]] = {
    "oddville_env.core": set(),
    "oddville_env.oddville": {"oddville_env.core"},
    "oddville_env.oldtown": {"oddville_env.core"},
    "oddville_env.envs": {"oddville_env.core"},
    "oddville_env.": {"oddville_env.core", "oddville_env.oddville", "oddville_env.oldtown", "oddville_env.envs"},
    "oddville_env.web": {"oddville_env.", "oddville_env.core", "oddville_env.envs"},
    "oddville_env.cli": {"oddville_env.", "oddville_env.core", "oddville_env.envs"},
}
ENVIRONMENT = {"oddville_env.", *LAYERS["oddville_env."]}
LAYERS["oddville_env.cli.commands.puzzles"] = {*ENVIRONMENT, "oddville_env.cli"} - {"oddville_env.oddville"}
LAYERS["oddville_agents."] = {"oddville_env.core", "oddville_env.envs"}
LAYERS["oddville_agents.oddville"] = {*ENVIRONMENT, "oddville_agents."} - {"oddville_env.oldtown"}
LAYERS["oddville_agents.oldtown"] = {*ENVIRONMENT, "oddville_agents."} - {"oddville_env.oddville"}
AGENTS = {*ENVIRONMENT, "oddville_agents.", "oddville_agents.oddville", "oddville_agents.oldtown"}
LAYERS["oddville_training."] = AGENTS
TRAINING = {*AGENTS, "oddville_training."}
LAYERS["oddville_training.statistics"] = LAYERS["oddville_training.processes"] = TRAINING
LAYERS["oddville_training.tournament"] = {*TRAINING, "oddville_training.processes", "oddville_training.statistics"}
LAYERS["oddville_training.report"] = LAYERS["oddville_training.tournament"] | {"oddville_training.tournament"}
LAYERS["oddville_training.selfplay"] = LAYERS["oddville_training.report"]
LAYERS["oddville_training.learning"] = LAYERS["oddville_training.selfplay"] | {"oddville_training.selfplay"}
LAYERS["oddville_training.oddville"] = LAYERS["oddville_training.learning"] | {"oddville_training.learning"}
LAYERS["oddville_training.oldtown"] = LAYERS["oddville_training.oddville"]
CORE = ("errors", "checked", "compiled", "disk", "system", "svg", "game", "parts")
"""The files and folders of the core, bottom layer first."""
FREE_NUMBERS = {-1, 0, 1, 2}


def sources(package: str) -> list[Path]:
    return sorted(PACKAGES[package].rglob("*.py"))


def folder_of(module: str) -> str:
    """The folder of LAYERS that holds a module; `__main__` belongs to the command line."""
    package, *rest = module.split(".")
    if rest == ["__main__"]:
        return f"{package}.cli"
    named = [".".join([package, *rest[:depth]]) for depth in range(len(rest), 0, -1)]
    return next((name for name in named if name in LAYERS and rest), f"{package}.")


def name_of(source: Path) -> str:
    (package,) = (name for name, folder in PACKAGES.items() if source.is_relative_to(folder))
    parts = source.relative_to(PACKAGES[package]).with_suffix("").parts
    return ".".join([package, *parts]).removesuffix(".__init__")


@cache
def inner_names() -> frozenset[str]:
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


@every_game
def test_every_rule_has_code_and_a_test_and_no_code_names_another(game: GameCode) -> None:
    assert [line for line in game.type.tables["rules"]().splitlines() if line.endswith("|  |")] == []
    assert len(game.rules) > 40
    assert game.examples
    assert sorted({*game.rules, *game.examples} - RULES["tests_of"](game.type.name).keys()) == []
    for source in game.folder.rglob("*.py"):
        for named in re.findall(r'"""\[([A-Z]\d[A-Z0-9 -]*)\]', source.read_text()):
            assert set(printed.expand(named)) <= {*game.rules, *game.examples}, f"{source.name}: {named}"


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_follow_the_layers(package: str) -> None:
    upward = []
    for source in sources(package):
        own = folder_of(name_of(source))
        for name in inner_imports(source):
            other = folder_of(name) if name.split(".")[0] in PACKAGES else own
            if other != own and other not in LAYERS[own] and name != package:
                upward.append(f"{name_of(source)} imports {name}")
    assert upward == []


NO_GAME = [PACKAGES["oddville_env"] / part for part in ("core", "envs", "web")]
NO_GAME += [PACKAGES["oddville_agents"], PACKAGES["oddville_training"]]
MAY_NAME_A_GAME = {
    "roster.py": "FIRST_GAME, the default where no game is named",
    "threads.py": "the package's name in the names of threads",
    "extras.py": "the extras as pyproject.toml describes them",
}


def test_no_module_outside_a_games_folders_names_a_game() -> None:
    names = {game.type.name for game in GAMES}
    titled = {game.type.title for game in GAMES}
    titles = re.compile("|".join(titled | {title.replace(" ", "") for title in titled}))
    for source in (path for folder in NO_GAME for path in sorted(folder.rglob("*.py"))):
        if names & set(source.relative_to(ROOT).parts[2:]) or source.name in MAY_NAME_A_GAME:
            continue
        tree = ast.parse(source.read_text(encoding="utf-8"))
        with_docs = ast.Module | ast.ClassDef | ast.FunctionDef
        docs = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, with_docs)}
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = [value for value in constants if isinstance(value, str)]
        assert not [text for text in texts if text not in docs and (text in names or titles.search(text))], source
        assert not [module for module in inner_imports(source) if names & set(module.split(".")[1:])], source


def test_folders_of_the_core_import_lower_ones_only() -> None:
    core = PACKAGES["oddville_env"] / "core"
    assert {path.stem for path in core.iterdir() if not path.name.startswith("__")} == set(CORE)
    for source in [*core.glob("[!_]*.py"), *core.glob("*/*.py")]:
        layer = source.relative_to(core).with_suffix("").parts[0]
        inner = {name.split(".")[2] for name in inner_imports(source) if name.startswith("oddville_env.core.")}
        assert inner <= set(CORE[: CORE.index(layer) + 1]), name_of(source)


@pytest.mark.parametrize("package", PACKAGES)
def test_text_files_are_read_and_written_with_an_encoding(package: str) -> None:
    for source in sources(package):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("read_text", "write_text"):
                assert "encoding" in {word.arg for word in node.keywords}, f"{source.name}: line {node.lineno}"


def test_modules_do_not_import_each_other_in_circles_nor_have_names_of_the_standard_library() -> None:
    arrows = {name_of(source): set(inner_imports(source)) for package in PACKAGES for source in sources(package)}
    while leaves := [name for name, others in arrows.items() if not others & arrows.keys() - {name}]:
        for name in leaves:
            del arrows[name]
    assert arrows == {}
    stems = {source.stem for package in PACKAGES for source in sources(package)} - {"__init__", "__main__"}
    assert stems & set(sys.stdlib_module_names) == set()


@every_game
def test_fields_fit_their_bounds_and_have_no_name_of_numpy_records(game: GameCode) -> None:
    assert {*game.box.games.names, *game.box.record.dtype.names} & set(dir(np.record)) == set()
    for field in game.fields:
        if field.dtype not in ("?", "u8"):
            kind = np.iinfo(field.dtype)
            assert kind.min <= field.low <= field.high <= kind.max, field.name


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
def test_printed_tables_are_those_of_the_code(game: GameType, name: str) -> None:
    begin, end = f"<!-- table {name} -->\n", f"\n<!-- end {name} -->"
    homes = [page for page in (ROOT / "oddville_env" / game.name).glob("**/*.md") if begin in page.read_text()]
    assert homes, f"no page shows the table {name}"
    for page in homes:
        shown = page.read_text().split(begin)[1].split(end)[0]
        assert shown == game.tables[name](), f"{page.name}: run `{game.name} tables {name}`"


@every_game
def test_page_of_a_games_agents_shows_their_options(game: GameCode) -> None:
    page = (ROOT / "agents" / "oddville_agents" / game.type.name / "README.md").read_text()
    shown = page.split("<!-- table options -->\n")[1].split("\n<!-- end options -->")[0]
    assert shown == option_table(game.type.name), f"run `{game.type.name} tables options`"
