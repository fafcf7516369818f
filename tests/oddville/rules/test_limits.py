"""Chapter L: limits."""

import pytest

from support.cases import NEXT_TURN, follows, given, then
from support.scenario import Scenario, deck, legal, play, seat

READY = {"held": [7], "stock": {"wood": 1}}

test_limits = follows({
    "L1: no seat has more than five coins": (
        given({**READY, "coins": 5}, {"coins": 5, "characters": ["tax_collector", "benefactor"]}, {}),
        "build:1:0,1", then({"coins": 5}, {"coins": 5}), "coins:4", then({}, {"coins": 5}),
    ),
    "L2: a seat that gets a third building must discard one": (
        given({"held": [7, 8]}), "buy:1:1", then(to_move=0, phase="discard", legal="drop:1 drop:2 drop:3"),
    ),
    "L2: a second building is no reason to discard": (given({"held": [7]}), "buy:1:1", NEXT_TURN),
    "L3: a slot below the upper one holds one worker": (
        given({}, {"coins": 1}), "take:1:wood take:1:wood", then(wood=[[0], [1], []]),
    ),
    "L3: a field of the square holds one worker": (
        given({"stock": {"wood": 1, "clay": 1}, "characters": ["traveller"]}, square={"wood": 1}),
        then(legal_square="square:clay"),
    ),
    "L3: a seat has nine workers wherever they are": (
        given(
            {"held": [7], "stock": {"wood": 3, "clay": 1}, "characters": ["traveller"]},
            cards={7: {"cost": "wood clay", "bonus": "any"}}, city=[(8, 1, 0, 0)],
        ),
        then({"supply": 4}), "build:1:0,1 any:stone square:wood", then({"supply": 9 - 2 - 1 - 2}),
    ),
})  # fmt: skip


@pytest.mark.rule("L2")
@pytest.mark.parametrize(("drop", "dropped", "kept"), [(1, 7, [8, 40]), (2, 8, [7, 40]), (3, 40, [7, 8])])
def test_discarded_building_goes_below_the_deck(scenario: Scenario, drop: int, dropped: int, kept: list[int]) -> None:
    game = play(scenario(seats={0: {"held": [7, 8]}}, row=[40]), "buy:1:1", f"drop:{drop}")
    assert deck(game)[-1] == dropped
    assert (seat(game, 0)["held"], game.to_move) == (kept, 1)


@pytest.mark.rule("L3")
@pytest.mark.rule("E1")
@pytest.mark.parametrize("words", [["square:wood", "build:1:0,1"], ["build:1:0,1", "square:wood"]])
def test_a_turn_can_bring_a_seats_sixth_and_seventh_worker_into_the_city(scenario: Scenario, words: list[str]) -> None:
    seats = {0: {"coins": 1, "held": [7], "stock": {"wood": 2}, "characters": ["traveller", "cheater"]}}
    game = play(scenario(seats=seats, city=[(20 + n, n + 1, 0, 0) for n in range(5)]), *words)
    assert (game.phase.word, legal(game)) == ("end", ["done", "flip"])
    assert play(game, "done").is_over
    assert (len(game.score_sheet()[0].buildings), game.position()["square"]["wood"]) == (6, 0)
