"""The game as a page shows it: spots, drawings, what moves bring, and what moved."""

from collections import Counter
from typing import Any

import numpy as np

from oddville_env import Game
from oddville_env.oddville.scene import SCENE
from support.helpers import every_number, random_game, walk


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


@every_number
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
    found = SCENE.effects(game.box, before, game.state, word)
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
