"""Chapter W: playing a worker card."""

import pytest

from oddville_env import base_cards
from oddville_env.oddville.describe import row_prices
from support.scenario import Scenario, deck, legal, play, printed, seat


@pytest.mark.rule("W1")
def test_a_played_card_leaves_the_hand(scenario: Scenario) -> None:
    assert seat(play(scenario(), "take:3:stone"), 0)["hand"] == [1, 2, 4]


@pytest.mark.rule("W1")
def test_only_cards_in_hand_can_be_played(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 5, "hand": [1, 3]}})

    assert {word.split(":")[1] for word in legal(game, "coins", "take", "buy")} == {"1", "3"}


@pytest.mark.rule("W1")
def test_one_use_of_the_card_is_carried_out(scenario: Scenario) -> None:
    game = scenario(row=[40])
    otherwise = {"coins": 0, "supply": 9, "hand": [1, 2, 3], "held": [], "characters": []}

    assert seat(play(game.copy(), "coins:4"), 0) == otherwise | {"coins": 3}
    assert seat(play(game.copy(), "take:4:clay"), 0) == otherwise | {"supply": 8}
    assert seat(play(game.copy(), "buy:4:1"), 0) == otherwise | {"held": [40]}


@pytest.mark.rule("W2")
@pytest.mark.parametrize("worker", [2, 3, 4])
def test_a_worker_card_brings_the_coins_that_it_shows(scenario: Scenario, worker: int) -> None:
    game = play(scenario(), f"coins:{worker}")

    assert seat(game, 0)["coins"] == base_cards().worker_coins[worker - 1]


@pytest.mark.rule("W2")
def test_a_card_that_shows_no_coins_cannot_be_used_for_coins(scenario: Scenario) -> None:
    assert legal(scenario(), "coins") == ["coins:2", "coins:3", "coins:4"]


@pytest.mark.rule("W2")
def test_a_card_can_be_used_for_coins_with_five_coins(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 5}})

    play(game, "coins:3")

    assert (seat(game, 0)["coins"], seat(game, 0)["hand"], game.to_move) == (5, [1, 2, 4], 1)


@pytest.mark.rule("W3")
def test_a_worker_card_takes_only_a_resource_that_it_shows(scenario: Scenario) -> None:
    game = scenario(seats={0: {"hand": [1, 2]}})

    assert legal(game, "take") == ["take:1:wood", "take:2:clay", "take:2:wood"]


@pytest.mark.rule("W3")
def test_taking_a_resource_needs_a_worker_in_supply(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 5, "stock": {"wood": 9}}})
    assert legal(game, "take") == []

    assert "take:4:clay" in play(game, "return:wood@3").legal_moves


@pytest.mark.rule("W3")
@pytest.mark.parametrize(
    ("players", "others", "slot", "price"), [(2, 0, 0, 0), (2, 1, 1, 1), (2, 2, 2, 2), (3, 2, 2, 1), (4, 3, 3, 2)]
)
def test_the_worker_goes_to_the_cheapest_slot_left_and_its_price_is_paid(
    scenario: Scenario, players: int, others: int, slot: int, price: int
) -> None:
    game = scenario(players=players, seats={0: {"coins": 3}, 1: {"stock": {"clay": others}}})

    play(game, "take:2:clay")

    assert game.position()["board"]["clay"][slot] == [0]
    assert (seat(game, 0)["coins"], seat(game, 0)["supply"]) == (3 - price, 8)


@pytest.mark.rule("W3")
@pytest.mark.parametrize(("others", "price"), [(1, 1), (2, 2)])
def test_taking_a_resource_needs_coins_for_the_price(scenario: Scenario, others: int, price: int) -> None:
    def taken(coins: int) -> list[str]:
        return legal(scenario(seats={0: {"coins": coins, "hand": [1]}, 1: {"stock": {"wood": others}}}), "take")

    assert taken(price - 1) == []
    assert taken(price) == ["take:1:wood"]


@pytest.mark.rule("W3")
def test_a_slot_that_was_left_is_available_again(scenario: Scenario) -> None:
    game = scenario(seats={1: {"stock": {"wood": [2]}}})

    assert play(game, "take:1:wood").position()["board"]["wood"] == [[0], [1], []]


@pytest.mark.rule("W4")
@pytest.mark.parametrize(("coins", "dearest"), [(0, 1), (1, 3), (2, 6)])
def test_a_building_costs_the_cards_price_for_its_position(scenario: Scenario, coins: int, dearest: int) -> None:
    game = scenario(seats={0: {"coins": coins, "hand": [1]}})
    assert legal(game, "buy") == [f"buy:1:{position}" for position in range(1, dearest + 1)]

    play(game, f"buy:1:{dearest}")

    assert seat(game, 0)["coins"] == 0


@pytest.mark.rule("W4")
def test_each_worker_card_has_its_own_prices(scenario: Scenario) -> None:
    game = scenario()

    assert legal(game, "buy") == [
        f"buy:{worker}:{position}" for worker in range(1, 5) for position in range(1, worker + 1)
    ]


@pytest.mark.rule("W4")
def test_a_bought_building_is_the_last_held_and_the_row_moves_up(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7]}}, row=[40, 41, 42, 43, 44, 45], deck_top=[50])

    play(game, "buy:4:2")

    assert seat(game, 0)["held"] == [7, 41]
    assert game.position()["row"] == [40, 42, 43, 44, 45, 50]


@pytest.mark.rule("W4")
def test_the_row_is_filled_after_paying_so_that_the_coin_just_paid_may_appear(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30, 31]}}, row=[40, 41, 42, 43, 44, 45], deck_top=[50])

    play(game, "buy:4:5")

    assert game.position()["row"] == [40, 41, 42, 43, 45, 31]
    assert deck(game)[0] == 50


@pytest.mark.rule("W4")
def test_the_row_is_filled_after_the_tax_collectors_coin(scenario: Scenario) -> None:
    seats = {0: {"coins": [30, 31]}, 1: {"characters": ["tax_collector"]}}
    game = scenario(seats=seats, row=[40, 41, 42, 43, 44, 45], deck_top=[50])

    assert play(game, "buy:4:5").position()["row"] == [40, 41, 42, 43, 45, 50]


@pytest.mark.rule("W4")
def test_a_third_building_is_discarded_after_the_row_is_filled(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7, 8]}}, row=[40, 41, 42, 43, 44, 45], deck_top=[50])

    play(game, "buy:4:1")

    assert (game.phase.word, seat(game, 0)["held"], game.position()["row"][-1]) == ("discard", [7, 8, 40], 50)


@pytest.mark.rule("W5")
@pytest.mark.parametrize("worker", [1, 2, 3, 4])
def test_a_seat_that_has_nothing_can_still_take_a_building(scenario: Scenario, worker: int) -> None:
    full = {name: [1, 2] for name in ("wood", "clay", "stone", "crystal")}
    cards = printed(worker_coins=[0, 0, 0, 0])

    game = scenario(cards=cards, seats={0: {"hand": [worker]}, 1: {"stock": full}})

    assert legal(game) == [f"buy:{worker}:{position}" for position in range(1, worker + 1)]


@pytest.mark.rule("W4")
@pytest.mark.parametrize("worker", [1, 2, 3, 4])
@pytest.mark.parametrize("position", range(1, 7))
def test_a_building_costs_the_price_that_people_are_shown(scenario: Scenario, worker: int, position: int) -> None:
    shown = row_prices(base_cards(), position - 1)[worker - 1]
    game = play(scenario(seats={0: {"coins": shown}}), f"buy:{worker}:{position}")

    assert seat(game, 0)["coins"] == 0
    assert shown == 0 or f"buy:{worker}:{position}" not in legal(scenario(seats={0: {"coins": shown - 1}}))
