"""Chapter P: coins and cards."""

import pytest

from support.scenario import Scenario, coins, deck, play, seat


@pytest.mark.rule("P1")
def test_gaining_a_coin_draws_the_decks_top_card(scenario: Scenario) -> None:
    game = scenario(deck_top=[40, 41, 42])

    play(game, "coins:3")

    assert coins(game, 0) == [40, 41]
    assert deck(game)[0] == 42


@pytest.mark.rule("P1")
def test_nobody_may_look_at_the_building_side_of_a_coin(scenario: Scenario) -> None:
    one = scenario(seats={0: {"coins": [40, 41]}}, deck_top=[50])
    other = scenario(seats={0: {"coins": [50, 40]}}, deck_top=[41])

    assert coins(one, 0) != coins(other, 0)
    assert one.position() == other.position()


@pytest.mark.rule("P2")
@pytest.mark.parametrize(("before", "drawn"), [(1, 3), (3, 2), (4, 1), (5, 0)])
def test_a_seat_draws_only_the_coins_that_it_can_keep(scenario: Scenario, before: int, drawn: int) -> None:
    game = scenario(seats={0: {"coins": before}})
    size = game.position()["deck"]

    play(game, "coins:4")

    assert seat(game, 0)["coins"] == before + drawn
    assert game.position()["deck"] == size - drawn


@pytest.mark.rule("P3")
def test_coins_are_paid_on_top_of_the_deck_the_last_gained_first(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30, 31, 32, 33], "hand": [1, 2, 3]}}, deck_top=[50])

    play(game, "recover")

    assert deck(game)[:4] == [31, 32, 33, 50]
    assert coins(game, 0) == [30]


@pytest.mark.rule("P3")
def test_a_coin_paid_is_the_next_one_gained(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30, 31, 32], "hand": [1, 4]}})

    play(game, "recover", "coins:3")

    assert coins(game, 0) == [30, 31, 32]


@pytest.mark.rule("P4")
def test_a_discount_never_makes_a_price_negative(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 2, "characters": ["landowner"]}})

    assert seat(play(game, "take:1:wood"), 0)["coins"] == 2


@pytest.mark.rule("P4")
@pytest.mark.parametrize(("word", "paid"), [("buy:1:1", 0), ("buy:1:2", 1), ("take:1:wood", 0), ("take:2:clay", 1)])
def test_paying_nothing_is_no_payment(scenario: Scenario, word: str, paid: int) -> None:
    seats = {0: {"coins": 3}, 1: {"stock": {"clay": 1}, "characters": ["tax_collector"]}}

    game = play(scenario(seats=seats), word)

    assert (seat(game, 0)["coins"], seat(game, 1)["coins"]) == (3 - paid, paid)


@pytest.mark.rule("P4")
def test_recovering_for_nothing_is_no_payment(scenario: Scenario) -> None:
    seats = {0: {"coins": 1, "hand": [1], "characters": ["mistress"]}, 1: {"characters": ["tax_collector"]}}

    game = play(scenario(seats=seats), "recover")

    assert (seat(game, 0)["coins"], seat(game, 1)["coins"]) == (1, 0)


@pytest.mark.rule("P5")
def test_the_deck_does_not_run_out_when_everybody_has_all_that_they_can_have(scenario: Scenario) -> None:
    seats = {number: {"coins": 5, "held": [2 * number, 2 * number + 1]} for number in range(4)}
    seats[0]["held"] = [0, 1, 8]
    city = [(20 + n, n % 9, 1 + n // 9, n % 4) for n in range(22)]

    game = scenario(players=4, seats=seats, city=city, phase="discard", resume="main")

    assert game.position()["deck"] == 64 - 6 - 20 - 9 - 22 > 0


@pytest.mark.rule("P5")
def test_an_empty_deck_is_an_error_in_the_program(scenario: Scenario) -> None:
    game = scenario()
    game.state[0].deck_size = 0

    with pytest.raises(AssertionError):
        game.push("coins:2")
