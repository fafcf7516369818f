"""Prints the tables of `results.json` and `seeds.json` into the pages that show them.

    python training/benchmarks/print_results.py

A page shows a table between `<!-- results NAME -->` and `<!-- end results -->`. A cell of the file is a text, a number,
or [value, low, high] with the number of games behind it where it is known. `seeds.json` is a results file of
`baselines.py`.
"""

import json
import re
from pathlib import Path
from typing import Any

from oddville_env.core.parts.printed import markdown
from oddville_training.report.baselines import tables

ROOT = Path(__file__).resolve().parents[2]
FILES = [json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8")) for name in ("results", "seeds")]
RESULTS = FILES[0] | tables(FILES[1]["runs"])
TABLE = re.compile(r"(<!-- results (\w+) -->\n).*?(<!-- end results -->)", re.DOTALL)


def cell(value: Any) -> str:
    """A cell of a table as Markdown."""
    if isinstance(value, list):
        middle, low, high, *games = (f"{number:,}" for number in value)
        return " of ".join([f"{middle} ({low}-{high})", *games])
    return value if isinstance(value, str) else f"{value:,}"


def as_markdown(result: dict[str, Any]) -> str:
    """A table as Markdown, with how it was measured below."""
    table = markdown(result["columns"], (tuple(map(cell, row)) for row in result["rows"]))
    by = f"by `{result['command']}`, " if result["command"] else ""
    return f"{table}\n\nMeasured {by}{result['date']}, {result['machine']}.\n"


def printed(page: str) -> str:
    """The text of a page with its tables printed again."""
    return TABLE.sub(lambda found: f"{found[1]}\n{as_markdown(RESULTS[found[2]])}\n{found[3]}", page)


def pages() -> list[Path]:
    """The pages that show results."""
    folders = ("agents", "docs", "oddville_env", "training")
    found = [ROOT / "README.md", *(page for folder in folders for page in (ROOT / folder).rglob("*.md"))]
    return [page for page in found if TABLE.search(page.read_text(encoding="utf-8"))]


if __name__ == "__main__":
    for page in pages():
        page.write_text(printed(page.read_text(encoding="utf-8")), encoding="utf-8")
