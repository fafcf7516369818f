"""The rules of the house, for Old Town's folder."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from oddville_env.oldtown import printed
from oddville_env.oldtown.rules.box import BOX
from oddville_env.oldtown.rules.state import FIELDS, STATE

TESTS = Path(__file__).parent
RULES = printed.FOLDER / "rules"
FREE_NUMBERS = {-1, 0, 1, 2}
EXAMPLES = [f"X{number}" for number in range(1, 11)]


def test_every_rule_has_code() -> None:
    missing = [line for line in printed.rules().splitlines() if line.endswith("|  |")]
    assert missing == []


def test_every_rule_and_example_has_a_test() -> None:
    told = {rule for source in TESTS.rglob("test_*.py") for rule in re.findall(r'rule\("(\w+)"\)', source.read_text())}
    assert sorted({*printed.rule_ids(), *EXAMPLES} - told) == []


def test_no_code_names_a_rule_that_does_not_exist() -> None:
    known = {*printed.rule_ids(), *EXAMPLES}
    for source in printed.FOLDER.rglob("*.py"):
        for told in re.findall(r'"""\[([A-Z]\d[A-Z0-9 -]*)\]', source.read_text()):
            assert set(printed.expand(told)) <= known, f"{source.name}: {told}"


def test_no_field_of_a_record_has_a_name_of_numpy_records() -> None:
    assert {*STATE.names, *BOX.names} & set(dir(np.record)) == set()


@pytest.mark.parametrize("source", sorted(RULES.glob("*.py")), ids=lambda source: source.stem)
def test_no_bare_number_stands_in_the_rules(source: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.FunctionDef)]
    numbers = [
        (node.lineno, node.value)
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in FREE_NUMBERS
    ]
    assert numbers == []


def test_the_state_fits_its_bounds_and_its_start_values_are_in_range() -> None:
    for field in FIELDS:
        if field.dtype not in ("?", "u8"):
            kind = np.iinfo(field.dtype)
            assert kind.min <= field.low <= field.high <= kind.max, field.name
        assert field.low <= field.start <= field.high


@pytest.mark.parametrize("name", printed.TABLES)
def test_the_tables_can_be_printed(name: str) -> None:
    assert printed.TABLES[name]().count("\n") > 5
