"""Mistakes in the tables and files of a card set: each is reported once, with its place."""

import codecs
import csv
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddville_env.oddville.cards import CardError, CardSet, Problem, load_cards
from oddville_env.oddville.cards.tables import TABLES
from support.card_files import CARDS, FILES, Edit, edit, every_line, instead, problems_of

B, W, C, P, Q = FILES


def without_column(number: int) -> Edit:
    return every_line(lambda line: ",".join(f for i, f in enumerate(line.split(",")) if i != number))


def outcome(folder: Path) -> CardSet | CardError:
    try:
        return load_cards(folder)
    except CardError as error:
        return error


FIRST = "0,mask,2,1,mask,2,wood clay,wood,NES"


DIAMOND = "48,diamond,4,0,,0,stone,crystal,NE"


HEADERS = [
    pytest.param(B, without_column(6), 1, "cost", "missing", id="a column missing"),
    pytest.param(Q, without_column(3), 1, "streets", "missing", id="the last column missing"),
    pytest.param(B, every_line(lambda line: line + ","), 1, None, "found an empty field", id="a column without name"),
    pytest.param(B, every_line(lambda line: line + ",art"), 1, None, "found 'art'", id="an unknown column"),
    pytest.param(
        B, every_line(lambda line: line + "," + line.split(",")[6]), 1, "cost", "more than once", id="doubled"
    ),
    pytest.param(B, lambda text: text.split("\n", 1)[1], 1, None, "expected the columns id, suit", id="no header"),
    pytest.param(B, lambda text: text.replace(",", ";"), 1, None, "semicolons", id="semicolons"),
    pytest.param(W, lambda text: text.replace(",", "\t"), 1, None, "tabs", id="tabs"),
    pytest.param(B, lambda text: "", None, None, "empty", id="an empty file"),
    pytest.param(B, lambda text: "\n\n,,\n", None, None, "empty", id="a file of blank lines"),
]


ROWS = [
    pytest.param(B, instead(FIRST, FIRST + ",NS"), 2, None, "expected 9 fields", id="a row too long"),
    pytest.param(B, instead(FIRST, FIRST.removesuffix(",NES")), 2, None, "found 8", id="a row too short"),
    pytest.param(B, instead(FIRST, FIRST.replace(",", ";")), 2, None, "found 1", id="semicolons in one row"),
    pytest.param(B, instead(FIRST, FIRST.replace("wood clay", '"wood clay')), 2, None, "quotation", id="open quote"),
    pytest.param(B, instead("2,clay crystal", '2,"clay" crystal'), 3, None, "quotation", id="text after a quote"),
    pytest.param(B, instead(FIRST, FIRST + "x" * 200_000), 2, None, "field limit", id="an endless field"),
    pytest.param(
        B, instead(FIRST, FIRST.replace("0,", "\n\n0,", 1) + "X"), 4, "streets", "'X'", id="below blank lines"
    ),
    pytest.param(B, instead(FIRST, FIRST.replace("wood clay", '"wood\nclay"') + "X"), 2, "streets", "'X'", id="broken"),
]


CELLS = [
    pytest.param(B, instead("wood clay,wood,NES", "wod clay,wood,NES"), 2, "cost", "unknown resource 'wod'", id="typo"),
    pytest.param(B, instead("wood clay,wood,NES", ",wood,NES"), 2, "cost", "no resource", id="no cost"),
    pytest.param(
        B, instead("wood clay,wood,NES", "wood" + " clay" * 9 + ",wood,NES"), 2, "cost", "at most 9", id="dear"
    ),
    pytest.param(B, instead("\n0,mask", "\n0,musk"), 2, "suit", "unknown suit 'musk'", id="unknown suit"),
    pytest.param(B, instead("\n0,mask", "\n0,m\0ask"), 2, "suit", r"'m\x00ask'", id="a NUL byte"),
    pytest.param(B, instead("\n0,mask", "\n0," + "mask" * 99), 2, "suit", "ma…'", id="a long word is shortened"),
    pytest.param(B, instead(DIAMOND, "48,,4,0,,0,stone,crystal,NE"), 50, "suit", "no suit", id="no suit"),
    pytest.param(B, instead(FIRST, FIRST.replace("1,mask", "1,masks")), 2, "counts", "'masks'", id="unknown count"),
    pytest.param(B, instead("wood clay,wood,NES", "wood clay,gold,NES"), 2, "bonus", "'gold'", id="unknown bonus"),
    pytest.param(B, instead("wood clay,wood,NES", "wood clay,,NES"), 2, "bonus", "no bonus", id="no bonus"),
    pytest.param(B, instead("wood clay,wood,NES", "wood clay,wood,NXS"), 2, "streets", "'X'", id="unknown side"),
    pytest.param(
        B, instead("wood clay,wood,NES", "wood clay,wood,NNE"), 2, "streets", "street N stands", id="side twice"
    ),
    pytest.param(B, instead("wood clay,wood,NES", "wood clay,wood,"), 2, "streets", "no street", id="no street"),
    pytest.param(
        B, instead(DIAMOND, "48,diamond,4,0,,-1,stone,crystal,NE"), 50, "shield", "'-1'", id="negative shield"
    ),
    pytest.param(
        B, instead(DIAMOND, "48,diamond,4,0,,99,stone,crystal,NE"), 50, "shield", "0 to 20", id="large shield"
    ),
    *(
        pytest.param(B, instead("48,diamond,4", f"48,diamond,{number}"), 50, "base", told, id=name)
        for number, told, name in [
            ("4.5", "whole number", "a fraction"),
            ("four", "'four'", "a number in letters"),
            ("", "an empty field", "no number"),
            ("٤", "whole number", "another script's digit"),
            ("1_0", "'1_0'", "a number only to Python"),
            ("9" * 5000, "…", "an endless number"),
        ]
    ),
    pytest.param(B, instead("\n48,", "\n64,"), 50, "id", "0 to 63", id="an id too large"),
    *(
        pytest.param(W, instead("1,0,wood", row), 2, column, told, id=name)
        for row, column, told, name in [
            ("5,0,wood", "worker", "1 to 4", "a fifth worker card"),
            ("1,-1,wood", "coins", "'-1'", "negative coins"),
            ("1,0,", "resources", "no resource", "a worker card without resource"),
            ("1,0,wood wood", "resources", "wood stands", "a resource twice"),
        ]
    ),
    *(
        pytest.param(W, instead("0 1 1 2 2 2", prices), 2, "prices", told, id=name)
        for prices, told, name in [
            ("0 1 1 2 2", "found 5", "five prices"),
            ("0 1 1 2 2 2 2", "found 7", "seven prices"),
            ("0 1 1 2 2 x", "'x'", "a price in letters"),
            ("", "an empty field", "no prices"),
        ]
    ),
    pytest.param(
        *(W, instead("0 1 1 2 2 2", "1 1 1 2 2 2"), 2, "prices", "W5"),
        marks=pytest.mark.rule("W5"),
        id="a worker card without a position of price 0",
    ),
    pytest.param(C, instead("ghost", "goast"), 8, "character", "'goast'", id="unknown character"),
    pytest.param(C, instead("ghost,bells", "ghost,diamond"), 8, "guild", "unknown guild 'diamond'", id="no guild's"),
    pytest.param(C, instead("ghost,bells,4", "ghost,bells,-4"), 8, "points", "'-4'", id="negative points"),
    pytest.param(P, instead("2,0 1 2*", "5,0 1 2*"), 2, "players", "2 to 4", id="five players"),
    pytest.param(Q, instead("4,coin", "4,coins"), 2, "bonus", "'coins'", id="the square's bonus"),
    pytest.param(Q, instead("ESW", ""), 2, "streets", "no street", id="a square without street"),
    *(
        pytest.param(P, instead("2,0 1 2*", f"2,{slots}"), 2, "slots", told, marks=pytest.mark.rule("S3"), id=name)
        for name, (slots, told) in {
            "no star": ("0 1 2", "expected one *"),
            "a star that is not last": ("0 1* 2", "expected one *"),
            "two stars": ("0 1* 2*", "expected one *"),
            "a double star": ("0 1 2**", "'2*'"),
            "only the upper slot": ("2*", "found 1"),
            "too many slots": ("0 0 1 1 2*", "found 5"),
            "falling prices": ("1 0 2*", "from cheapest to dearest"),
            "a cheap upper slot": ("0 3 2*", "from cheapest to dearest"),
            "a price in letters among slots": ("0 one 2*", "'one'"),
            "no slots": ("", "an empty field"),
        }.items()
    ),
]


WHOLE_TABLES = [
    pytest.param(
        *(B, instead(DIAMOND, DIAMOND.replace("4,0", "4,2")), 50, "counts", "worth 2 each"),
        marks=pytest.mark.rule("V1"),
        id="per without counts",
    ),
    pytest.param(
        *(B, instead(FIRST, FIRST.replace("2,1,mask", "2,0,mask")), 2, "per", "0 for each mask"),
        marks=pytest.mark.rule("V1"),
        id="counts without per",
    ),
    pytest.param(
        *(B, instead(DIAMOND + "\n", ""), None, "id", "expected 64 rows, one for each id, found none for 48"),
        marks=pytest.mark.rule("S5"),
        id="63 buildings",
    ),
    pytest.param(B, instead(DIAMOND, f"{DIAMOND}\n{DIAMOND}"), 51, "id", "48 stands in line 50", id="65 buildings"),
    pytest.param(B, lambda text: text.split("\n")[0], None, "id", "6, 7 and 56 more", id="only a header"),
    pytest.param(
        *(W, every_line(lambda line: "" if line[0] == "3" else line), None, "worker", "none for 3"),
        marks=pytest.mark.rule("S1"),
        id="a worker card missing",
    ),
    pytest.param(C, instead("ghost,bells,4\n", ""), None, "character", "none for ghost", id="a character missing"),
    pytest.param(C, lambda text: text + "ghost,bells,4\n", 14, "character", "ghost stands in line 8", id="two ghosts"),
    pytest.param(P, instead("2,0 1 2*\n", ""), None, "players", "none for 2", id="no board for 2 players"),
    pytest.param(P, lambda text: text + "2,0 1*\n", 5, "players", "2 stands in line 2", id="two boards for 2 players"),
    pytest.param(Q, lambda text: text.split("\n")[0], None, None, "found none", id="no square"),
    pytest.param(Q, lambda text: text + "4,coin,0,ESW\n", 3, None, "found another", id="two squares"),
]


@pytest.mark.parametrize(("file", "change", "line", "column", "told"), HEADERS + ROWS + CELLS + WHOLE_TABLES)
def test_a_mistake_is_told_once_with_its_place(
    box: Path, file: str, change: Edit, line: int | None, column: str | None, told: str
) -> None:
    edit(box / file, change)
    (problem,) = problems_of(box)
    assert (problem.file, problem.line, problem.column) == (file, line, column)
    assert told in problem.text
    assert "\n" not in str(problem)


def test_a_column_named_wrongly_is_missing_and_unknown(box: Path) -> None:
    edit(box / "characters.csv", instead("guild", "suit"))
    assert [str(problem) for problem in problems_of(box)] == [
        "characters.csv, line 1, column guild: this column is missing",
        "characters.csv, line 1: expected the columns character, guild, points, found 'suit'",
    ]


@pytest.mark.rule("S4")
def test_a_guild_with_four_characters_leaves_another_with_two(box: Path) -> None:
    edit(box / "characters.csv", instead("ghost,bells", "ghost,lily"))
    assert [(problem.line, problem.column, problem.text) for problem in problems_of(box)] == [
        (None, "guild", "expected 3 characters of bells, found 2"),
        (None, "guild", "expected 3 characters of lily, found 4"),
    ]


def test_all_mistakes_are_told_at_once_table_by_table_and_line_by_line(box: Path) -> None:
    edit(box / "buildings.csv", instead("\n48,diamond,4", "\n47,diamond,x"))
    edit(box / "buildings.csv", instead(FIRST, FIRST.replace("wood clay", "wod clay").replace("NES", "")))
    (box / "workers.csv").unlink()
    edit(box / "characters.csv", instead("ghost,bells,4", "ghost,bells"))
    edit(box / "board.csv", lambda text: text.replace("*", ""))
    edit(box / "square.csv", lambda text: text.replace(",", ";"))
    assert [problem[:3] for problem in problems_of(box)] == [
        ("buildings.csv", 2, "cost"),
        ("buildings.csv", 2, "streets"),
        ("buildings.csv", 50, "base"),
        ("buildings.csv", 50, "id"),
        ("buildings.csv", None, "id"),
        ("workers.csv", None, None),
        ("characters.csv", 8, None),
        ("board.csv", 2, "slots"),
        ("board.csv", 3, "slots"),
        ("board.csv", 4, "slots"),
        ("square.csv", 1, None),
    ]


def test_one_mistake_is_one_clear_sentence(box: Path) -> None:
    edit(box / "buildings.csv", instead("wood clay,wood,NES", "wod clay,wood,NES"))
    with pytest.raises(CardError) as caught:
        load_cards(box)
    assert str(caught.value) == (
        "buildings.csv, line 2, column cost: unknown resource 'wod', expected wood, clay, stone or crystal"
    )


def test_of_many_mistakes_the_first_ten_are_shown_and_the_others_counted(box: Path) -> None:
    edit(
        box / "buildings.csv", lambda text: text.replace(",diamond,4", ",diamant,4").replace(",diamond,5", ",diamant,5")
    )
    with pytest.raises(CardError) as caught:
        load_cards(box)
    lines = str(caught.value).splitlines()
    assert len(caught.value.problems) == 16
    assert lines[:10] == [str(problem) for problem in caught.value.problems[:10]]
    assert lines[10:] == ["and 6 more"]
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


SCRAPS = [*(bytes([each]) for each in b'"\0\r\n,;\xff-* '), b"", b"\xef\xbb\xbf", b"9" * 5000, "²".encode()]


@settings(max_examples=150, deadline=None)
@given(
    file=st.sampled_from(FILES),
    cuts=st.lists(
        st.tuples(st.integers(0, 3000), st.integers(0, 40), st.one_of(st.sampled_from(SCRAPS), st.binary(max_size=4))),
        min_size=1,
        max_size=4,
    ),
)
def test_whatever_stands_in_a_table_it_is_a_card_set_or_a_card_error(
    tmp_path_factory: pytest.TempPathFactory, file: str, cuts: list[tuple[int, int, bytes]]
) -> None:
    box = tmp_path_factory.getbasetemp() / "scraps"
    shutil.copytree(CARDS / "base", box, dirs_exist_ok=True)
    data = (box / file).read_bytes()
    for at, length, scrap in cuts:
        at %= len(data) + 1
        data = data[:at] + scrap + data[at + length :]
    (box / file).write_bytes(data)
    told = outcome(box)
    if isinstance(told, CardError):
        assert str(told)
        assert {problem.file for problem in told.problems} == {file}


def test_the_readme_lists_the_columns_that_the_tables_have() -> None:
    readme = (CARDS / "README.md").read_text(encoding="utf-8")
    for table in TABLES:
        section = readme.split(f"### {table.file}")[1].split("\n#")[0]
        assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == list(table.columns)
        with (CARDS / "base" / table.file).open(encoding="utf-8", newline="") as file:
            assert next(csv.reader(file)) == list(table.columns)


def test_a_missing_folder_is_a_problem(tmp_path: Path) -> None:
    assert [str(problem) for problem in problems_of(tmp_path / "no")] == [f"{tmp_path / 'no'}: there is no such folder"]


@pytest.mark.parametrize("path", ["", "a\0b", "x" * 5000, CARDS / "README.md"])
def test_what_cannot_be_a_folder_is_no_such_folder(path: str | Path) -> None:
    with pytest.raises(CardError, match="there is no such folder"):
        load_cards(path)


def test_missing_tables_are_told_by_name(tmp_path: Path) -> None:
    assert problems_of(tmp_path) == tuple(Problem(file, None, None, "this file is missing") for file in FILES)


def test_a_folder_named_like_a_table_is_a_problem(box: Path) -> None:
    (box / "buildings.csv").unlink()
    (box / "buildings.csv").mkdir()
    (problem,) = problems_of(box)
    assert str(problem).startswith("buildings.csv: this file cannot be read: ")


def test_an_unreadable_table_is_a_problem(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("oddville_env.oddville.cards.sheet.read_whole", refuse)
    assert len(problems_of(box)) == 5
    assert problems_of(box)[0] == Problem(FILES[0], None, None, "this file cannot be read: Permission denied")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        pytest.param(lambda data: data.decode().encode("utf-16"), 1, id="utf-16 with its mark"),
        pytest.param(lambda data: data.replace(b"lily", b"l\xeely", 1), 38, id="latin-1"),
        pytest.param(lambda data: data.replace(b"lily", b"l\xeely", 1).replace(b"\n", b"\r"), 38, id="old mac"),
        pytest.param(lambda data: codecs.BOM_UTF8 + data.replace(b"\n0", b"\n\xff0", 1), 2, id="utf-8 with its mark"),
    ],
)
def test_a_table_that_is_not_utf_8_is_a_problem(box: Path, change: Callable[[bytes], bytes], line: int) -> None:
    path = box / "buildings.csv"
    path.write_bytes(change(path.read_text(encoding="utf-8").encode()))
    assert problems_of(box) == (Problem("buildings.csv", line, None, "not UTF-8, save the table as CSV UTF-8"),)
