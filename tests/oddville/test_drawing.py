"""Drawings: a position as a picture and as plain text."""

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from oddville_env.core.svg.palette import MUTED
from oddville_env.oddville import describe
from oddville_env.oddville.cards import CardSet, Character, base_cards
from oddville_env.oddville.svg import draw
from oddville_env.oddville.svg.symbols import pawn
from oddville_env.oddville.text import draw_text

SVG = "{http://www.w3.org/2000/svg}"
POSITIONS = json.loads((Path(__file__).parent / "data" / "positions.json").read_text())
PHASES = {"setup", "main", "extra", "bonus", "discard", "end", "builder", "over"}

every_position = pytest.mark.parametrize(
    "position", POSITIONS, ids=[f"{position['phase']}-{position['players']}" for position in POSITIONS]
)


@pytest.fixture(scope="module")
def cards() -> CardSet:
    return base_cards()


@pytest.fixture(scope="module")
def heavy(cards: CardSet) -> CardSet:
    """Large numbers everywhere: two-digit values, five resources for each building, streets on all sides."""
    return dataclasses.replace(
        cards,
        base=cards.base + np.int8(10),
        per=cards.per * np.int8(12),
        shield=cards.shield + np.int8(10),
        cost=np.tile(np.array([2, 1, 1, 1], np.int8), (64, 1)),
        streets=np.ones((64, 4), np.bool_),
        worker_coins=cards.worker_coins + np.int8(10),
        worker_prices=cards.worker_prices + np.int8(10),
        points=cards.points + np.int8(10),
        square_points=14,
        square_shield=12,
        square_streets=np.ones(4, np.bool_),
    )


def stretched(position: dict[str, Any], columns: int) -> dict[str, Any]:
    """The position with one long line of buildings to the right of the square."""
    owners = range(position["players"])
    city = [
        {"card": card, "column": card + 1, "line": 0, "owner": owners[card % len(owners)]} for card in range(columns)
    ]
    return position | {"city": city, "table": [2 * columns + 3, 9]}


def shown(position: dict[str, Any]) -> list[int]:
    """All buildings that lie face up, with repetitions."""
    held = [card for seat in position["seats"] for card in seat["held"]]
    return [*position["row"], *held, *(placed["card"] for placed in position["city"])]


def words(svg: str) -> list[str]:
    """All that is written in a picture."""
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def titles(svg: str) -> list[str]:
    """What the pointer can learn from a picture."""
    return [str(node.text) for node in ElementTree.fromstring(svg).iter(f"{SVG}title")]


def a_position(phase: str, players: int) -> dict[str, Any]:
    return next(item for item in POSITIONS if (item["phase"], item["players"]) == (phase, players))


def test_the_stored_positions_know_every_phase_and_number_of_players() -> None:
    assert {position["phase"] for position in POSITIONS} == PHASES
    assert {position["players"] for position in POSITIONS} == {2, 3, 4}


@every_position
def test_a_picture_is_well_formed_and_self_contained(position: dict[str, Any], cards: CardSet) -> None:
    root = ElementTree.fromstring(draw(position, cards))
    assert root.tag == f"{SVG}svg"
    assert root.get("version") == "1.1"
    plain = {f"{SVG}{name}" for name in ("svg", "g", "title", "rect", "circle", "path", "text", "tspan")}
    assert {node.tag for node in root.iter()} <= plain
    assert not any(key.endswith(("href", "style", "class")) for node in root.iter() for key in node.attrib)


@every_position
def test_a_picture_shows_every_building_that_lies_face_up(position: dict[str, Any], cards: CardSet) -> None:
    svg = draw(position, cards)
    expected = Counter(describe.building(cards, card) for card in shown(position))
    assert Counter(title for title in titles(svg) if "worth" in title) == expected
    assert not Counter(map(str, shown(position))) - Counter(words(svg))


@every_position
def test_a_picture_has_a_pawn_for_every_worker_on_the_table(position: dict[str, Any], cards: CardSet) -> None:
    owners = [placed["owner"] for placed in position["city"]]
    fields = [seat for seat in position["square"].values() if seat is not None]
    slots = [seat for slots in position["board"].values() for slot in slots for seat in slot]
    supply_and_name = 2
    for seat in range(position["players"]):
        expected = [*owners, *fields, *slots].count(seat) + supply_and_name
        headed = describe.ranking(position)[0] if position["to_move"] is None else position["to_move"]
        assert draw(position, cards).count(pawn(seat)) == expected + (seat == headed)


@every_position
def test_a_picture_names_seats_characters_scores_and_what_is_asked(position: dict[str, Any], cards: CardSet) -> None:
    written = words(draw(position, cards))
    people = [word for seat in position["seats"] for word in seat["characters"]]
    tops = [pile["top"] for pile in position["piles"].values() if pile["top"]]
    assert {describe.title(describe.named(word)) for word in people + tops} <= set(written)
    assert set(describe.SEAT_NAMES[: position["players"]]) <= set(written)
    assert not Counter(map(str, position["scores"])) - Counter(written)
    assert describe.headline(position) in written
    assert any(line.startswith(describe.prompt(position)) for line in written)


@every_position
def test_the_same_position_gives_the_same_bytes(position: dict[str, Any], cards: CardSet) -> None:
    again = json.loads(json.dumps(position))
    assert draw(position, cards) == draw(again, cards)
    assert draw_text(position, cards) == draw_text(again, cards)


def test_the_width_scales_the_picture_and_nothing_else(cards: CardSet) -> None:
    position = a_position("main", 4)
    wide, narrow = (ElementTree.fromstring(draw(position, cards, width=width)) for width in (1200, 600))
    assert (wide.get("width"), narrow.get("width")) == ("1200", "600")
    assert abs(int(wide.get("height", 0)) - 2 * int(narrow.get("height", 0))) <= 1
    assert wide.get("viewBox") == narrow.get("viewBox")


def test_marks_are_written_into_their_cells(cards: CardSet) -> None:
    position = a_position("setup", 2)
    plain, marked = draw(position, cards), draw(position, cards, marks={(-1, 0): "17%", (0, 1): "best"})
    assert not {"17%", "best"} & set(words(plain))
    assert {"17%", "best"} <= set(words(marked))


def test_a_mark_far_from_the_city_widens_the_picture_to_its_cell(cards: CardSet) -> None:
    written = words(draw(a_position("setup", 2), cards, marks={(-6, 4): "far"}))
    assert {"far", "-6", "4"} <= set(written)


def test_a_label_is_escaped(cards: CardSet) -> None:
    label = "<b a='1'>&\""
    assert label in words(draw(a_position("main", 3), cards, marks={(0, 1): label}))


def test_an_empty_city_shows_the_square_and_a_margin_of_one(cards: CardSet) -> None:
    position = a_position("setup", 4)
    assert position["city"] == []
    assert "the Main Square" in titles(draw(position, cards))
    assert "-1" in words(draw(position, cards))
    assert "-2" not in words(draw(position, cards))


def test_the_margin_ends_where_the_table_ends(cards: CardSet) -> None:
    position = a_position("setup", 4) | {"table": [1, 1]}
    assert not {"-1", "1"} & set(labels(draw(position, cards)))


def labels(svg: str) -> list[str]:
    """The numbers of the columns and lines, which alone are written bold and muted."""
    nodes = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [str(node.text) for node in nodes if node.get("fill") == MUTED and node.get("font-weight") == "bold"]


@every_position
def test_a_card_set_with_large_numbers_is_drawn_too(position: dict[str, Any], heavy: CardSet) -> None:
    assert len(words(draw(position, heavy))) > 0
    assert max(map(len, draw_text(position, heavy).splitlines())) <= 100


@pytest.mark.parametrize("columns", [11, 12, 22])
def test_a_long_city_is_drawn_whole(columns: int, heavy: CardSet) -> None:
    position = stretched(a_position("main", 4), columns)
    assert str(columns + 1) in labels(draw(position, heavy))
    text = draw_text(position, heavy)
    assert max(map(len, text.splitlines())) <= 100
    assert all(f"│{card:<3}" in text for card in range(columns))


@every_position
def test_the_text_fits_into_a_hundred_columns(position: dict[str, Any], cards: CardSet) -> None:
    text = draw_text(position, cards)
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text


@every_position
def test_the_text_tells_what_every_row_and_held_card_does(position: dict[str, Any], cards: CardSet) -> None:
    lines = draw_text(position, cards).splitlines()
    for card in [*position["row"], *(card for seat in position["seats"] for card in seat["held"])]:
        told = (describe.formula(cards, card), describe.cost(cards, card), describe.streets(cards, card))
        assert any(line[4:7].strip() == str(card) and all(word in line for word in told) for line in lines)


@every_position
def test_the_text_shows_every_card_of_the_city_with_its_owner(position: dict[str, Any], cards: CardSet) -> None:
    text = draw_text(position, cards)
    for placed in position["city"]:
        assert any(line.startswith(f"{placed['card']:<3}") for line in cells(text) if f"@{placed['owner']}" in line)


def cells(text: str) -> list[str]:
    """What stands between the borders of the text's grid."""
    return [cell for line in text.splitlines() for cell in line.replace("═", "│").split("│")]


def test_streets_of_neighbours_meet_in_the_text(cards: CardSet) -> None:
    """[B3] Card 58 has streets on all sides, card 61 to the east and west."""
    placed = [{"card": 58, "column": 0, "line": 1, "owner": 0}, {"card": 61, "column": 1, "line": 1, "owner": 1}]
    grid = draw_text(a_position("setup", 2) | {"city": placed}, cards).split("\n\n")[1].splitlines()
    assert grid == [
        "       0       1",
        "    ┌───────┐",
        "    │Sq 4+$ │",
        "  0 ═W. C.  ═",
        "    │S. X.  │",
        "    ├───║───┼───────┐",
        "    │58 D @0│61 D @1│",
        "  1 ═5      ═5      ═",
        "    │+$   s0│+>   s0│",
        "    └───║───┴───────┘",
    ]


def test_a_formula_is_told_in_words(cards: CardSet) -> None:
    assert [describe.formula(cards, card) for card in (0, 9, 18, 48)] == [
        "2 + 1 per mask card",
        "2 + 1 per card in its line",
        "0 + 3 per adjacent card",
        "4",
    ]


def test_a_cost_is_told_in_letters(cards: CardSet) -> None:
    assert [describe.cost(cards, card) for card in (2, 6, 60)] == ["C", "WWS", "SXX"]


def test_every_character_has_a_few_words() -> None:
    assert all(0 < len(describe.power(character)) <= 30 for character in Character)


def test_the_best_score_leads_and_the_trigger_wins_a_tie() -> None:
    """[E3] Among equals the trigger, else whoever sits closest clockwise after it."""
    position = {"players": 4, "scores": [30, 37, 37, 30], "trigger": 2, "first": 0}
    assert describe.ranking(position) == [2, 1, 3, 0]
    assert describe.ranking(position | {"trigger": 3}) == [1, 2, 3, 0]


def test_after_a_cut_off_the_last_seat_stands_in_for_the_trigger() -> None:
    """[E4] The seat before the first."""
    position = {"players": 3, "scores": [9, 9, 9], "trigger": None, "first": 1}
    assert describe.ranking(position) == [0, 1, 2]
