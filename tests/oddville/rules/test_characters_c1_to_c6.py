"""Chapter C of the rules, C1 to C6."""

import pytest

from support.scenario import Scenario, coins, deck, legal, play, seat

READY = {"held": [7], "stock": {"wood": 1}}
BUILD = "build:1:0,1"


RESOURCES = ("clay", "crystal", "stone", "wood")


# C1 human_resources_manager


@pytest.mark.rule("C1")
def test_with_the_human_resources_manager_any_worker_card_takes_any_resource(scenario: Scenario) -> None:
    game = scenario(seats={0: {"hand": [1], "characters": ["human_resources_manager"]}})

    assert legal(game, "take") == [f"take:1:{name}" for name in RESOURCES]


@pytest.mark.rule("C1")
def test_the_human_resources_manager_makes_no_resource_cheaper(scenario: Scenario) -> None:
    seats = {0: {"hand": [1], "characters": ["human_resources_manager"]}, 1: {"stock": {"stone": 1}}}

    assert "take:1:stone" not in scenario(seats=seats).legal_moves


@pytest.mark.rule("C1")
def test_the_human_resources_manager_holds_for_the_seigniors_second_resource(scenario: Scenario) -> None:
    game = scenario(players=3, seats={0: {"coins": 1, "characters": ["human_resources_manager", "seignior"]}})

    assert legal(play(game, "take:1:clay"), "extra") == [f"extra:{name}" for name in RESOURCES]


# C2 landowner


@pytest.mark.rule("C2")
@pytest.mark.parametrize(("others", "price"), [(0, 0), (1, 0), (2, 1)])
def test_with_the_landowner_a_resource_costs_one_coin_less(scenario: Scenario, others: int, price: int) -> None:
    seats = {0: {"coins": 2, "characters": ["landowner"]}, 1: {"stock": {"wood": others}}}

    assert seat(play(scenario(seats=seats), "take:1:wood"), 0)["coins"] == 2 - price


@pytest.mark.rule("C2")
def test_the_landowner_makes_affordable_what_was_not(scenario: Scenario) -> None:
    seats = {0: {"hand": [2], "characters": ["landowner"]}, 1: {"stock": {"wood": 1, "clay": 2}}}

    assert legal(scenario(seats=seats), "take") == ["take:2:wood"]


@pytest.mark.rule("C2")
def test_the_landowner_makes_no_building_cheaper(scenario: Scenario) -> None:
    game = scenario(seats={0: {"hand": [1], "characters": ["landowner"]}})

    assert legal(game, "buy") == ["buy:1:1"]


# C3 seignior


@pytest.mark.rule("C3")
def test_with_the_seignior_a_second_resource_of_the_same_card_may_be_taken(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 1, "characters": ["seignior"]}})

    play(game, "take:2:clay")
    assert (game.to_move, game.phase.word, game.position()["worker"]) == (0, "extra", 2)
    assert legal(game) == ["done", "extra:clay", "extra:wood"]

    play(game, "extra:clay")
    assert game.position()["board"]["clay"] == [[0], [0], []]
    assert seat(game, 0)["coins"] == 0
    assert (game.to_move, game.position()["worker"]) == (1, None)


@pytest.mark.rule("C3")
def test_the_second_resource_needs_coins_for_its_price(scenario: Scenario) -> None:
    game = scenario(seats={0: {"characters": ["seignior"]}})

    assert legal(play(game, "take:2:clay")) == ["done", "extra:wood"]


@pytest.mark.rule("C3")
def test_the_second_resource_may_be_left(scenario: Scenario) -> None:
    game = scenario(seats={0: {"characters": ["seignior"]}})

    play(game, "take:2:clay", "done")

    assert (game.to_move, seat(game, 0)["supply"]) == (1, 8)


@pytest.mark.rule("C3")
@pytest.mark.parametrize("word", ["coins:2", "buy:2:1", BUILD])
def test_only_a_resource_brings_a_second_one(scenario: Scenario, word: str) -> None:
    game = scenario(seats={0: {**READY, "coins": 5, "characters": ["seignior"]}})

    assert play(game, word).to_move == 1


@pytest.mark.rule("C3")
def test_the_second_resource_follows_the_card_also_when_it_was_the_last_of_the_hand(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 1, "hand": [1], "characters": ["seignior"]}})

    play(game, "take:1:wood")

    assert seat(game, 0)["hand"] == [1, 2, 3, 4]
    assert legal(game) == ["done", "extra:wood"]


@pytest.mark.rule("C3")
def test_the_landowner_makes_both_resources_of_the_seignior_cheaper(scenario: Scenario) -> None:
    seats = {0: {"coins": 1, "characters": ["seignior", "landowner"]}, 1: {"stock": {"wood": 1}}}
    game = scenario(players=3, seats={**seats, 2: {"stock": {"wood": [2]}}})

    play(game, "take:1:wood")
    assert (seat(game, 0)["coins"], legal(game, "extra")) == (1, ["extra:wood"])

    assert seat(play(game, "extra:wood"), 0)["coins"] == 0


# C4 cheater


@pytest.mark.rule("C4")
def test_the_cheater_turns_the_coin_gained_last_into_the_last_held_building(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30, 31, 32], "held": [7], "characters": ["cheater"]}})

    play(game, "flip")

    assert seat(game, 0)["held"] == [7, 32]
    assert coins(game, 0) == [30, 31]
    assert (game.to_move, game.phase.word, game.position()["used"]) == (0, "main", ["flip"])


@pytest.mark.rule("C4")
def test_flipping_is_no_payment(scenario: Scenario) -> None:
    seats = {0: {"coins": 1, "characters": ["cheater"]}, 1: {"characters": ["tax_collector"]}}
    game = scenario(seats=seats)
    size = len(deck(game))

    play(game, "flip")

    assert seat(game, 1)["coins"] == 0
    assert len(deck(game)) == size


@pytest.mark.rule("C4")
def test_flipping_needs_the_cheater_and_a_coin(scenario: Scenario) -> None:
    assert "flip" not in scenario(seats={0: {"coins": 1}, 1: {"characters": ["cheater"]}}).legal_moves
    assert "flip" not in scenario(seats={0: {"characters": ["cheater"]}}).legal_moves


@pytest.mark.rule("C4")
def test_the_cheater_flips_once_in_each_turn(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 4, "characters": ["cheater"]}})

    play(game, "flip")
    assert "flip" not in game.legal_moves

    assert "flip" in play(game, "coins:2", "coins:2").legal_moves


@pytest.mark.rule("C4")
def test_a_flipped_building_can_be_built_in_the_same_turn(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30], "stock": {"wood": 1}, "characters": ["cheater"]}})

    play(game, "flip", BUILD)

    assert game.position()["city"][0]["card"] == 30


@pytest.mark.rule("C4")
def test_a_third_building_that_was_flipped_must_be_discarded_at_once(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30], "held": [7, 8], "characters": ["cheater"]}})

    play(game, "flip")
    assert legal(game) == ["drop:1", "drop:2", "drop:3"]

    play(game, "drop:1")
    assert (seat(game, 0)["held"], game.to_move, game.phase.word) == ([8, 30], 0, "main")


@pytest.mark.rule("C4")
def test_a_cheater_lost_and_won_back_in_the_turn_does_not_flip_again(scenario: Scenario) -> None:
    seats = {0: {**READY, "coins": 2, "characters": ["cheater"]}}
    game = scenario(cards={7: {"suit": "rooster"}}, seats=seats)

    play(game, "flip", BUILD)

    assert seat(game, 0)["characters"] == ["cheater"]
    assert game.to_move == 1


# C5 mistress


@pytest.mark.rule("C5")
@pytest.mark.parametrize("hand", [[1], [1, 2], [1, 2, 3]])
def test_with_the_mistress_recovering_costs_one_coin_less(scenario: Scenario, hand: list[int]) -> None:
    seats = {0: {"coins": len(hand) - 1, "hand": hand, "characters": ["mistress"]}}

    assert seat(play(scenario(seats=seats), "recover"), 0)["coins"] == 0


@pytest.mark.rule("C5")
def test_with_the_mistress_recovering_still_needs_the_other_coins(scenario: Scenario) -> None:
    assert "recover" not in scenario(seats={0: {"hand": [1, 2], "characters": ["mistress"]}}).legal_moves


@pytest.mark.rule("C5")
@pytest.mark.rule("T2")
def test_after_recovering_for_nothing_the_seat_may_neither_build_nor_recover(scenario: Scenario) -> None:
    game = scenario(seats={0: {**READY, "hand": [1], "characters": ["mistress"]}})
    assert {"recover", BUILD} <= set(legal(game))

    play(game, "recover")

    assert legal(game) == legal(game, "coins", "take", "buy")


# C6 bookkeeper


@pytest.mark.rule("C6")
def test_the_bookkeeper_exchanges_a_held_building_for_one_of_the_row(scenario: Scenario) -> None:
    seats = {0: {"held": [7, 8], "characters": ["bookkeeper"]}}
    game = scenario(seats=seats, row=[40, 41, 42, 43, 44, 45])
    assert legal(game, "swap") == [f"swap:{held}:{position}" for held in (1, 2) for position in range(1, 7)]

    play(game, "swap:1:3")

    assert seat(game, 0)["held"] == [8, 42]
    assert game.position()["row"] == [40, 41, 7, 43, 44, 45]
    assert (game.to_move, game.phase.word, game.position()["used"]) == (0, "main", ["swap"])


@pytest.mark.rule("C6")
def test_the_bookkeeper_needs_a_held_building(scenario: Scenario) -> None:
    assert legal(scenario(seats={0: {"characters": ["bookkeeper"]}}), "swap") == []


@pytest.mark.rule("C6")
def test_the_bookkeeper_exchanges_once_in_each_turn(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7], "characters": ["bookkeeper"]}})

    play(game, "swap:1:6")
    assert legal(game, "swap") == []

    assert len(legal(play(game, "coins:2", "coins:2"), "swap")) == 6


@pytest.mark.rule("C6")
def test_a_building_just_bought_can_be_exchanged(scenario: Scenario) -> None:
    game = scenario(seats={0: {"characters": ["bookkeeper"]}}, row=[40, 41], deck_top=[50])

    play(game, "buy:1:1", "swap:1:6")

    assert seat(game, 0)["held"] == [50]
    assert game.position()["row"][-1] == 40
