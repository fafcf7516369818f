"""The directive `rule-index`: every rule of a game's law with its code and its tests."""

from typing import Any, ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from rule_tests import code_of, rules_of, tests_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


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
