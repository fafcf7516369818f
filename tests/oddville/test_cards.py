"""Card sets: the base set's tables, digests, and sets drawn at random."""

import copy
import pickle
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from oddville_env.oddville.cards import CardError, CardSet, base_cards, draw_cards, load_cards, summary, write_cards
from support.card_files import FILES, Edit, edit, every_line, instead
from support.helpers import random_game

# The sets of the package


def test_every_table_has_the_promised_shape_and_type_and_the_summary_counts_all_64_buildings() -> None:
    cards = base_cards()
    shapes = {"cost": (64, 4), "streets": (64, 4), "worker_coins": (4,), "worker_resources": (4, 4),
              "worker_prices": (4, 6), "guild": (12,), "points": (12,), "square_streets": (4,)}  # fmt: skip
    for name in ("suit", "base", "per", "counts", "shield", "bonus", *shapes):
        assert getattr(cards, name).shape == shapes.get(name, (64,))
    flags = {"streets", "worker_resources", "square_streets"}
    for name in CardSet.__slots__:
        table = getattr(cards, name)
        if isinstance(table, np.ndarray):
            assert table.dtype == (np.bool_ if name in flags else np.int8)
    counted = summary(base_cards())
    for of in ("suit", "counts", "bonus", "cost", "streets"):
        assert sum(counted[of].values()) == 64
    assert counted["suit"] == {"mask": 12, "rooster": 12, "bells": 12, "lily": 12, "diamond": 16}
    assert (counted["counts"]["nothing"], sum(counted["resources"].values())) == (16, base_cards().cost.sum())


@pytest.mark.rule("S3, S4, W5")
def test_guilds_prices_and_slots_are_as_the_law_asks() -> None:
    assert base_cards().slots == {2: (0, 1, 2), 3: (0, 1, 1, 2), 4: (0, 1, 1, 2)}
    assert (base_cards().worker_prices == 0).any(axis=1).all()
    assert np.bincount(base_cards().guild).tolist() == [3, 3, 3, 3]


@pytest.mark.rule("S5")
def test_mini_has_four_copies_of_sixteen_buildings_of_the_base_set_with_every_formula_and_bonus() -> None:
    mini, base = load_cards("mini"), base_cards()
    names = ("suit", "base", "per", "counts", "shield", "cost", "bonus", "streets")
    kinds = [Counter(zip(*(map(str, getattr(cards, name).tolist()) for name in names), strict=True))
             for cards in (mini, base)]  # fmt: skip
    assert (set(kinds[0].values()), len(kinds[0])) == ({4}, 16)
    assert kinds[0].keys() <= kinds[1].keys()
    found = summary(mini)
    assert all(number for part in ("suit", "counts", "bonus") for number in found[part].values())
    assert (mini.slots, mini.square_points, mini.square_bonus) == (base.slots, base.square_points, base.square_bonus)
    for name in ("worker_coins", "worker_resources", "worker_prices", "guild", "points"):
        assert np.array_equal(getattr(mini, name), getattr(base, name))


def test_folder_with_a_table_comes_before_a_set_of_the_package(box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(box.parent)
    mini = load_cards("mini")
    assert mini == load_cards(Path("mini")) != base_cards() == load_cards("base")
    Path("mini").mkdir()
    assert load_cards("mini") == mini
    Path("mini/square.csv").touch()
    with pytest.raises(CardError, match=r"buildings\.csv: this file is missing"):
        load_cards("mini")
    shutil.rmtree("mini")
    box.rename("mini")
    assert load_cards("mini") == base_cards()


def test_card_sets_are_equal_by_their_values_and_nobody_can_write_into_them_or_copies(box: Path) -> None:
    cards = load_cards(str(box))
    assert (cards.name, cards, hash(cards)) == ("box", base_cards(), hash(base_cards()))
    assert cards != "box"
    assert repr(cards) == f"<CardSet box {cards.digest[:12]}>"
    cards = base_cards()
    for each in (cards, copy.deepcopy(cards), pickle.loads(pickle.dumps(cards)), replace(cards, name="other")):
        assert each == cards
        with pytest.raises(ValueError, match="read-only"):
            each.cost[0, 0] = 1
        with pytest.raises(AttributeError):
            each.name = "mine"


SPELLINGS: dict[str, Edit] = {
    "windows line endings": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "no last line ending": lambda text: text.rstrip("\n"),
    "blank lines": lambda text: "\n" + text + "\n  \n,,,\n",
    "columns turned round": every_line(lambda line: ",".join(reversed(line.split(",")))),
    "spaces around values": lambda text: text.replace(",", " ,\t").replace(" ", "  "),
    "capital letters": str.upper,
    "quotation marks": every_line(lambda line: '"' + line.replace(",", '","') + '"'),
    "rows turned round": lambda text: "\n".join([text.splitlines()[0], *reversed(text.splitlines()[1:])]),
    "words turned round": lambda text: text.replace("wood clay", "clay wood").replace("NE", "EN"),
}


@pytest.mark.parametrize("change", SPELLINGS.values(), ids=SPELLINGS)
def test_the_digest_does_not_see_how_a_table_is_written_down(box: Path, change: Edit) -> None:
    for file in FILES:
        edit(box / file, change)
    assert load_cards(box).digest == base_cards().digest


@pytest.mark.parametrize(("file", "change"), [
    ("buildings.csv", instead("\n48,diamond,4,", "\n48,diamond,5,")),
    ("workers.csv", instead("1,0,wood", "1,1,wood")),
    ("characters.csv", instead("traveller,lily,7", "traveller,lily,6")),
    ("board.csv", instead("2,0 1 2*", "2,0 1 3*")),
    ("square.csv", instead("ESW", "NESW")),
])  # fmt: skip
def test_the_digest_changes_with_a_value(box: Path, file: str, change: Edit) -> None:
    edit(box / file, change)
    assert load_cards(box) != base_cards()


BASE = base_cards()
SEEDS = range(20)


def test_a_drawn_set_is_made_up_as_the_base_set_is_and_follows_from_its_seed() -> None:
    for drawn in map(draw_cards, SEEDS):
        assert summary(drawn) == summary(BASE)
        for name in ("base", "per", "counts", "shield", "points", "worker_coins", "worker_prices"):
            assert (getattr(drawn, name) == getattr(BASE, name)).all()
        assert (drawn.cost.sum(1) == BASE.cost.sum(1)).all()
        assert drawn.cost.max() <= BASE.cost.max()
        assert sorted(map(tuple, drawn.streets)) == sorted(map(tuple, BASE.streets))
        assert (np.bincount(drawn.guild) == 3).all()
        assert drawn.slots == BASE.slots
    assert random_game(2, 1, cards=drawn).outcome is not None
    drawn = [draw_cards(seed) for seed in SEEDS]
    assert (len({cards.digest for cards in [BASE, *drawn]}), draw_cards(3)) == (len(SEEDS) + 1, drawn[3])
    assert (drawn[3].cost != BASE.cost).any(1).mean() > 0.5


@pytest.mark.parametrize("cards", [BASE, draw_cards(7)], ids=repr)
def test_a_set_is_read_as_it_was_written(tmp_path: Path, cards: object) -> None:
    write_cards(cards, tmp_path / "box")
    assert load_cards(tmp_path / "box") == cards
