"""Mistakes in the tables and files of a card set: each is reported once, with its place."""

import codecs
import csv
import pickle
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from oddville_env.oddville.cards import CardError, Problem, load_cards
from oddville_env.oddville.cards.tables import TABLES
from support.card_files import CARDS, FILES, Edit, edit, every_line, instead, problems_of
from support.cases import rows

B, W, C, P, Q = FILES


def without_column(number: int) -> Edit:
    return every_line(lambda line: ",".join(f for i, f in enumerate(line.split(",")) if i != number))


FIRST = "0,mask,2,1,mask,2,wood clay,wood,NES"
DIAMOND = "48,diamond,4,0,,0,stone,crystal,NE"
PRICES = "0 1 1 2 2 2"


def first(old: str, new: str) -> Edit:
    return instead(FIRST, FIRST.replace(old, new, 1))


def diamond(old: str, new: str) -> Edit:
    return instead(DIAMOND, DIAMOND.replace(old, new, 1))


def slots(prices: str) -> Edit:
    return instead("2,0 1 2*", f"2,{prices}")


MISTAKES = {
    "a column missing": (B, without_column(6), 1, "cost", "missing"),
    "an unknown column": (B, every_line(lambda line: line + ",art"), 1, None, "found 'art'"),
    "no header": (B, lambda text: text.split("\n", 1)[1], 1, None, "expected the columns id, suit"),
    "semicolons": (B, lambda text: text.replace(",", ";"), 1, None, "semicolons"),
    "an empty file": (B, lambda text: "", None, None, "empty"),
    "a row too short": (B, first(",NES", ""), 2, None, "found 8"),
    "open quote": (B, first("wood clay", '"wood clay'), 2, None, "quotation"),
    "an endless field": (B, instead(FIRST, FIRST + "x" * 200_000), 2, None, "field limit"),
    "below blank lines": (B, instead(FIRST, f"\n\n{FIRST}X"), 4, "streets", "'X'"),
    "typo": (B, first("wood clay", "wod clay"), 2, "cost", "unknown resource 'wod'"),
    "no cost": (B, first("wood clay", ""), 2, "cost", "no resource"),
    "a long word is shortened": (B, instead("\n0,mask", "\n0," + "mask" * 99), 2, "suit", "ma…'"),
    "side twice": (B, first("NES", "NNE"), 2, "streets", "street N appears"),
    "negative shield": (B, diamond(",,0", ",,-1"), 50, "shield", "'-1'"),
    "a fraction": (B, diamond("4,", "4.5,"), 50, "base", "whole number"),
    "a number only to Python": (B, diamond("4,0", "1_0,0"), 50, "base", "'1_0'"),
    "an id too large": (B, diamond("48", "64"), 50, "id", "0 to 63"),
    "a fifth worker card": (W, instead("1,0,wood", "5,0,wood"), 2, "worker", "1 to 4"),
    "five prices": (W, instead(PRICES, "0 1 1 2 2"), 2, "prices", "found 5"),
    "W5: a worker card without a position of price 0": (W, instead(PRICES, "1 1 1 2 2 2"), 2, "prices", "W5"),
    "five players": (P, instead("2,0 1 2*", "5,0 1 2*"), 2, "players", "2 to 4"),
    "S3: no star": (P, slots("0 1 2"), 2, "slots", "expected one *"),
    "S3: only the upper slot": (P, slots("2*"), 2, "slots", "found 1"),
    "S3: too many slots": (P, slots("0 0 1 1 2*"), 2, "slots", "found 5"),
    "S3: falling prices": (P, slots("1 0 2*"), 2, "slots", "from cheapest to dearest"),
    "V1: per without counts": (B, diamond("4,0", "4,2"), 50, "counts", "worth 2 each"),
    "V1: counts without per": (B, first("2,1,mask", "2,0,mask"), 2, "per", "0 for each mask"),
    "S5: 63 buildings": (
        B, instead(DIAMOND + "\n", ""), None, "id", "expected 64 rows, one for each id, found none for 48",
    ),
    "S1: a worker card missing": (
        W, every_line(lambda line: "" if line[0] == "3" else line), None, "worker", "none for 3",
    ),
    "two ghosts": (C, lambda text: text + "ghost,bells,4\n", 14, "character", "ghost stands in line 8"),
    "no square": (Q, lambda text: text.split("\n")[0], None, None, "found none"),
    "two squares": (Q, lambda text: text + "4,coin,0,ESW\n", 3, None, "found another"),
}  # fmt: skip


@pytest.mark.parametrize(("file", "change", "line", "column", "told"), rows(MISTAKES))
def test_mistake_is_named(box: Path, file: str, change: Edit, line: int | None, column: str | None, told: str) -> None:
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


def test_of_many_mistakes_the_first_ten_are_shown_and_the_others_counted(box: Path) -> None:
    for base in "45":
        edit(box / "buildings.csv", lambda text, base=base: text.replace(f",diamond,{base}", f",diamant,{base}"))
    with pytest.raises(CardError) as caught:
        load_cards(box)
    lines = str(caught.value).splitlines()
    assert len(caught.value.problems) == 16
    assert lines[:10] == [str(problem) for problem in caught.value.problems[:10]]
    assert lines[10:] == ["and 6 more"]
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


SCRAPS = [*(bytes([each]) for each in b'"\0\r\n,;\xff-* '), b"", b"\xef\xbb\xbf", b"9" * 5000, "²".encode()]


@pytest.mark.parametrize("file", FILES)
def test_whatever_stands_in_a_table_it_is_a_card_set_or_a_card_error(tmp_path: Path, file: str) -> None:
    chance, whole = random.Random(file), (CARDS / "base" / file).read_bytes()
    box = shutil.copytree(CARDS / "base", tmp_path / "scraps")
    for _ in range(30):
        data = whole
        for _ in range(chance.randint(1, 4)):
            at, length = chance.randrange(len(data) + 1), chance.randrange(40)
            data = data[:at] + chance.choice([*SCRAPS, chance.randbytes(4)]) + data[at + length :]
        (box / file).write_bytes(data)
        told: tuple[Problem, ...] = ()
        try:
            load_cards(box)
        except CardError as error:
            told = error.problems
        assert {problem.file for problem in told} <= {file}


def test_the_readme_lists_the_columns_that_the_tables_have() -> None:
    readme = (CARDS / "README.md").read_text(encoding="utf-8")
    for table in TABLES:
        section = readme.split(f"### {table.file}")[1].split("\n#")[0]
        assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == list(table.columns)
        with (CARDS / "base" / table.file).open(encoding="utf-8", newline="") as file:
            assert next(csv.reader(file)) == list(table.columns)


def test_missing_folders_and_tables_and_folders_named_like_tables_are_told(tmp_path: Path) -> None:
    missing = "there is no such folder; sets of the package are base and mini"
    assert [str(problem) for problem in problems_of(tmp_path / "no")] == [f"{tmp_path / 'no'}: {missing}"]
    for path in ("", "a\0b", "x" * 5000, CARDS / "README.md"):
        assert [problem.text for problem in problems_of(path)] == [missing]
    assert problems_of(tmp_path) == tuple(Problem(file, None, None, "this file is missing") for file in FILES)
    (tmp_path / "buildings.csv").mkdir()
    assert str(problems_of(tmp_path)[0]).startswith("buildings.csv: this file cannot be read: ")


def test_an_unreadable_table_is_a_problem(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("oddville_env.oddville.cards.sheet.read_whole", refuse)
    assert len(problems_of(box)) == 5
    assert problems_of(box)[0] == Problem(FILES[0], None, None, "this file cannot be read: Permission denied")


@pytest.mark.parametrize(("change", "line"), [
    pytest.param(lambda data: data.decode().encode("utf-16"), 1, id="utf-16 with its mark"),
    pytest.param(lambda data: data.replace(b"lily", b"l\xeely", 1), 38, id="latin-1"),
    pytest.param(lambda data: data.replace(b"lily", b"l\xeely", 1).replace(b"\n", b"\r"), 38, id="old mac"),
    pytest.param(lambda data: codecs.BOM_UTF8 + data.replace(b"\n0", b"\n\xff0", 1), 2, id="utf-8 with its mark"),
])  # fmt: skip
def test_a_table_that_is_not_utf_8_is_a_problem(box: Path, change: Callable[[bytes], bytes], line: int) -> None:
    path = box / "buildings.csv"
    path.write_bytes(change(path.read_text(encoding="utf-8").encode()))
    assert problems_of(box) == (Problem("buildings.csv", line, None, "not UTF-8, save the table as CSV UTF-8"),)
