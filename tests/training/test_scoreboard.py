"""Progress of tournaments, training and evaluation in the terminal."""

import pytest

pytest.importorskip("polars", reason="tournaments need the extra tournament")

import re
import sys
import warnings
from collections.abc import Iterator
from io import StringIO

import polars as pl
from rich import console
from rich.console import Console
from rich.table import Table

from oddville_env.core.system import progress
from oddville_training.program import meter
from oddville_training.tournament.evaluate import Against, Evaluation, table
from oddville_training.tournament.scoreboard import tables
from support.training.synthetic import results

LONG = "./runs/of/mine/a-model-with-a-long-name[1]/model.safetensors"


def shown(what: Table) -> str:
    """The table as a terminal of 80 columns shows it."""
    console = Console(file=StringIO(), width=80, color_system=None)
    console.print(what)
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    return text


def first_column(text: str) -> str:
    """What stands in the first column of a table, on however many lines."""
    return "".join(line.split("  ")[0].strip() for line in text.splitlines())


def test_standing_and_failures_of_a_million_games_fit_into_80_columns() -> None:
    rows = results({LONG: 100.0, "random": 0.0}, 4, 3)
    many = rows.with_columns(think_ms=pl.col("think_ms") * 10_000, slowest_ms=pl.lit(59_999.9))
    text, failures = map(shown, tables(many.with_columns(failure=pl.lit("raised: [red]no[/] " * 8))))
    assert re.search(r"agent +games +wins +95 % +rank +ms a move +slowest", text)
    assert "59,999.9" in text
    assert LONG in first_column(text)
    assert re.search(r"agent +why +games", failures)
    assert "[red]no[/]" in failures
    assert "…" not in text + failures


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_evaluation_fits_into_80_columns(players: int) -> None:
    shares = (1.0,) * players
    against = Against(LONG, 10_000, 1.0, 0.999, 1.0, 123.4, 56.7, 1.25, shares, 123)
    text = shown(table(Evaluation(LONG, players, 0, 10_000, (against,))))
    assert re.search(r"against +games +wins +95 % +by seat, % +score +theirs +rank +cut", text)
    assert re.search(rf"10000 +100.0% +99.9-100.0 +{' '.join(['100'] * players)} +123.4 +56.7 +1.25 +123", text)
    assert "…" not in text


@pytest.fixture
def in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """rich believes that it runs in Jupyter, where the package with its widgets is missing."""
    monkeypatch.setattr(console, "_is_jupyter", lambda: True)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    progress.error_console.cache_clear()
    yield
    progress.error_console.cache_clear()


@pytest.mark.usefixtures("in_a_notebook")
@pytest.mark.parametrize("shown", [True, False])
def test_in_a_notebook_progress_is_plain_text_and_warns_of_nothing(shown: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with meter("games", shown) as bar:
            bar.advance(bar.add_task("played", total=2))
        with progress.console_if(shown).status("the report"):
            pass
