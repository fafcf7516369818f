"""Mistakes of a card set's files: missing ones, unreadable ones, other encodings."""

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest

from oddville_env.oddville.cards import (
    CardError,
    Problem,
    load_cards,
)
from support.card_files import CARDS, FILES, problems_of


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


def test_utf_16_without_its_mark_is_a_problem(box: Path) -> None:
    path = box / "square.csv"
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16-le"))
    assert problems_of(box)[0].line == 1
