"""Measured figures: one data file, and tables printed from it into the pages."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRINTER = runpy.run_path(str(ROOT / "training" / "benchmarks" / "print_results.py"))
PAGES = PRINTER["pages"]()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tables_of_pages_are_those_of_the_results_file(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert PRINTER["printed"](text) == text, "run python training/benchmarks/print_results.py"


def test_every_result_says_how_it_was_measured_and_stands_on_one_page() -> None:
    for name, result in PRINTER["RESULTS"].items():
        assert result["date"], name
        assert result["machine"], name
        assert result["command"] or "command" in result["columns"], name
        assert all(len(row) == len(result["columns"]) for row in result["rows"]), name
        intervals = [each for row in result["rows"] for each in row if isinstance(each, list)]
        assert all(low <= middle <= high for middle, low, high, *_ in intervals), name
        assert sum(f"<!-- results {name} -->" in page.read_text(encoding="utf-8") for page in PAGES) == 1, name


@pytest.mark.parametrize(("row", "what"), [
    ("random play, one core", "random play, 2 players"),
    ("masks and `features`", "1024 games, features, 2 players"),
    ("masks and `summary`", "1024 games, summary, 2 players"),
])  # fmt: skip
def test_rates_of_the_readme_are_those_of_the_results(row: str, what: str) -> None:
    (line,) = (line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if row in line)
    told = [float(rate) for rate in re.findall(r"([\d.]+) million decisions/s", line)]
    for rate, name in zip(told, ("speed_oddville", "speed_oldtown"), strict=True):
        (found,) = (each[1] for each in PRINTER["RESULTS"][name]["rows"] if each[0].startswith(what))
        measured = found[0] if isinstance(found, list) else found
        digits = len(str(rate).partition(".")[2])
        assert round(measured / 1e6, digits) == rate
