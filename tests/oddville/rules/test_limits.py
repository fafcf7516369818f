"""Chapter L: limits."""

import pytest

from support.scenario import Scenario, deck, legal, play, seat


@pytest.mark.rule("L1")
def test_no_seat_has_more_than_five_coins(scenario: Scenario) -> None:
    seats = {
        0: {"coins": 5, "hand": [1, 4], "held": [7], "stock": {"wood": 1}},
        1: {"coins": 5, "characters": ["tax_collector", "benefactor"]},
    }
    game = scenario(players=3, seats=seats)

    play(game, "build:1:0,1")
    assert (seat(game, 0)["coins"], seat(game, 1)["coins"]) == (5, 5)

    play(game, "coins:4")
    assert seat(game, 1)["coins"] == 5


@pytest.mark.rule("L1")
def test_there_is_no_position_with_six_coins(scenario: Scenario) -> None:
    with pytest.raises(ValueError, match="too many coins"):
        scenario(seats={0: {"coins": 6}})


@pytest.mark.rule("L2")
def test_whoever_gets_a_third_building_must_discard_one(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7, 8]}})

    play(game, "buy:1:1")

    assert (game.to_move, game.phase.word) == (0, "discard")
    assert legal(game) == ["drop:1", "drop:2", "drop:3"]


@pytest.mark.rule("L2")
def test_a_second_building_is_no_reason_to_discard(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7]}})

    assert play(game, "buy:1:1").to_move == 1


@pytest.mark.rule("L2")
@pytest.mark.parametrize(("drop", "dropped", "kept"), [(1, 7, [8, 40]), (2, 8, [7, 40]), (3, 40, [7, 8])])
def test_the_discarded_building_goes_to_the_bottom_of_the_deck(
    scenario: Scenario, drop: int, dropped: int, kept: list[int]
) -> None:
    game = scenario(seats={0: {"held": [7, 8]}}, row=[40])

    play(game, "buy:1:1", f"drop:{drop}")

    assert deck(game)[-1] == dropped
    assert seat(game, 0)["held"] == kept
    assert game.to_move == 1


@pytest.mark.rule("L3")
def test_a_slot_below_the_upper_one_holds_one_worker(scenario: Scenario) -> None:
    game = play(scenario(seats={1: {"coins": 1}}), "take:1:wood", "take:1:wood")

    assert game.position()["board"]["wood"] == [[0], [1], []]


@pytest.mark.rule("L3")
def test_a_field_of_the_square_holds_one_worker(scenario: Scenario) -> None:
    seats = {0: {"stock": {"wood": 1, "clay": 1}, "characters": ["traveller"]}}
    game = scenario(seats=seats, square={"wood": 1})

    assert legal(game, "square") == ["square:clay"]


@pytest.mark.rule("L3")
def test_a_seat_has_nine_workers_wherever_they_are(scenario: Scenario) -> None:
    seats = {0: {"held": [7], "stock": {"wood": 3, "clay": 1}, "characters": ["traveller"]}}
    game = scenario(cards={7: {"cost": "wood clay", "bonus": "any"}}, seats=seats, city=[(8, 1, 0, 0)])
    assert seat(game, 0)["supply"] == 4

    play(game, "build:1:0,1", "any:stone", "square:wood")

    assert seat(game, 0)["supply"] == 9 - 2 - 1 - 2
    assert game.problems() == []


@pytest.mark.rule("L3")
def test_there_is_no_position_with_ten_workers(scenario: Scenario) -> None:
    with pytest.raises(ValueError, match="supply"):
        scenario(seats={0: {"stock": {"wood": 10}}})


@pytest.mark.rule("L3")
@pytest.mark.rule("E1")
@pytest.mark.parametrize("words", [["square:wood", "build:1:0,1"], ["build:1:0,1", "square:wood"]])
def test_a_turn_can_bring_a_seats_sixth_and_seventh_worker_into_the_city(scenario: Scenario, words: list[str]) -> None:
    seats = {0: {"coins": 1, "held": [7], "stock": {"wood": 2}, "characters": ["traveller", "cheater"]}}
    game = scenario(seats=seats, city=[(20 + n, n + 1, 0, 0) for n in range(5)])

    play(game, *words)
    assert (game.phase.word, legal(game)) == ("end", ["done", "flip"])

    assert play(game, "done").is_over
    assert len(game.score_sheet()[0].buildings) == 6
    assert game.position()["square"]["wood"] == 0
