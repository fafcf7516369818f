"""The folder of a tournament: complete after every kill, and files with wrong content."""

import base64
import json
import os
import shutil
from contextlib import suppress
from datetime import date
from math import inf
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import polars as pl
import pytest

from oddville_env.oddville.game_type import ODDVILLE
from oddville_training.learning.run_folder import TrainFolder
from oddville_training.statistics.standings import standings
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament import tournament
from oddville_training.tournament.config import TournamentConfig, entrants_of, tournament_config
from oddville_training.tournament.executors import on_this_machine
from oddville_training.tournament.manifest import GAMES, LINES, MANIFEST, RESULTS, RunError
from oddville_training.tournament.results import Journal, read_results
from oddville_training.tournament.seated_batch import row_type
from support.training.tournaments import TIMES, interrupted, unwatched

pytestmark = pytest.mark.usefixtures("workdir")


def config() -> TournamentConfig:
    return tournament_config(["random", "greedy"], [2, 3], 4, moves=True)


def run(folder: str = "a") -> pl.DataFrame:
    """Play the smallest tournament of games of two and of three; its results."""
    tournament.run(config(), Path(folder), on_this_machine(1), unwatched)
    return read_results(Path(folder)).drop(TIMES)


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an interrupted run, not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "half"
    interrupted(str(folder), config(), 2)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, pl.DataFrame]:
    """The records and results of the same run if nothing disturbs it."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    rows = run(str(folder))
    return (folder / GAMES).read_bytes(), rows


def line(fields: object) -> bytes:
    text = json.dumps(fields).encode()
    return f"{crc32(text):08x}".encode() + b" " + text + b"\n"


def altered(name: str, value: int) -> Any:
    """A change of the rows, whatever else the line says."""

    def change(fields: dict[str, Any]) -> object:
        rows = np.frombuffer(base64.b64decode(fields["rows"]), row_type(ODDVILLE.sources)).copy()
        rows[name][0] = value
        return {**fields, "rows": base64.b64encode(rows.tobytes()).decode()}

    return change


WRONG: dict[str, Any] = {
    "no object": lambda _: [1, 2],
    "rows of text": lambda fields: {**fields, "rows": "no base64"},
    "a block beyond the last": altered("block", 10**6),
    "an agent that does not play": altered("agent", 9),
    "rank 3": altered("rank", 3),
    "a failure that cannot be printed": lambda fields: {**fields, "failed": [[0, 0, "\ud800"]]},
    "a field less": lambda fields: {name: value for name, value in fields.items() if name != "sizes"},
}


def with_first_line(half: Path, change: Any) -> int:
    """How many lines count of a copy of the journal whose first one is another, made of its checksum and fields."""
    path = Path(shutil.copytree(half, "a", dirs_exist_ok=True), LINES)
    first, *rest = path.read_bytes().splitlines(keepends=True)
    checksum, _, text = first.partition(b" ")
    path.write_bytes(change(checksum, json.loads(text)) + b"".join(rest))
    with Journal(Path("a"), config()) as journal:
        return len(journal.entries)


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_journal_line_of_no_game_is_played_again(wrong: Any, half: Path, whole: tuple[bytes, pl.DataFrame]) -> None:
    assert with_first_line(half, lambda _, fields: line(wrong(fields))) == 1
    assert run().equals(whole[1])
    assert Path("a", GAMES).read_bytes() == whole[0]


def test_a_line_that_was_changed_is_worthless_though_it_could_be_true(half: Path) -> None:
    change = altered("score", 99)
    assert with_first_line(half, lambda _, fields: line(change(fields))) == 2
    assert with_first_line(half, lambda checksum, fields: checksum + line(change(fields))[len(checksum) :]) == 1


THINGS: list[Any] = [None, 10**40, [{}], "\ud800"]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: repr(thing)[:12])
def test_a_manifest_that_says_something_else_is_another_tournament(thing: Any, half: Path) -> None:
    path = Path(shutil.copytree(half, "a"), MANIFEST)
    fields = json.loads(path.read_text())
    for name in fields:
        if name in ("format", "version") or fields[name] == thing:
            continue
        path.write_text(json.dumps({**fields, name: thing}))
        if name in ("machine", "wall_seconds", "verdict"):
            interrupted("a", config(), 2)
            assert json.loads(path.read_text())["wall_seconds"] >= 0
        else:
            with pytest.raises(RunError) as refused:
                run()
            assert len(str(refused.value)) < 700


@pytest.mark.parametrize(("specs", "names"), [
    (["a", "a", "a"], ["a", "a #2", "a #3"]), (["a #2", "a", "a", "a #2"], ["a #2", "a", "a #3", "a #2 #2"]),
])  # fmt: skip
def test_no_two_agents_have_one_name(specs: list[str], names: list[str]) -> None:
    assert [entrant.name for entrant in entrants_of(specs)] == names
    assert [entrant.spec for entrant in entrants_of(specs)] == specs


def test_a_folder_whose_name_has_brackets_is_read_and_nothing_in_one_is_loaded_as_an_agent() -> None:
    from oddville_training.report import make_report

    assert len(run("a[1]*")) == 88
    run()
    Path("evil.py").write_text("open('executed', 'w')\nclass Bot: pass")
    path = Path("a", MANIFEST)
    fields = json.loads(path.read_text())
    for agent in fields["agents"]:
        agent |= {"name": "./evil.py:Bot", "spec": "./evil.py:Bot"}
    path.write_text(json.dumps(fields))
    make_report(Path("a"), progress=False)
    with pytest.raises(RunError, match=r"agents is \./evil\.py:Bot"):
        run()
    assert not Path("executed").exists()


WRONG_CELLS = {"text": "x", "nothing": None, "dates": date(2026, 1, 1), "infinity": inf, "large": 2**62}
ALLOWED = {"text": {"pairing", "agent", "failure"}, "nothing": {"failure"}, "large": {"deal", "think_ms"}}


@pytest.mark.parametrize("name", ["players", "pairing", "deal", "rank", "think_ms", "trigger", "failure"])
def test_results_with_a_wrong_column_are_refused_in_a_sentence(name: str, whole: tuple[bytes, pl.DataFrame]) -> None:
    Path("a").mkdir()
    results = whole[1].with_columns(pl.lit(1.0).alias(each) for each in TIMES)
    for kind, cell in WRONG_CELLS.items():
        results.with_columns(pl.Series(name, [cell] * len(results))).write_parquet(Path("a", RESULTS))
        with suppress(ResultsError) if name in ALLOWED.get(kind, ()) else pytest.raises(ResultsError, match=r"^.*$"):
            standings(read_results(Path("a")).filter(players=2))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_named_pipe_in_the_folder_is_refused_before_training(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.json")
    with pytest.raises(OSError, match="not a regular file"):
        TrainFolder(tmp_path).begin(resume=False)
