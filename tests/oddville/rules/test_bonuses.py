"""Chapter N: bonuses."""

import pytest

from oddville_env import Game
from support.scenario import Scenario, coins, legal, play, seat

RESOURCES = ("clay", "crystal", "stone", "wood")


def build(scenario: Scenario, *bonuses: str, **told: object) -> Game:
    """Seat 0 has just built card 7, which has the first bonus, beside cards with the others."""
    cards = {7 + n: {"bonus": bonus} for n, bonus in enumerate(bonuses)}
    city = [(8, 1, 0, 1), (9, 0, 1, 1)][: len(bonuses) - 1]
    seats = {0: {"held": [7], "stock": {"wood": 1}, **told}, 1: {"stock": {"clay": [1], "stone": [1, 2]}}}
    return play(scenario(cards=cards, seats=seats, city=city), "build:1:1,1" if city else "build:1:1,0")


@pytest.mark.rule("N1")
def test_a_coin_is_taken_at_once_before_the_others(scenario: Scenario) -> None:
    game = build(scenario, "coin", "any")

    assert (game.phase.word, game.position()["pending"]) == ("bonus", ["any"])
    assert seat(game, 0)["coins"] == 1


@pytest.mark.rule("N1")
def test_every_coin_bonus_is_one_coin_from_the_decks_top(scenario: Scenario) -> None:
    seats = {0: {"held": [7], "stock": {"wood": 1}}}
    game = scenario(seats=seats, city=[(8, 1, 0, 1)], deck_top=[50, 51, 52])

    assert coins(play(game, "build:1:0,1"), 0) == [50, 51]


@pytest.mark.rule("N1")
def test_a_coin_bonus_above_five_coins_is_lost(scenario: Scenario) -> None:
    game = build(scenario, "coin", "coin", coins=4)

    assert seat(game, 0)["coins"] == 5
    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("N2")
@pytest.mark.parametrize(("name", "slot"), [("wood", 0), ("clay", 1), ("stone", 2), ("crystal", 0)])
def test_a_resource_bonus_puts_a_worker_on_the_cheapest_slot_free(scenario: Scenario, name: str, slot: int) -> None:
    game = build(scenario, name)
    before = seat(game, 0)["coins"]
    assert legal(game) == [f"bonus:{name}", "done"]

    play(game, f"bonus:{name}")

    assert game.position()["board"][name][slot] == [0]
    assert seat(game, 0)["supply"] == 7
    assert seat(game, 0)["coins"] == before


@pytest.mark.rule("N2")
def test_a_resource_bonus_needs_a_worker_in_supply(scenario: Scenario) -> None:
    game = build(scenario, "stone", stock={"wood": 9})

    assert legal(game, "bonus") == []
    assert legal(play(game, "return:wood@3"), "bonus") == ["bonus:stone"]


@pytest.mark.rule("N3")
def test_any_is_a_resource_of_choice(scenario: Scenario) -> None:
    game = build(scenario, "any")
    assert legal(game) == [*(f"any:{name}" for name in RESOURCES), "done"]

    assert play(game, "any:clay").position()["board"]["clay"] == [[1], [0], []]


@pytest.mark.rule("N3")
def test_any_needs_a_worker_in_supply(scenario: Scenario) -> None:
    assert legal(build(scenario, "any", stock={"wood": 9}), "any") == []


@pytest.mark.rule("N4")
def test_double_is_for_a_resource_where_the_seat_already_has_a_worker(scenario: Scenario) -> None:
    game = build(scenario, "double", stock={"wood": 1, "stone": [3], "crystal": 1})
    assert legal(game) == ["done", "double:crystal", "double:stone"]

    assert play(game, "double:crystal").position()["board"]["crystal"] == [[0], [0], []]


@pytest.mark.rule("N4")
def test_the_worker_that_paid_for_the_building_does_not_count_for_double(scenario: Scenario) -> None:
    game = build(scenario, "double", "wood")
    assert legal(game, "double") == []

    assert legal(play(game, "bonus:wood"), "double") == ["double:wood"]


@pytest.mark.rule("N4")
def test_double_needs_a_worker_in_supply(scenario: Scenario) -> None:
    assert legal(build(scenario, "double", stock={"wood": 9}), "double") == []


@pytest.mark.rule("N5")
def test_transform_moves_a_worker_from_a_slot_of_choice_to_another_resource(scenario: Scenario) -> None:
    game = build(scenario, "transform", stock={"wood": [1, 2, 3, 3]})
    others = ("clay", "crystal", "stone")
    assert legal(game) == ["done", *(f"move:wood@{slot}>{name}" for slot in (2, 3) for name in others)]

    play(game, "move:wood@3>clay")

    board = game.position()["board"]
    assert (board["wood"], board["clay"]) == ([[], [0], [0]], [[1], [0], []])
    assert seat(game, 0)["supply"] == 9 - 3 - 1


@pytest.mark.rule("N5")
def test_transform_costs_nothing_and_goes_to_the_cheapest_slot_left(scenario: Scenario) -> None:
    game = build(scenario, "transform", stock={"wood": 2})
    before = seat(game, 0)["coins"]

    play(game, "move:wood@2>stone")

    assert game.position()["board"]["stone"] == [[1], [1], [0]]
    assert seat(game, 0)["coins"] == before


@pytest.mark.rule("N5")
def test_transform_needs_no_worker_in_supply(scenario: Scenario) -> None:
    game = build(scenario, "transform", stock={"wood": 9})

    assert seat(game, 0)["supply"] == 0
    assert "move:wood@2>clay" in game.legal_moves


@pytest.mark.rule("N5")
def test_transform_moves_only_own_workers(scenario: Scenario) -> None:
    game = build(scenario, "transform", "any")

    assert legal(game, "move") == []


@pytest.mark.rule("N6")
@pytest.mark.parametrize(
    "order", [["bonus:wood", "any:clay", "double:wood"], ["any:crystal", "double:crystal", "bonus:wood"]]
)
def test_pending_bonuses_are_resolved_once_each_in_the_order_of_choice(scenario: Scenario, order: list[str]) -> None:
    game = build(scenario, "wood", "any", "double")
    assert game.position()["pending"] == ["any", "double", "wood"]

    for number, word in enumerate(order, 1):
        play(game, word)
        assert len(game.position()["pending"]) == 3 - number
        assert word not in game.legal_moves

    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("N6")
def test_two_bonuses_of_one_kind_are_two_bonuses(scenario: Scenario) -> None:
    game = build(scenario, "any", "any")
    assert game.position()["pending"] == ["any", "any"]

    play(game, "any:wood")
    assert (game.to_move, game.position()["pending"]) == (0, ["any"])

    assert play(game, "any:wood").to_move == 1


@pytest.mark.rule("N6")
def test_the_rest_may_be_given_up(scenario: Scenario) -> None:
    game = build(scenario, "wood", "any")

    play(game, "any:wood", "done")

    assert (game.to_move, game.phase.word, game.position()["pending"]) == (1, "main", [])
    assert game.position()["board"]["wood"] == [[0], [], []]
