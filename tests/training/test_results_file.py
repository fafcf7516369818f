"""The results of a tournament as a stranger's file: each wrong column or figure is refused in a sentence."""

import pickle
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("polars", reason="tournaments need the extra tournament")

import polars as pl

from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament import tournament
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.executors import Here
from oddville_training.tournament.store.folder import RESULTS
from oddville_training.tournament.store.results import read_results
from support.training.small_tournaments import run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# Results


def wrong_values(rows: pl.DataFrame, name: str) -> dict[str, pl.Series]:
    """Columns that should not be in results under this name."""
    number = len(rows)
    return {
        "text": pl.Series(name, ["x"] * number),
        "bytes": pl.Series(name, [b"x"] * number),
        "nothing": pl.Series(name, [None] * number, pl.Int64),
        "lists": pl.Series(name, [[1]] * number),
        "objects": pl.Series(name, [{"a": 1}] * number),
        "dates": pl.Series(name, [0] * number, pl.Date),
        "fractions": pl.Series(name, [0.5] * number),
        "nan": pl.Series(name, [float("nan")] * number),
        "infinity": pl.Series(name, [float("inf")] * number),
        "negative": pl.Series(name, [-1] * number),
        "large": pl.Series(name, [2**62] * number),
        "truth": pl.Series(name, [True] * number),
        "zero": pl.Series(name, [0] * number),
        "seven": pl.Series(name, [7] * number),
    }


def drawn_once(draw: Callable[..., str]) -> Callable[..., str]:
    """A picture that is not drawn again where it shows the same: most wrong columns are in one picture or in none."""
    drawn: dict[bytes, str] = {}

    @wraps(draw)
    def picture(*shown: object) -> str:
        key = pickle.dumps(shown)
        if key not in drawn:
            drawn[key] = draw(*shown)
        return drawn[key]

    return picture


@pytest.fixture(scope="module")
def equal_pictures_drawn_once() -> Iterator[None]:
    """For tests that make very many reports."""
    from oddville_training.report import pictures

    with pytest.MonkeyPatch.context() as patch:
        for name, draw in list(vars(pictures).items()):
            if name.startswith("draw_"):
                patch.setattr(pictures, name, drawn_once(draw))
        yield


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """Those of a few games."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    tournament.run(tournament_config(["random", "greedy"], [2], 2), folder, Here, lambda *_: None)
    return pl.read_parquet(folder / RESULTS)


@pytest.mark.usefixtures("equal_pictures_drawn_once")
@pytest.mark.parametrize("name", ["players", "block", "pairing", "deal", "game", "seat", "agent", "rank", "score"])
def test_results_with_a_wrong_column_are_refused_in_a_sentence(name: str, results: pl.DataFrame) -> None:
    check_refused(name, results)


@pytest.mark.usefixtures("equal_pictures_drawn_once")
@pytest.mark.parametrize("name", ["buildings", "decisions", "think_ms", "slowest_ms", "rounds", "trigger", "failure"])
def test_results_with_a_wrong_figure_are_refused_in_a_sentence(name: str, results: pl.DataFrame) -> None:
    check_refused(name, results)


def refusal(work: Callable[[], object]) -> str:
    """Why results were refused, nothing where they were not."""
    try:
        work()
    except ResultsError as error:
        return str(error)
    return ""


def check_refused(name: str, rows: pl.DataFrame) -> None:
    """A report is made, or a sentence says why not."""
    from oddville_training.report import make_report

    path = Path("a", RESULTS)
    path.parent.mkdir()
    fits = {"text", "zero", "seven", "negative", "large", "nothing", "fractions", "truth"}
    for kind, wrong in wrong_values(rows, name).items():
        rows.with_columns(wrong).write_parquet(path)
        why = refusal(lambda: make_report(Path("a"), progress=False))
        assert "\n" not in why, kind
        assert why or kind in fits, kind


def test_damaged_results_are_refused_in_a_sentence() -> None:
    run()
    path = Path("a", RESULTS)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(60):
        damaged = bytearray(whole)
        for place in rng.integers(0, len(whole), 20):
            damaged[place] = rng.integers(256)
        path.write_bytes(damaged)
        assert "\n" not in refusal(lambda: read_results(Path("a")))
