"""Chapter C of the rules, C7 to C10."""

import pytest

from oddville_env import Game
from oddville_env.oddville.cards import Bonus
from support.scenario import Scenario, coins, deck, play, printed, seat, sides

READY = {"held": [7], "stock": {"wood": 1}}
BUILD = "build:1:0,1"


# C7 ghost


@pytest.mark.rule("C7")
@pytest.mark.parametrize("worker", [1, 2, 3, 4])
def test_with_the_ghost_every_worker_card_shows_three_coins(scenario: Scenario, worker: int) -> None:
    game = scenario(seats={0: {"characters": ["ghost"]}})

    assert seat(play(game, f"coins:{worker}"), 0)["coins"] == 3


@pytest.mark.rule("C7")
def test_with_the_ghost_a_card_that_shows_more_keeps_its_own_number(scenario: Scenario) -> None:
    cards = printed(worker_coins=[0, 1, 2, 4])

    assert seat(play(scenario(cards=cards, seats={0: {"characters": ["ghost"]}}), "coins:4"), 0)["coins"] == 4


# C8 tax_collector


def taxed(scenario: Scenario, payer: dict[str, object], **collector: object) -> Game:
    seats = {0: payer, 1: {"stock": {"clay": 2}, "characters": ["tax_collector"], **collector}}
    return scenario(seats=seats, deck_top=[50, 51])


@pytest.mark.rule("C8")
@pytest.mark.parametrize("word", ["buy:1:2", "buy:1:6", "take:4:clay", "recover"])
def test_the_tax_collector_gains_one_coin_whatever_another_seat_pays(scenario: Scenario, word: str) -> None:
    game = taxed(scenario, {"coins": 5, "hand": [1, 4]})

    assert seat(play(game, word), 1)["coins"] == 1


@pytest.mark.rule("C8")
def test_the_tax_collectors_coin_comes_from_the_deck_after_the_payment(scenario: Scenario) -> None:
    game = play(taxed(scenario, {"coins": [30, 31, 32]}), "take:4:clay")

    assert coins(game, 1) == [31]
    assert deck(game)[:2] == [32, 50]


@pytest.mark.rule("C8")
def test_two_payments_bring_two_coins(scenario: Scenario) -> None:
    game = taxed(scenario, {"coins": 4, "hand": [1, 4]})

    assert seat(play(game, "recover", "take:4:clay"), 1)["coins"] == 2


@pytest.mark.rule("C8")
def test_the_tax_collector_gains_nothing_above_five_coins(scenario: Scenario) -> None:
    game = play(taxed(scenario, {"coins": [30, 31]}, coins=5), "take:4:clay")

    assert seat(game, 1)["coins"] == 5
    assert deck(game)[:3] == [30, 31, 50]


@pytest.mark.rule("C8")
def test_the_tax_collectors_owner_gains_nothing_for_its_own_payments(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 2, "characters": ["tax_collector"]}})

    assert seat(play(game, "buy:1:6"), 0)["coins"] == 0


@pytest.mark.rule("C8")
def test_resources_are_no_coins(scenario: Scenario) -> None:
    game = taxed(scenario, {**READY, "coins": 1})

    assert seat(play(game, BUILD), 1)["coins"] == 0


# C9 benefactor


@pytest.mark.rule("C9")
def test_the_benefactors_owner_gains_a_coin_at_the_start_of_each_of_its_turns(scenario: Scenario) -> None:
    game = scenario(seats={1: {"characters": ["benefactor"]}}, deck_top=[50, 51])
    had = []

    for word in ("take:2:clay", "take:1:wood", "take:3:stone", "take:2:wood"):
        play(game, word)
        had.append((game.to_move, seat(game, 0)["coins"], seat(game, 1)["coins"]))

    assert had == [(1, 0, 1), (0, 0, 1), (1, 0, 2), (0, 0, 1)]


@pytest.mark.rule("C9")
def test_the_benefactor_gives_nothing_in_the_turn_that_wins_it(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "bells"}}, seats={0: READY}, piles={"bells": ["benefactor"]})

    play(game, BUILD)
    assert seat(game, 0)["coins"] == 2

    assert seat(play(game, "take:4:clay"), 0)["coins"] == 3


# C10 lamplighter


@pytest.mark.rule("C10")
@pytest.mark.parametrize(("owner", "given"), [(0, ["any", "clay", "wood"]), (1, ["wood"])])
def test_with_the_lamplighter_neighbours_need_no_street(scenario: Scenario, owner: int, given: list[str]) -> None:
    cards = {
        7: {"bonus": "wood", "streets": "S"},
        20: {"bonus": "clay", "streets": "E"},
        21: {"bonus": "any", "streets": "N"},
    }
    city = [(20, -1, 0, 1), (21, 0, 1, 1)]
    seats = {0: READY, 1: {}}
    seats[owner] = {**seats[owner], "characters": ["lamplighter"]}

    game = play(scenario(cards=cards, seats=seats, city=city), "build:1:-1,1")

    assert game.position()["pending"] == given


@pytest.mark.rule("C10")
def test_with_the_lamplighter_a_joined_neighbour_still_gives_only_once(scenario: Scenario) -> None:
    game = scenario(
        cards={7: {"bonus": "any"}, 20: {"bonus": "clay"}},
        seats={0: {**READY, "characters": ["lamplighter"]}},
        city=[(20, 1, 0, 1)],
    )

    assert play(game, "build:1:1,1").position()["pending"] == ["any", "clay"]


@pytest.mark.rule("C10")
def test_with_the_lamplighter_the_square_gives_over_houses_too(scenario: Scenario) -> None:
    cards = printed({7: {"bonus": "wood", "streets": "S"}}, square_bonus=Bonus.ANY, square_streets=sides("E"))
    game = scenario(cards=cards, seats={0: {**READY, "characters": ["lamplighter"]}})

    assert play(game, BUILD).position()["pending"] == ["any", "wood"]
