"""What several of these tests share."""

from collections.abc import Callable
from pathlib import Path

import pytest

import oddville_env.oddville.cards
from oddville_env.oddville.cards import CardError, Problem, load_cards
from oddville_env.oddville.cards.tables import TABLES

CARDS = Path(oddville_env.oddville.cards.__file__).parent

FILES = [table.file for table in TABLES]

Edit = Callable[[str], str]


def edit(path: Path, change: Edit) -> None:
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8", newline="")


def instead(old: str, new: str) -> Edit:
    """Exchange the only place where the old text stands."""

    def change(text: str) -> str:
        assert text.count(old) == 1
        return text.replace(old, new)

    return change


def every_line(change: Edit) -> Edit:
    return lambda text: "\n".join(change(line) for line in text.splitlines()) + "\n"


def problems_of(folder: Path | str) -> tuple[Problem, ...]:
    with pytest.raises(CardError) as caught:
        load_cards(folder)
    return caught.value.problems
