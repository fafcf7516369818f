"""Reports: pages, pictures and tables of a tournament, and tournaments that have none."""

import json
import os
import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from oddville_training.figure import DARK, LIGHT, ink_on, label
from oddville_training.report import make_report
from oddville_training.statistics.standings import history, standings
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament import results as store
from support.training.synthetic import results

KINDS = ("ratings", "matrix", "course", "points", "seats", "lengths")
EVIL = "<script>alert('1')</script>|`$x$*_[a](b)\n# \x07 \N{CAT FACE}"
STRENGTHS = {"greedy": 400.0, "random": 0.0, EVIL: 200.0}
MANIFEST = {
    "format": "oddville-tournament",
    "version": 1,
    "agents": [{"name": name, "spec": name, "version": "1"} for name in STRENGTHS],
    "players": [2, 3],
    "blocks": 8,
    "seed": 5,
    "machine": {"cpu": "<i>fast</i>", "cores": 2},
    "wall_seconds": 12.34,
}


def folder_of(rows: pl.DataFrame, folder: Path, manifest: object = None) -> Path:
    folder.mkdir(exist_ok=True)
    rows.write_parquet(folder / "results.parquet")
    if manifest is not None:
        (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    """Games of two and of three, with an illegal move in some."""
    both = pl.concat([results(STRENGTHS, 2, 8), results(STRENGTHS, 3, 4, first_block=100)])
    lost = (pl.col("agent") == "random") & (pl.col("rank") == pl.col("players")) & (pl.col("game") % 5 == 0)
    return both.with_columns(failure=pl.when(lost).then(pl.lit("illegal move: <b>done</b>")))


@pytest.fixture(scope="module")
def folder(rows: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with its report, not to be changed."""
    place = folder_of(rows, tmp_path_factory.mktemp("runs") / "run", MANIFEST)
    make_report(place, progress=False)
    return place


def test_report_writes_files_that_are_equal_for_equal_results(rows: pl.DataFrame, folder: Path, tmp_path: Path) -> None:
    pictures = {f"pictures/{kind}-{players}.svg" for kind in KINDS for players in (2, 3)}
    made = {"report.html", "report.md", "ratings.json", "pairwise.csv"}
    again = folder_of(rows.sample(fraction=1, shuffle=True, seed=1), tmp_path / "again", MANIFEST)
    path = make_report(again, progress=False)
    told, told_again = contents(folder), contents(again)
    assert set(told) == pictures | made | {"results.parquet", "manifest.json"}
    assert path == again / "report.html"
    assert {name for name in told if told[name] != told_again[name]} == {"results.parquet"}


def test_the_ratings_and_the_matrix_are_told_in_full(folder: Path, rows: pl.DataFrame) -> None:
    rated = json.loads((folder / "ratings.json").read_text("utf-8"))
    assert (rated["format"], rated["version"]) == ("oddville-ratings", 1)
    assert [each["players"] for each in rated["players"]] == [2, 3]
    for each in rated["players"]:
        assert ({one["agent"] for one in each["agents"]}, each["anchor"]) == (set(STRENGTHS), "random = 0")
        assert "credited with one more game" in each["prior"]
        best = each["agents"][0]
        assert best["elo"]["low"] < best["elo"]["value"] < best["elo"]["high"]
        assert best["superiority"][best["agent"]] is None
        assert best["superiority"]["random"] > 0.5
        assert len(each["seats"]) == each["players"]
    told, stood = pl.read_csv(folder / "pairwise.csv"), standings(rows.filter(players=2), 10)
    assert (set(told["players"]), len(told)) == ({2, 3}, 2 * 3 * 2)
    for row in told.filter(players=2).iter_rows(named=True):
        one, other = stood.names.index(row["agent"]), stood.names.index(row["opponent"])
        assert row["finished_before"] == stood.before[one, other]
        assert row["games"] == row["meetings"] == 16
        assert row["share"] == pytest.approx(row["finished_before"] / row["meetings"])


def test_no_name_is_a_formula_to_a_spreadsheet(tmp_path: Path) -> None:
    names = ["=1+1", "+1", "-1", "@A1", "\t=1", "'plain", "a=1"]
    make_report(folder_of(results(dict.fromkeys(names, 0.0), 2, 3), tmp_path), progress=False)
    told = set(pl.read_csv(tmp_path / "pairwise.csv")["agent"])
    assert told == {"'=1+1", "'+1", "'-1", "'@A1", "'\t=1", "'plain", "a=1"}


def test_the_page_stands_alone_runs_nothing_and_shows_any_name_as_text(folder: Path) -> None:
    html = (folder / "report.html").read_text("utf-8")
    tags, shown = Counter(re.findall(r"<(\w+)", html)), unescape(re.sub(r"<[^>]*>", "", html))
    attributes = re.findall(r'\s([\w:-]+)="([^"]*)"', html)
    addresses = [value for name, value in attributes if name in ("src", "href", "xlink:href", "data")]
    ids = [value for name, value in attributes if name == "id"]
    assert not tags.keys() & {"script", "link", "img", "image", "iframe", "object", "b", "i"}
    assert all(address.startswith("#") for address in addresses)
    assert {address[1:] for address in addresses} <= set(ids)
    assert len(ids) == len(set(ids))
    assert not [name for name, _ in attributes if name.startswith("on")]
    assert tags["svg"] == 2 * len(KINDS)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in attributes
    for said in (EVIL, "<i>fast</i>", "illegal move: <b>done</b>"):
        assert said in shown


def test_markdown_shows_names_as_text_and_links_the_pictures(folder: Path) -> None:
    text = (folder / "report.md").read_text("utf-8")
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert "<" not in text
    assert "&#60;script&#62;alert('1')&#60;/script&#62;&#124;\\`&#36;x&#36;\\*\\_\\[a\\](b) \\#" in text
    assert {f"({path.relative_to(folder)})" for path in folder.glob("pictures/*")} == {
        line[line.rindex("(") :] for line in text.splitlines() if line.startswith("![")
    }
    assert {line.count("|") for line in tables if "illegal" in line} == {4}


def test_what_rounds_to_nothing_has_no_sign(tmp_path: Path) -> None:
    games = results({"a": 0.0, "b": 0.0}, 2, 1)
    even = games.with_columns(rank=(pl.col("seat") + pl.col("game")) % 2 + 1)
    text = make_report(folder_of(even, tmp_path), progress=False).read_text()
    assert "seat 0 0 (0 to 0)" in text
    assert not re.search(r"[-+]0", re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", text, flags=re.DOTALL))


def test_pages_show_winners_intervals_and_settings(folder: Path) -> None:
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text("utf-8")
        for said in (
            "greedy won most often: ",
            "where equals win 33%",
            "Elo points with 95 % intervals",
            "Each agent and each seat is credited with one more game",
            "in blocks of equal deals: 24.",
            "Some pairings have fewer than 10 blocks: the intervals are rough.",
            "12.3",
        ):
            assert said in text, (name, said)


def test_pictures_are_whole_and_in_the_ink_of_the_page(folder: Path) -> None:
    for path in folder.glob("pictures/*.svg"):
        text = path.read_text("utf-8")
        picture = ElementTree.fromstring(text)
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        for said in ("prefers-color-scheme:dark", "currentColor", "#000000", "matplotlib.org"):
            assert (said in text) is (said in ("prefers-color-scheme:dark", "currentColor")), said
        if path.stem.split("-")[0] in ("ratings", "matrix", "points", "course"):
            assert all(name in "".join(picture.itertext()) for name in ("greedy", label(EVIL)))


def test_names_in_pictures_are_short_and_printable_and_letters_on_a_ground_can_be_read() -> None:
    assert label("short $name$") == "short $name$"
    assert label("./runs/of/mine/model.safetensors") == "./runs/of….safetensors"
    assert label("a\x00b\n") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
    assert [ink_on(ground) for ground in ("#000000", "#ffffff", DARK[1])] == [LIGHT[1], LIGHT[0], LIGHT[1]]


def test_the_course_ends_at_the_standing_and_its_band_narrows() -> None:
    games = results({"a": 100.0, "b": 0.0, "c": 50.0}, 3, 60)
    went, stood = history(games.sort("seat", descending=True)), standings(games)
    width = went.high - went.low
    assert (went.blocks[0], went.blocks[-1]) == (2, 60)
    for each in stood.agents:
        place = went.names.index(each.agent)
        assert went.share[-1, place] == pytest.approx(each.wins.value)
        assert width[-1, place] == pytest.approx(each.wins.high - each.wins.low, rel=0.25)
        assert width[-1, place] < width[2:8, place].mean() / 2


def test_a_manifest_may_be_missing_or_say_little(rows: pl.DataFrame, tmp_path: Path) -> None:
    for manifest in (None, {}, {"agents": "two", "seed": None}, {"agents": [{"name": "greedy"}, 3], "players": {}}):
        make_report(folder_of(rows.filter(players=2), tmp_path / "run", manifest), progress=False)
        assert "Two players" in (tmp_path / "run" / "report.md").read_text("utf-8")


def single_players_and_ties(rows: pl.DataFrame) -> pl.DataFrame:
    alone = results({"a": 0.0, "b": 0.0}, 2, 6).filter(seat=0)
    alone = alone.with_columns(players=pl.lit(1, pl.UInt8), rank=pl.lit(1, pl.UInt8), pairing=pl.col("agent"))
    shared = results({"a": 0.0, "b": 0.0}, 3, 6, first_block=50).with_columns(rank=pl.lit(1, pl.UInt8))
    return pl.concat([alone, shared])


def never_moved(rows: pl.DataFrame) -> pl.DataFrame:
    greedy = pl.when(pl.col("agent") == "greedy").then(0)
    return rows.with_columns(greedy.otherwise(pl.col(name)).alias(name) for name in ("think_ms", "decisions"))


@pytest.mark.parametrize(("odd", "told", "not_told"), [
    (lambda rows: results(STRENGTHS, 2, 1), "All games are of one deal", "place is certain"),
    (lambda rows: results({"a": 0.0, "b": 0.0}, 2, 3).with_columns(agent=pl.lit("a")), "Play", "matrix-2.svg"),
    (never_moved, "| greedy | - | ", "nan"),
    (single_players_and_ties, "## One player\n", "nan"),
    (lambda rows: rows.drop("buildings", "characters", "workers", "square"), "made the most points", ", of them"),
], ids=["one deal", "met only itself", "never moved", "single players and ties", "no sources"])  # fmt: skip
def test_odd_results_make_a_report(odd: Any, told: str, not_told: str, rows: pl.DataFrame, tmp_path: Path) -> None:
    make_report(folder_of(odd(rows), tmp_path), progress=False)
    text = (tmp_path / "report.md").read_text("utf-8")
    assert (told in text, not_told in text) == (True, False)


@pytest.mark.parametrize(("content", "sentence"), [
    (None, r"holds no results\.parquet, expected the folder of a tournament"),
    (b"", r"results\.parquet cannot be read"),
    (b"PAR1" + b"\x00" * 64 + b"PAR1", r"results\.parquet cannot be read"),
    (lambda rows: rows[1:].drop("think_ms"), "has no column 'think_ms', expected players, "),
    (lambda rows: rows.clear(), "holds no game yet"),
    (lambda rows: rows, r"holds \d+ rows, expected at most \d+"),
    (5 * 2**30, r"results\.parquet cannot be read .*larger than 4096 MB"),
], ids=["missing", "empty", "shell", "no column", "no row", "too many rows", "large"])  # fmt: skip
def test_results_that_are_none_say_so(
    content: Any, sentence: str, rows: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many rows are refused before they are unpacked."""
    monkeypatch.setattr(store, "MOST_ROWS", len(rows) - 1)
    path = tmp_path / "results.parquet"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, int):
        path.touch()
        os.truncate(path, content)
    elif content is not None:
        folder_of(content(rows), tmp_path)
    with pytest.raises(ResultsError, match=sentence):
        make_report(tmp_path, progress=False)


@pytest.mark.parametrize("text", ["{", "[]", "\x00"])
def test_a_damaged_manifest_says_so(rows: pl.DataFrame, text: str, tmp_path: Path) -> None:
    folder_of(rows, tmp_path)
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ResultsError, match=r"manifest\.json is (not JSON|no manifest)"):
        make_report(tmp_path)
    assert set(contents(tmp_path)) == {"manifest.json", "results.parquet"}
