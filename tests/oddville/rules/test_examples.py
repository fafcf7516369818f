"""The rulebooks' worked examples."""

import pytest

from oddville_env import Game
from support.scenario import Scenario, coins, deck, legal, play, seat

BLUE, PURPLE, YELLOW, RED = range(4)


@pytest.mark.rule("X1")
def test_red_takes_stone_then_yellow_crystal_purple_wood_and_blue_clay_and_blue_begins() -> None:
    game = Game(4, seed=1, first=BLUE)

    play(game, "setup:stone", "setup:crystal", "setup:wood", "setup:clay")

    upper = {name: slots[-1] for name, slots in game.position()["board"].items()}
    assert upper == {"stone": [RED], "crystal": [YELLOW], "wood": [PURPLE], "clay": [BLUE]}
    assert (game.to_move, game.phase.word) == (BLUE, "main")


@pytest.mark.rule("X2")
@pytest.mark.parametrize(("who", "card", "word", "coins_left"), [(YELLOW, 3, "recover", 0), (RED, 4, "take:4:wood", 1)])
def test_yellow_pays_one_coin_to_recover_three_cards_and_reds_four_played_cards_return_free(
    scenario: Scenario, who: int, card: int, word: str, coins_left: int
) -> None:
    game = scenario(players=4, active=who, seats={who: {"coins": 1, "hand": [card]}})

    play(game, word)

    assert seat(game, who)["coins"] == coins_left
    assert seat(game, who)["hand"] == [1, 2, 3, 4]


@pytest.mark.rule("X3")
def test_blue_turns_two_cards_of_the_deck_into_coins(scenario: Scenario) -> None:
    game = scenario(players=4, active=BLUE, deck_top=[50, 51, 52])

    play(game, "coins:3")

    assert coins(game, BLUE) == [50, 51]
    assert deck(game)[0] == 52


@pytest.mark.rule("X4")
def test_red_pays_one_coin_for_clay_when_the_free_slot_is_taken(scenario: Scenario) -> None:
    game = scenario(players=4, active=RED, seats={RED: {"coins": 1}, BLUE: {"stock": {"clay": [1]}}})

    play(game, "take:2:clay")

    assert game.position()["board"]["clay"] == [[BLUE], [RED], [], []]
    assert seat(game, RED)["coins"] == 0


@pytest.mark.rule("X5")
def test_purple_takes_the_card_at_position_5_for_one_coin(scenario: Scenario) -> None:
    row = [40, 41, 42, 43, 44, 45]
    game = scenario(players=4, active=PURPLE, seats={PURPLE: {"coins": [30]}}, row=row, deck_top=[50])

    play(game, "buy:4:5")

    assert seat(game, PURPLE)["coins"] == 0
    assert seat(game, PURPLE)["held"] == [44]
    assert game.position()["row"] == [40, 41, 42, 43, 45, 30]


@pytest.mark.rule("X6")
def test_the_three_workers_that_paid_for_a_building_can_be_used_at_once(scenario: Scenario) -> None:
    cards = {7: {"cost": "wood stone crystal", "bonus": "clay"}}
    stock = {"wood": 1, "stone": 1, "crystal": 1, "clay": 6}
    game = scenario(players=4, cards=cards, seats={BLUE: {"held": [7], "stock": stock}})
    assert seat(game, BLUE)["supply"] == 0

    play(game, "build:1:0,1")
    board = game.position()["board"]
    assert board["wood"] == board["stone"] == board["crystal"] == [[], [], [], []]
    assert seat(game, BLUE)["supply"] == 3 - 1

    assert seat(play(game, "bonus:clay"), BLUE)["supply"] == 1


@pytest.mark.rule("X7")
def test_yellow_gets_the_bonus_of_its_card_and_of_the_one_above_and_then_a_rooster_character(
    scenario: Scenario,
) -> None:
    cards = {
        7: {"suit": "rooster", "bonus": "wood", "streets": "NS"},
        20: {"suit": "mask", "bonus": "clay", "streets": "SW"},
        21: {"suit": "bells", "bonus": "stone", "streets": "NS"},
        22: {"bonus": "crystal"},
    }
    city = [(20, 1, 0, RED), (21, 0, 1, BLUE), (22, 0, 2, BLUE)]
    seats = {YELLOW: {"held": [7], "stock": {"wood": 1}}}
    piles = {"rooster": ["mistress", "cheater", "bookkeeper"]}
    game = scenario(players=4, active=YELLOW, cards=cards, city=city, seats=seats, piles=piles)

    play(game, "build:1:1,1")
    assert legal(game) == ["bonus:clay", "bonus:wood", "done"]

    play(game, "bonus:clay", "bonus:wood")
    assert seat(game, YELLOW)["characters"] == ["mistress"]
    assert game.to_move == RED


@pytest.mark.rule("X8")
def test_the_final_scoring(scenario: Scenario) -> None:
    cards = {
        20: {"base": 4},
        21: {"suit": "mask", "per": 3, "counts": "adjacent"},
        22: {"suit": "mask", "per": 1, "counts": "shields"},
        23: {"suit": "mask", "base": 2, "per": 1, "counts": "mask", "shield": 2},
        24: {"suit": "bells", "base": 3, "per": 1, "counts": "diamond", "shield": 3},
        25: {"suit": "lily", "base": 1, "per": 1, "counts": "column", "shield": 1},
        26: {"base": 4},
    }
    city = [
        (20, -1, 0, BLUE),
        (21, 1, 0, RED),
        (22, 0, 1, RED),
        (23, 0, 2, PURPLE),
        (24, 0, 3, PURPLE),
        (25, -1, 1, YELLOW),
        (26, 2, 0, YELLOW),
    ]

    game = scenario(players=4, cards=cards, city=city, square={"clay": BLUE, "wood": RED})

    sheets = game.score_sheet()
    assert [([building.points for building in sheet.buildings], sheet.square) for sheet in sheets] == [
        ([4], 4),
        ([2 + 3, 3 + 2], 0),
        ([1 + 2, 4], 0),
        ([2 * 3, 2 + 1], 4),
    ]
    assert game.scores == (8, 10, 7, 13)
