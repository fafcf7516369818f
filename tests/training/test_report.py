"""Reports: pages, pictures and tables of a tournament, and tournaments that have none."""

import pytest

pytest.importorskip("polars", reason="tournaments need the extra tournament")
pytest.importorskip("matplotlib", reason="tournaments need the extra tournament")

import json
import os
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from time import process_time
from xml.etree import ElementTree

import polars as pl
import pytest

from oddville_training.figure import DARK, LIGHT, ink_on, label
from oddville_training.report import make_report
from oddville_training.statistics.history import history
from oddville_training.statistics.standings import standings
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament.store import results as store
from support.training.reports import EVIL, MANIFEST, STRENGTHS, contents, folder_of, mixed_rows
from support.training.synthetic import results

KINDS = ("ratings", "matrix", "course", "points", "seats", "lengths")


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return mixed_rows()


@pytest.fixture(scope="module")
def folder(rows: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with its report, not to be changed."""
    place = folder_of(rows, tmp_path_factory.mktemp("runs") / "run", MANIFEST)
    make_report(place, progress=False)
    return place


class Page(HTMLParser):
    """What a browser makes of a page: its tags, its attributes and all text outside of style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


# Files


def test_a_report_writes_these_files_and_nothing_else(folder: Path) -> None:
    pictures = {f"pictures/{kind}-{players}.svg" for kind in KINDS for players in (2, 3)}
    made = {"report.html", "report.md", "ratings.json", "pairwise.csv"}

    assert set(contents(folder)) == pictures | made | {"results.parquet", "manifest.json"}


def test_equal_results_give_equal_bytes(rows: pl.DataFrame, folder: Path, tmp_path: Path) -> None:
    again = folder_of(rows.sample(fraction=1, shuffle=True, seed=1), tmp_path / "again", MANIFEST)
    path = make_report(again, progress=False)
    told, told_again = contents(folder), contents(again)

    assert path == again / "report.html"
    assert {name for name in told if told[name] != told_again[name]} == {"results.parquet"}


def test_the_ratings_are_told_in_full(folder: Path) -> None:
    rated = json.loads((folder / "ratings.json").read_text("utf-8"))

    assert (rated["format"], rated["version"]) == ("oddville-ratings", 1)
    assert [each["players"] for each in rated["players"]] == [2, 3]
    for each in rated["players"]:
        assert {one["agent"] for one in each["agents"]} == set(STRENGTHS)
        assert each["anchor"] == "random = 0"
        assert "credited with one more game" in each["prior"]
        best = each["agents"][0]
        assert best["elo"]["low"] < best["elo"]["value"] < best["elo"]["high"]
        assert best["superiority"][best["agent"]] is None
        assert best["superiority"]["random"] > 0.5
        assert len(each["seats"]) == each["players"]


def test_the_matrix_is_told_in_full(rows: pl.DataFrame, folder: Path) -> None:
    told = pl.read_csv(folder / "pairwise.csv")
    stood = standings(rows.filter(players=2), 10)

    assert set(told["players"]) == {2, 3}
    assert len(told) == 2 * 3 * 2
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


# Pages


def test_the_page_stands_alone_and_runs_nothing(folder: Path) -> None:
    page = Page((folder / "report.html").read_text("utf-8"))
    addresses = [value or "" for name, value in page.attributes if name in ("src", "href", "xlink:href", "data")]

    assert not page.tags.keys() & {"script", "link", "img", "image", "iframe", "object", "b", "i"}
    assert all(address.startswith("#") for address in addresses)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert page.tags["svg"] == 2 * len(KINDS)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes


def test_whatever_agents_are_called_the_page_shows_it_as_text(folder: Path) -> None:
    page = Page((folder / "report.html").read_text("utf-8"))

    assert EVIL in page.text
    assert "<i>fast</i>" in page.text
    assert "illegal move: <b>done</b>" in page.text


def test_ids_are_unique_on_the_page(folder: Path) -> None:
    page = Page((folder / "report.html").read_text("utf-8"))
    ids = Counter(value for name, value in page.attributes if name == "id")
    links = {(value or "")[1:] for name, value in page.attributes if name == "xlink:href" and (value or "")[0] == "#"}

    assert {name for name, number in ids.items() if number > 1} == set()
    assert links <= set(ids)


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
    for said in ("-0", "+0"):
        assert said not in re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", text, flags=re.DOTALL), said


def test_pages_show_winners_intervals_and_settings(folder: Path) -> None:
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text("utf-8")
        for said in (
            "greedy won most often: ",
            "where equals win 33%",
            "Elo points with 95 % intervals",
            "Each agent and each seat is credited with one more game",
            "in blocks of equal deals: 24.",
            "Some pairings have fewer than 10 blocks: take the intervals for rough.",
            "12.3",
        ):
            assert said in text, (name, said)


# Pictures


def test_pictures_are_whole_and_in_the_ink_of_the_page(folder: Path) -> None:
    for path in folder.glob("pictures/*.svg"):
        text = path.read_text("utf-8")
        picture = ElementTree.fromstring(text)

        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        assert "prefers-color-scheme:dark" in text
        assert "currentColor" in text
        assert "#000000" not in text
        assert "matplotlib.org" not in text


def test_pictures_name_the_agents(folder: Path) -> None:
    for kind in ("ratings", "matrix", "points", "course"):
        words = "".join(ElementTree.fromstring((folder / f"pictures/{kind}-2.svg").read_bytes()).itertext())
        assert "greedy" in words
        assert label(EVIL) in words


def test_a_long_name_is_cut_in_the_middle_and_signs_are_replaced() -> None:
    assert label("short $name$") == "short $name$"
    assert label("./runs/of/mine/model.safetensors") == "./runs/of….safetensors"
    assert label("a\x00b\n") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(("ground", "ink"), [("#000000", LIGHT[1]), ("#ffffff", LIGHT[0]), (DARK[1], LIGHT[1])])
def test_letters_on_a_ground_can_be_read(ground: str, ink: str) -> None:
    assert ink_on(ground) == ink


def test_of_one_deal_no_place_is_called_sure(tmp_path: Path) -> None:
    page = make_report(folder_of(results(STRENGTHS, 2, 1), tmp_path / "run"), progress=False).read_text()
    assert "All games are of one deal" in page
    assert "place is sure" not in page


def test_the_course_ends_at_the_standing_and_its_band_narrows() -> None:
    games = results({"a": 100.0, "b": 0.0, "c": 50.0}, 3, 60)
    went, stood = history(games.sort("seat", descending=True)), standings(games)
    width = went.high - went.low

    assert went.blocks[0] == 2
    assert went.blocks[-1] == 60
    for each in stood.agents:
        place = went.names.index(each.agent)
        assert went.share[-1, place] == pytest.approx(each.wins.value)
        assert width[-1, place] == pytest.approx(each.wins.high - each.wins.low, rel=0.25)
        assert width[-1, place] < width[2:8, place].mean() / 2


# Little to go by, and mistakes


def test_a_manifest_may_be_missing_or_say_little(rows: pl.DataFrame, tmp_path: Path) -> None:
    for manifest in (None, {}, {"agents": "two", "seed": None}, {"agents": [{"name": "greedy"}, 3], "players": {}}):
        make_report(folder_of(rows.filter(players=2), tmp_path / "run", manifest), progress=False)
        assert "Two players" in (tmp_path / "run" / "report.md").read_text("utf-8")


@pytest.mark.parametrize("players", [2, 4])
def test_a_single_block_makes_a_report(players: int, tmp_path: Path) -> None:
    page = make_report(folder_of(results({"a": 0.0, "b": 0.0}, players, 1), tmp_path), progress=False)

    assert "take the intervals for rough" in page.read_text("utf-8")


def test_an_agent_that_met_only_itself_makes_a_report(tmp_path: Path) -> None:
    folder = folder_of(results({"a": 0.0, "b": 0.0}, 2, 3).with_columns(agent=pl.lit("a")), tmp_path)
    make_report(folder, progress=False)

    assert not (folder / "pictures/matrix-2.svg").exists()


def test_an_agent_that_never_came_to_move_makes_a_report(rows: pl.DataFrame, tmp_path: Path) -> None:
    stopped = pl.when(pl.col("agent") == "greedy").then(0)
    idle = rows.with_columns(
        think_ms=stopped.otherwise(pl.col("think_ms")), decisions=stopped.otherwise(pl.col("decisions"))
    )
    make_report(folder_of(idle, tmp_path), progress=False)
    text = (tmp_path / "report.md").read_text("utf-8")

    assert "| greedy | - | " in text
    assert "nan" not in text


def test_single_players_and_ties_make_a_report(tmp_path: Path) -> None:
    alone = results({"a": 0.0, "b": 0.0}, 2, 6).filter(seat=0)
    alone = alone.with_columns(players=pl.lit(1, pl.UInt8), rank=pl.lit(1, pl.UInt8), pairing=pl.col("agent"))
    shared = results({"a": 0.0, "b": 0.0}, 3, 6, first_block=50).with_columns(rank=pl.lit(1, pl.UInt8))
    text = make_report(folder_of(pl.concat([alone, shared]), tmp_path), progress=False).read_text("utf-8")

    assert "One player<" in text
    assert set(pl.read_csv(tmp_path / "pairwise.csv")["share"]) == {0.5}


def test_a_game_whose_points_have_no_sources_makes_a_report(rows: pl.DataFrame, tmp_path: Path) -> None:
    bare = rows.drop("buildings", "characters", "workers", "square")
    assert "made the most points" in make_report(folder_of(bare, tmp_path), progress=False).read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_a_hundred_thousand_games_are_reported_in_half_a_minute(players: int, tmp_path: Path) -> None:
    strengths = {f"agent {number}": 100.0 * number for number in range(6)}
    pairings = 15 if players == 2 else 30
    games = results(strengths, players, 100_000 // pairings // players + 1)
    began = process_time()
    make_report(folder_of(games, tmp_path), progress=False)

    assert games["game"].n_unique() >= 100_000
    assert process_time() - began < 30


LARGEST = 5 * 2**30


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
