"""Every rule of a game's law with its code and its tests.

Rules come from the law, code from the docstrings of kernels, which begin with ids, and tests from their marks
(`@pytest.mark.rule("E1")`) and the names of cases (`"E1: the sixth worker ends the game"`).
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from oddville_env.core.game.game_type import game_type

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 160  # characters of a rule that are shown
RULE = re.compile(r"^- ([A-Z]\d+) (.+(?:\n +.+)*)", re.MULTILINE)
CASE = re.compile(r"(?P<rules>[A-Z]\d+(, [A-Z]\d+)*): (?P<sentence>.+)")
BEFORE_TEST = "test_"


def rules_of(game: str) -> dict[str, str]:
    """Return the beginning of each rule by its id, in the law's order."""
    law = game_type(game).law
    assert law is not None
    return {rule: _beginning(text) for rule, text in RULE.findall(law.read_text(encoding="utf-8"))}


def _beginning(text: str) -> str:
    """Return the first words of a rule as plain text."""
    plain = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)|\*\*|`", r"\1", text).split()).replace("*", r"\*")
    return plain if len(plain) <= LONGEST else plain[:LONGEST].rsplit(" ", 1)[0] + " …"


def code_of(game: str) -> dict[str, str]:
    """Return the functions and classes of each rule by its id, from the game's own table."""
    rows = (line.strip("|").split("|") for line in game_type(game).tables["rules"]().splitlines()[2:])
    return {rule.strip(): homes.strip() for rule, homes in rows}


def tests_of(game: str) -> dict[str, list[str]]:
    """Return the tests marked with each rule by its id, as sentences."""
    found: dict[str, list[str]] = defaultdict(list)
    for source in sorted((ROOT / "tests" / game).rglob("test_*.py")):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith(BEFORE_TEST):
                for rule in _marks(node):
                    found[rule].append(node.name.removeprefix(BEFORE_TEST).replace("_", " "))
            elif isinstance(node, ast.Constant) and (case := CASE.fullmatch(str(node.value))):
                for rule in case["rules"].split(", "):
                    found[rule].append(case["sentence"])
    return found


def _marks(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
            for each in mark.args:
                if isinstance(each, ast.Constant):
                    yield from str(each.value).split(", ")
