"""OddVille's picture and plain text, and what cards say in words."""

import dataclasses
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.core.svg.palette import MUTED
from oddville_env.oddville import describe
from oddville_env.oddville.cards import Character, base_cards
from oddville_env.oddville.svg import draw
from oddville_env.oddville.svg.symbols import pawn
from oddville_env.oddville.text import draw_text
from support.games import moments
from support.pictures import SVG, texts, titles

CARDS = base_cards()
HEAVY = dataclasses.replace(
    CARDS,
    base=CARDS.base + np.int8(10),
    per=CARDS.per * np.int8(12),
    shield=CARDS.shield + np.int8(10),
    cost=np.tile(np.array([2, 1, 1, 1], np.int8), (64, 1)),
    streets=np.ones((64, 4), np.bool_),
    worker_coins=CARDS.worker_coins + np.int8(10),
    worker_prices=CARDS.worker_prices + np.int8(10),
    points=CARDS.points + np.int8(10),
    square_points=14,
    square_shield=12,
    square_streets=np.ones(4, np.bool_),
)
"""Large numbers everywhere: two-digit values, five resources for each building, streets on all sides."""
POSITIONS = [game.position() for game in moments(Game)]
BEGUN = POSITIONS[0]
every_position = pytest.mark.parametrize("position", POSITIONS, ids=lambda each: f"{each['phase']}-{each['players']}")


def held(position: dict[str, Any]) -> list[int]:
    return [card for seat in position["seats"] for card in seat["held"]]


@every_position
def test_a_picture_shows_buildings_workers_characters_and_scores(position: dict[str, Any]) -> None:
    svg = draw(position, CARDS)
    shown = [*position["row"], *held(position), *(lot["card"] for lot in position["city"])]
    expected = Counter(describe.building(CARDS, card) for card in shown)
    assert Counter(title for title in titles(svg) if "worth" in title) == expected
    people = [word for seat in position["seats"] for word in seat["characters"]]
    tops = [pile["top"] for pile in position["piles"].values() if pile["top"]]
    assert {describe.title(describe.named(word)) for word in people + tops} <= set(texts(svg))
    assert not Counter(map(str, [*position["scores"], *shown])) - Counter(texts(svg))
    workers = [lot["owner"] for lot in position["city"]] + list(position["square"].values())
    workers += [seat for slots in position["board"].values() for slot in slots for seat in slot]
    headed = describe.ranking(position)[0] if position["to_move"] is None else position["to_move"]
    supply_and_name = 2
    for seat in range(position["players"]):
        assert svg.count(pawn(seat)) == workers.count(seat) + supply_and_name + (seat == headed)


def test_the_width_scales_the_picture_and_nothing_else() -> None:
    wide, narrow = (ElementTree.fromstring(draw(BEGUN, CARDS, width=width)) for width in (1200, 600))
    assert (wide.get("width"), narrow.get("width")) == ("1200", "600")
    assert abs(int(wide.get("height", 0)) - 2 * int(narrow.get("height", 0))) <= 1
    assert wide.get("viewBox") == narrow.get("viewBox")


def test_marks_are_escaped_and_written_into_their_cells_which_widen_the_picture() -> None:
    marks = {(-1, 0): "17%", (0, 1): "<b a='1'>&\"", (-6, 4): "far"}
    assert not {*marks.values(), "-6"} & set(texts(draw(BEGUN, CARDS)))
    assert {*marks.values(), "-6", "4"} <= set(texts(draw(BEGUN, CARDS, marks=marks)))


def labels(svg: str) -> set[str]:
    """The numbers of the columns and lines, which alone are written bold and muted."""
    nodes = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return {str(node.text) for node in nodes if node.get("fill") == MUTED and node.get("font-weight") == "bold"}


def test_an_empty_city_shows_the_square_and_a_margin_of_one_where_the_table_goes_on() -> None:
    assert "the Main Square" in titles(draw(BEGUN, CARDS))
    assert labels(draw(BEGUN, CARDS)) == {"-1", "0", "1"}
    assert labels(draw(BEGUN | {"table": [1, 1]}, CARDS)) == {"0"}


@pytest.mark.parametrize("columns", [0, 11, 22])
def test_large_numbers_and_a_long_city_are_drawn_whole(columns: int) -> None:
    for position in POSITIONS:
        city = [{"card": card, "column": card + 1, "line": 0, "owner": card % 2} for card in range(columns)]
        long = position | ({"city": city, "table": [2 * columns + 3, 9]} if city else {})
        assert not city or str(columns + 1) in labels(draw(long, HEAVY))
        text = draw_text(long, HEAVY)
        assert max(map(len, text.splitlines())) <= 100
        assert all(f"│{card:<3}" in text for card in range(columns))


@every_position
def test_the_text_tells_of_every_card_what_it_does_and_whose_it_is(position: dict[str, Any]) -> None:
    text = draw_text(position, CARDS)
    for card in [*position["row"], *held(position)]:
        told = (describe.formula(CARDS, card), describe.cost(CARDS, card), describe.streets(CARDS, card))
        assert any(line[4:7].strip() == str(card) and all(word in line for word in told) for line in text.splitlines())
    cells = [cell for line in text.splitlines() for cell in line.replace("═", "│").split("│")]
    for lot in position["city"]:
        assert any(line.startswith(f"{lot['card']:<3}") for line in cells if f"@{lot['owner']}" in line)


def test_streets_of_neighbours_meet_in_the_text() -> None:
    """[B3] Card 58 has streets on all sides, card 61 to the east and west."""
    placed = [{"card": 58, "column": 0, "line": 1, "owner": 0}, {"card": 61, "column": 1, "line": 1, "owner": 1}]
    grid = draw_text(BEGUN | {"city": placed}, CARDS).split("\n\n")[1].splitlines()
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


def test_cards_and_characters_are_told_in_words() -> None:
    formulas = ["2 + 1 per mask card", "2 + 1 per card in its line", "0 + 3 per adjacent card", "4"]
    assert [describe.formula(CARDS, card) for card in (0, 9, 18, 48)] == formulas
    assert [describe.cost(CARDS, card) for card in (2, 6, 60)] == ["C", "WWS", "SXX"]
    assert all(0 < len(describe.power(character)) <= 30 for character in Character)


@pytest.mark.parametrize(
    ("trigger", "scores", "ranking"),
    [(2, [30, 37, 37, 30], [2, 1, 3, 0]), (3, [30, 37, 37, 30], [1, 2, 3, 0]), (None, [9, 9, 9], [0, 1, 2])],
)
def test_the_best_score_leads_and_the_trigger_or_the_last_seat_wins_a_tie(
    trigger: int | None, scores: list[int], ranking: list[int]
) -> None:
    """[E3 E4] Among equals the trigger, else the closest seat clockwise after it; the last seat of a game cut off."""
    first = 0 if trigger else 1
    position = {"players": len(scores), "scores": scores, "trigger": trigger, "first": first}
    assert describe.ranking(position) == ranking
