"""The game as a page shows it: spots, drawings, what moves bring, and what moved."""

from collections import Counter
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.core.errors import SettingError
from oddville_env.core.game.scene import drawings_of
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.rules.actions import SPANS
from oddville_env.oddville.scene import scene
from support.helpers import many_states, random_game, walk

SCENE = scene()
BUTTONS = {"recover", "done"}


def spots_of(value: Any) -> set[str]:
    """All spots of a table."""
    if isinstance(value, dict):
        own = {value["spot"]} if "spot" in value else set()
        return own.union(*map(spots_of, value.values()))
    return set().union(*map(spots_of, value)) if isinstance(value, list) else set()


def free_cells(table: dict[str, Any]) -> set[str]:
    """The cells that the page shows."""
    columns, lines = table["window"]["columns"], table["window"]["lines"]
    return {
        f"cell:{column},{line}"
        for column in range(columns[0], columns[1] + 1)
        for line in range(lines[0], lines[1] + 1)
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_legal_move_touches_spots_of_the_table(players: int) -> None:
    for game in many_states(40, players, seed=players):
        position = game.position()
        table = SCENE.table(game.box, game.state, position)
        known = spots_of(table) | free_cells(table) | {"character:traveller", "character:cheater"}
        for move in game.legal_moves:
            path = SCENE.move(move.word, position)["path"]
            assert path
            assert set(path) <= known, move


def test_no_two_moves_have_the_same_path_and_none_goes_on_where_another_ends() -> None:
    for game in many_states(60, 3, seed=8):
        position = game.position()
        paths = [tuple(SCENE.move(move.word, position)["path"]) for move in game.legal_moves]
        assert len(set(paths)) == len(paths)
        assert not any(a != b and b[: len(a)] == a for a in paths for b in paths)


def test_every_kind_of_move_has_words_and_a_path() -> None:
    assert [kind.kind for kind in SCENE.kinds] == [span.kind.word for span in SPANS]
    assert all(kind.text for kind in SCENE.kinds)


def test_a_table_names_drawings_that_exist() -> None:
    for game in many_states(20, 4, seed=2):
        table = SCENE.table(game.box, game.state, game.position())
        for name in drawings_of(table):
            drawing = SCENE.draw(game.box, name)
            ElementTree.fromstring(f"<svg>{drawing.svg}</svg>")
            assert drawing.text


@pytest.mark.parametrize(
    "name",
    ["", "building", "building-99", "building-1-9", "building-01", "coin-x", "pawn-7", "star-1", "script", "no-a"],
)
def test_a_drawing_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match="no drawing"):
        SCENE.draw(Game().box, name)


def before_and_after(players: int, seed: int) -> Any:
    """Every move of a game with the positions and states around it."""
    game = random_game(players, seed)
    words = [move.word for move in game.moves]
    while game.moves:
        game.pop()
    for word in words:
        position, state = game.position(), game.state.copy()
        game.push(word)
        yield word, position, state, game


@pytest.mark.parametrize("players", [2, 3, 4])
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


def test_a_building_that_is_laid_moves_from_where_it_was_held() -> None:
    built = [
        (word, SCENE.events(position, game.position(), word))
        for word, position, _, game in before_and_after(2, 3)
        if word.startswith("build:")
    ]
    assert built
    for word, found in built:
        held, cell = word.split(":")[1:]
        laid = [event for event in found if event["event"] == "card" and event["to"] == f"cell:{cell}"]
        assert [event["from"].split(":")[0] for event in laid] == ["held"]
        assert laid[0]["from"].endswith(f":{held}")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_effects_tell_what_then_happens(players: int) -> None:
    for word, position, state, game in before_and_after(players, 7):
        seat = position["to_move"]
        found = SCENE.effects(game.box, state, game.state, word)
        after = game.position()
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
            assert set(found["pays"]) <= set(position["board"])


def test_a_building_says_its_bonuses_also_where_the_seat_can_take_none() -> None:
    game = next(game for game in walk(Game(2, 4), 4) if any(m.word.startswith("build:") for m in game.legal_moves))
    word = next(move.word for move in game.legal_moves if move.word.startswith("build:"))
    before = game.state.copy()
    game.push(word)
    found = ODDVILLE.scene().effects(game.box, before, game.state, word)  # type: ignore[misc]
    assert len(found["bonuses"]) >= 1
    assert np.array_equal(before[0].pending, np.zeros_like(before[0].pending))


def test_the_facts_are_those_of_the_cards() -> None:
    box = Game().box
    facts = SCENE.facts(box)
    assert len(facts["cards"]) == 64
    assert len(facts["characters"]) == 12
    for card, fact in facts["cards"].items():
        assert fact["base"] == int(box.cards.base[int(card)])
        assert sum(fact["cost"].values()) == int(box.cards.cost[int(card)].sum())
