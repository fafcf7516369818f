"""The directive `rule-index`: every rule of a game's law with its code and its tests.

Rules come from the law, code from the docstrings of kernels, which begin with ids, and tests from their marks
(`@pytest.mark.rule("E1")`) and the names of cases (`"E1: the sixth worker ends the game"`).
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from oddville_env.core.game.game_type import game_type

ROOT = Path(__file__).resolve().parent.parent
LAWS = {"oddville": "RULES.md", "oldtown": "OLDTOWN.md"}
LONGEST = 160  # characters of a rule that are shown
RULE = re.compile(r"^- ([A-Z]\d+) (.+(?:\n +.+)*)", re.MULTILINE)
CASE = re.compile(r"(?P<rules>[A-Z]\d+(, [A-Z]\d+)*): (?P<sentence>.+)")
BEFORE_TEST = "test_"


def law_of(game: str) -> Path:
    """Return the page with a game's rules."""
    return ROOT / "oddville_env" / game / "rules" / LAWS[game]


def rules_of(game: str) -> dict[str, str]:
    """Return the beginning of each rule by its id, in the law's order."""
    return {rule: _beginning(text) for rule, text in RULE.findall(law_of(game).read_text(encoding="utf-8"))}


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


def index_of(game: str) -> str:
    """Return the index as a definition list in Markdown: a rule, its code, its tests."""
    code, tests = code_of(game), tests_of(game)
    lines = []
    for rule, words in rules_of(game).items():
        lines += [f"**{rule}** {words}", f": {code[rule]}" if rule in code else ": a worked example"]
        lines += ["", *(f"  - {test}" for test in tests[rule]), ""]
    return "\n".join(lines)


class RuleIndex(SphinxDirective):
    """The index of a named game."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the list."""
        self.env.note_reread()  # law, code and tests may have changed where the page has not
        index = nodes.container()
        lines = index_of(self.arguments[0]).splitlines()
        self.state.nested_parse(StringList(lines, self.env.docname), 0, index)
        return [index]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive; Sphinx calls this when it loads the module."""
    app.add_directive("rule-index", RuleIndex)
    return {"parallel_read_safe": True}
