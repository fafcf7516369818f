"""OddVille's picture and plain text, what cards say in words, and the game as a page shows it."""

import dataclasses
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.core.svg.palette import MUTED
from oddville_env.core.svg.thoughts import Thought
from oddville_env.oddville import describe
from oddville_env.oddville.cards import Character, base_cards
from oddville_env.oddville.scene import SCENE
from oddville_env.oddville.svg import draw
from oddville_env.oddville.svg.symbols import pawn
from oddville_env.oddville.text import draw_text
from support.games import moments
from support.helpers import every_number, random_game
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


def test_an_empty_city_shows_the_square_a_margin_and_the_chances_of_builds() -> None:
    assert "the Main Square" in titles(draw(BEGUN, CARDS))
    assert labels(draw(BEGUN, CARDS)) == {"-1", "0", "1"}
    assert labels(draw(BEGUN | {"table": [1, 1]}, CARDS)) == {"0"}
    chances = {"1:-1,0": 0.05, "1:0,1": 0.06, "1:-6,4": 0.07, "2:-1,0": 0.08}  # the first one counts
    thoughts = [Thought(f"build:{build}", 1, 0.5, (chance,) * 4) for build, chance in chances.items()]
    assert not {"5%", "6%", "7%", "-6"} & set(texts(draw(BEGUN, CARDS)))
    assert {"5%", "6%", "7%", "-6", "4"} <= set(texts(draw(BEGUN, CARDS, thoughts=thoughts)))


def labels(svg: str) -> set[str]:
    """The numbers of the columns and lines, which alone are written bold and muted."""
    nodes = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return {str(node.text) for node in nodes if node.get("fill") == MUTED and node.get("font-weight") == "bold"}


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


@pytest.mark.parametrize(("trigger", "scores", "ranking"), [
    (2, [30, 37, 37, 30], [2, 1, 3, 0]), (3, [30, 37, 37, 30], [1, 2, 3, 0]), (None, [9, 9, 9], [0, 1, 2]),
])  # fmt: skip
def test_best_score_leads_and_the_trigger_wins_ties(trigger: int | None, scores: list[int], ranking: list[int]) -> None:
    """[E3 E4] Among equals the trigger, else the closest seat clockwise after it; the last seat of a game cut off."""
    first = 0 if trigger else 1
    position = {"players": len(scores), "scores": scores, "trigger": trigger, "first": first}
    assert describe.ranking(position) == ranking


def before_and_after(players: int, seed: int) -> Any:
    """Every move of a game with the positions and states around it."""
    game = random_game(players, seed)
    words = [move.word for move in game.moves]
    game.take_back(0)
    for word in words:
        position, state = game.position(), game.state.copy()
        game.push(word)
        yield word, position, state, game


@every_number
def test_events_tell_where_every_worker_coin_and_card_went(players: int) -> None:
    for word, position, _, game in before_and_after(players, 11):
        after = game.position()
        found = SCENE.events(position, after, word)
        for seat in range(players):
            moved = [event for event in found if event.get("seat") == seat]
            coins = sum(e["number"] * (1 if e["to"] == f"coins:{seat}" else -1) for e in moved if e["event"] == "coin")
            gained = after["seats"][seat]["coins"] - position["seats"][seat]["coins"]
            assert coins == gained or (word == "flip" and gained == -1)
            walks = [event for event in moved if event["event"] == "worker"]
            home = sum((e["to"] == f"supply:{seat}") - (e["from"] == f"supply:{seat}") for e in walks)
            assert home == after["seats"][seat]["supply"] - position["seats"][seat]["supply"]
            scores = sum(event["number"] for event in moved if event["event"] == "score")
            assert scores == after["scores"][seat] - position["scores"][seat]
        came = Counter(event["to"] for event in found if event["event"] == "card" and event["to"] != "deck")
        assert all(number == 1 for number in came.values())
        if word.startswith("build:"):
            held, cell = word.split(":")[1:]
            laid = [event["from"] for event in found if event["event"] == "card" and event["to"] == f"cell:{cell}"]
            assert [place.split(":")[::2] for place in laid] == [["held", held]]
    assert game.position()["city"]


@every_number
def test_effects_tell_what_then_happens_and_bonuses_also_where_the_seat_can_take_none(players: int) -> None:
    useless = 0
    for word, position, state, game in before_and_after(players, 7):
        seat = position["to_move"]
        found, after = SCENE.effects(game.box, state, game.state, word), game.position()
        change = [now["coins"] - then["coins"] for then, now in zip(position["seats"], after["seats"], strict=True)]
        assert found["coins"] == change
        if "price" in found:
            assert found["price"] == -change[seat] >= 0
        if "slot" in found:
            resource, number = found["slot"].split("@")
            assert seat in after["board"][resource][int(number) - 1]
        if word.startswith("build:"):
            assert found["worth"] == int(game.state[0].value[game.state[0].city_size - 1])
            granted = Counter(found["bonuses"])
            assert not Counter(after["pending"]) - granted
            assert granted
            useless += not after["pending"]
            assert set(found["pays"]) <= set(position["board"])
    assert useless


def test_facts_and_words_are_those_of_the_cards_and_characters() -> None:
    box = Game().box
    facts = SCENE.facts(box)
    assert (len(facts["cards"]), len(facts["characters"])) == (64, 12)
    for card, fact in facts["cards"].items():
        assert fact["base"] == int(box.cards.base[int(card)])
        assert sum(fact["cost"].values()) == int(box.cards.cost[int(card)].sum())
    formulas = ["2 + 1 per mask card", "2 + 1 per card in its line", "0 + 3 per adjacent card", "4"]
    assert [describe.formula(CARDS, card) for card in (0, 9, 18, 48)] == formulas
    assert [describe.cost(CARDS, card) for card in (2, 6, 60)] == ["C", "WWS", "SXX"]
    assert all(0 < len(describe.POWERS[character]) <= 30 for character in Character)
