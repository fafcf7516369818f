"""Chapters L and P: limits, coins and cards."""

import pytest

from support.cases import NEXT_TURN, READY, follows, given, then
from support.scenario import Scenario, coins, deck, legal, play, seat

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


@pytest.mark.rule("L3, E1")
@pytest.mark.parametrize("words", [["square:wood", "build:1:0,1"], ["build:1:0,1", "square:wood"]])
def test_a_turn_can_bring_a_seats_sixth_and_seventh_worker_into_the_city(scenario: Scenario, words: list[str]) -> None:
    seats = {0: {"coins": 1, "held": [7], "stock": {"wood": 2}, "characters": ["traveller", "cheater"]}}
    game = play(scenario(seats=seats, city=[(20 + n, n + 1, 0, 0) for n in range(5)]), *words)
    assert (game.phase.word, legal(game)) == ("end", ["done", "flip"])
    assert play(game, "done").is_over
    assert (len(game.score_sheet()[0].buildings), game.position()["square"]["wood"]) == (6, 0)


TAXED = {"stock": {"clay": 1}, "characters": ["tax_collector"]}

test_coins = follows({
    "P1: gaining a coin draws the decks top card": (
        given(deck_top=[40, 41, 42]), "coins:3", then({"coins": [40, 41]}, deck=[42]),
    ),
    "P2: a seat draws only the coins that it can keep": [
        (given({"coins": has}), then(deck=64 - 6 - has), "coins:4", then({"coins": kept}, deck=64 - 6 - kept))
        for has, kept in ((1, 4), (3, 5), (4, 5), (5, 5))
    ],
    "P3: coins are paid on top of the deck the last gained first": (
        given({"coins": [30, 31, 32, 33], "hand": [1, 2, 3]}, deck_top=[50]),
        "recover", then({"coins": [30]}, deck=[31, 32, 33, 50]),
    ),
    "P4: paying nothing is no payment": [
        (given({"coins": 3}, TAXED), word, then({"coins": 3 - paid}, {"coins": paid}))
        for word, paid in {"buy:1:1": 0, "buy:1:2": 1, "take:1:wood": 0, "take:2:clay": 1}.items()
    ],
    "P5: the deck does not run out when all seats have all that they can have": (
        given(
            {"coins": 5, "held": [0, 1, 8]}, *({"coins": 5, "held": [2 * seat, 2 * seat + 1]} for seat in (1, 2, 3)),
            city=[(20 + n, n % 9, 1 + n // 9, n % 4) for n in range(22)], phase="discard", resume="main",
        ),
        then(deck=64 - 6 - 20 - 9 - 22),
    ),
})  # fmt: skip


@pytest.mark.rule("P1")
def test_nobody_may_look_at_the_building_side_of_a_coin(scenario: Scenario) -> None:
    one = scenario(seats={0: {"coins": [40, 41]}}, deck_top=[50])
    other = scenario(seats={0: {"coins": [50, 40]}}, deck_top=[41])
    assert coins(one, 0) != coins(other, 0)
    assert one.position() == other.position()


@pytest.mark.rule("P5")
def test_an_empty_deck_is_an_error_in_the_program(scenario: Scenario) -> None:
    game = scenario()
    game.state[0].deck_size = 0
    with pytest.raises(AssertionError):
        game.push("coins:2")
