"""What a report says of results that are missing, damaged or much too large."""

import os
from pathlib import Path

import pytest

pytest.importorskip("polars", reason="tournaments need the extra tournament")
pytest.importorskip("matplotlib", reason="tournaments need the extra tournament")

import polars as pl

from oddville_training.report import make_report
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament.store import results as store
from support.training.reports import contents, folder_of, mixed_rows

LARGEST = 5 * 2**30


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return mixed_rows()


def test_a_folder_without_results_says_so(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"holds no results\.parquet, expected the folder of a tournament"):
        make_report(tmp_path)


@pytest.mark.parametrize("junk", [b"", b"junk", b"PAR1" + b"\x00" * 64 + b"PAR1"], ids=["empty", "junk", "shell"])
def test_damaged_results_say_so(junk: bytes, tmp_path: Path) -> None:
    (tmp_path / "results.parquet").write_bytes(junk)
    with pytest.raises(ResultsError, match=r"results\.parquet cannot be read"):
        make_report(tmp_path)


def test_results_of_another_kind_say_so(rows: pl.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="has no column 'think_ms', expected players, "):
        make_report(folder_of(rows.drop("think_ms"), tmp_path))
    with pytest.raises(ResultsError, match="holds no game yet"):
        make_report(folder_of(rows.clear(), tmp_path))


@pytest.mark.parametrize("text", ["{", "[]", "\x00"])
def test_a_damaged_manifest_says_so(rows: pl.DataFrame, text: str, tmp_path: Path) -> None:
    folder_of(rows, tmp_path)
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ResultsError, match=r"manifest\.json is no (JSON|manifest)"):
        make_report(tmp_path)
    assert set(contents(tmp_path)) == {"manifest.json", "results.parquet"}


def test_results_that_no_memory_could_hold_are_refused_before_they_are_read(rows: pl.DataFrame, tmp_path: Path) -> None:
    with (folder_of(rows, tmp_path) / "results.parquet").open("ab") as file:
        file.truncate(LARGEST)
    with pytest.raises(ResultsError, match=r"results\.parquet cannot be read .*larger than 4096 MB"):
        make_report(tmp_path, progress=False)


def test_a_small_file_of_very_many_rows_is_refused_before_it_is_unpacked(
    rows: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder_of(rows, tmp_path)
    monkeypatch.setattr(store, "MOST_ROWS", len(rows) - 1)
    with pytest.raises(ResultsError, match=f"holds {len(rows)} rows, expected at most {len(rows) - 1}"):
        make_report(tmp_path, progress=False)


def test_a_pipe_in_place_of_results_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "results.parquet")
    with pytest.raises(ResultsError, match="no regular file"):
        make_report(tmp_path, progress=False)
