"""Folders of tournaments of 0.1.0 are read, and gone on with."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from frozen.doors import DATA, done, oddville
from frozen.tournaments import TIMES, finished
from oddville_env import __version__

COMMAND = ("greedy", "random", "--players", "2,3", "--blocks", 3, "--seed", 4, "--moves", "--workers", 1)


@pytest.fixture
def cups(tmp_path: Path) -> Path:
    """Copies of two folders that 0.1.0 left with the same command: `finished`, and `stopped` after some blocks."""
    pytest.importorskip("polars")
    pytest.importorskip("matplotlib")
    return Path(shutil.copytree(DATA / "tournaments", tmp_path / "cups"))


def as_of(folder: Path, package: str) -> None:
    """A run is gone on with by the version that began it: say which one that was."""
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"package": package}, indent=1) + "\n")


def test_a_finished_tournament_is_reported_as_it_was(cups: Path) -> None:
    folder = cups / "finished"
    kept = {name: (folder / name).read_bytes() for name in ("ratings.json", "pairwise.csv")}
    for name in kept:
        (folder / name).unlink()
    done("report", folder)
    rated, before = json.loads((folder / "ratings.json").read_text()), json.loads(kept["ratings.json"])
    # The figures come from a solver: another processor may round the last digits otherwise.
    assert flat(rated) == {name: about(value) for name, value in flat(before).items()}
    assert (folder / "pairwise.csv").read_bytes() == kept["pairwise.csv"]
    assert (folder / "report.html").exists()


def about(value: Any) -> Any:
    return pytest.approx(value, rel=1e-6, abs=1e-9) if isinstance(value, float) else value


def flat(value: Any, name: str = "") -> dict[str, Any]:
    """The leaves of a JSON value by their places."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        return {place: leaf for key, part in parts for place, leaf in flat(part, f"{name}/{key}").items()}
    return {name: value}


def test_a_finished_tournament_is_not_played_again(cups: Path) -> None:
    folder = cups / "finished"
    as_of(folder, __version__)
    kept = {path: path.read_bytes() for path in folder.iterdir() if path.suffix in (".json", ".parquet", ".gz")}
    done("tournament", *COMMAND, "--out", folder)
    del kept[folder / "ratings.json"]
    assert {path: path.read_bytes() for path in kept} == kept


def test_a_stopped_tournament_goes_on(cups: Path) -> None:
    import polars as pl

    as_of(cups / "stopped", __version__)
    done("tournament", *COMMAND, "--out", cups / "stopped")
    told = {name: finished(cups / name) for name in ("finished", "stopped")}
    for each in told.values():
        del each["files"]
    assert told["stopped"] == told["finished"]
    # What the journal held was not played anew: its times are those of then.
    kept = json.loads((DATA / "journal.json").read_text())
    rows = pl.read_parquet(cups / "stopped" / "results.parquet").filter(pl.col("block").is_in(kept["blocks"]))
    assert rows.select("block", *TIMES).rows() == [tuple(row) for row in kept["times"]]


@pytest.mark.parametrize("name", ["finished", "stopped"])
def test_a_tournament_of_another_version_is_refused_in_a_sentence(cups: Path, name: str) -> None:
    as_of(cups / name, "0.0.9")
    said = oddville("tournament", *COMMAND, "--out", cups / name)
    assert said.code == 1
    assert "package is" in said.err
    assert len(said.err.strip().splitlines()) == 1
