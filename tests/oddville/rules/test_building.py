"""Chapter B: building."""

import pytest

from oddville_env import Game, SettingError
from oddville_env.oddville.cards import Bonus
from support.scenario import Scenario, legal, play, printed, seat, sides

READY = {"held": [7], "stock": {"wood": 1}}
JOINED = {7: {"bonus": "wood"}, 20: {"bonus": "clay"}, 21: {"bonus": "stone"}}
BESIDE_THE_SQUARE = ["build:1:-1,0", "build:1:0,1", "build:1:1,0"]


@pytest.mark.rule("B1")
def test_a_seat_may_build_either_of_its_held_buildings(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7, 8], "stock": {"wood": 1}}})
    assert legal(game, "build") == [*BESIDE_THE_SQUARE, *(word.replace("1:", "2:", 1) for word in BESIDE_THE_SQUARE)]

    play(game, "build:2:1,0")

    assert game.position()["city"] == [{"card": 8, "column": 1, "line": 0, "owner": 0}]
    assert seat(game, 0)["held"] == [7]


@pytest.mark.rule("B1")
@pytest.mark.parametrize("cost", ["clay", "wood wood", "wood stone"])
def test_a_building_needs_every_resource_of_its_cost(scenario: Scenario, cost: str) -> None:
    game = scenario(cards={7: {"cost": cost}}, seats={0: READY})

    assert legal(game, "build") == []


@pytest.mark.rule("B1")
def test_each_resource_of_the_cost_sends_one_worker_back_to_supply(scenario: Scenario) -> None:
    stock = {"wood": 2, "clay": 2, "crystal": 1}
    game = scenario(cards={7: {"cost": "wood wood clay"}}, seats={0: {"held": [7], "stock": stock}})

    play(game, "build:1:0,1")

    assert game.position()["board"] == {
        "wood": [[], [], []],
        "clay": [[], [0], []],
        "stone": [[], [], []],
        "crystal": [[0], [], []],
    }
    assert seat(game, 0)["supply"] == 4 + 3 - 1


@pytest.mark.rule("B1")
def test_the_worker_comes_off_the_cheapest_slot_where_the_seat_has_one(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7], "stock": {"wood": [2, 3]}}, 1: {"stock": {"wood": [1]}}})

    play(game, "build:1:0,1")

    assert game.position()["board"]["wood"] == [[1], [], [0]]


@pytest.mark.rule("B1")
def test_the_seat_that_builds_owns_the_building(scenario: Scenario) -> None:
    game = play(scenario(active=1, seats={1: READY}), "build:1:-1,0")

    assert game.position()["city"][0]["owner"] == 1


@pytest.mark.rule("B2")
def test_a_building_needs_a_worker_in_supply_after_paying(scenario: Scenario) -> None:
    cards = {7: {"cost": ""}, 8: {"cost": "wood"}}
    game = scenario(cards=cards, seats={0: {"held": [7, 8], "stock": {"wood": 9}}})
    assert {word[:8] for word in legal(game, "build")} == {"build:2:"}

    assert "build:1:0,1" in play(game, "return:wood@1").legal_moves


@pytest.mark.rule("B2")
def test_a_building_lies_on_an_empty_cell_beside_a_card(scenario: Scenario) -> None:
    game = scenario(seats={0: READY}, city=[(20, 0, 1, 1)])

    cells = {word.split(":")[2] for word in legal(game, "build")}

    assert cells == {"-1,0", "1,0", "-1,1", "1,1", "0,2"}


@pytest.mark.rule("B3")
@pytest.mark.parametrize(
    ("streets", "cells"), [("N", ["0,1"]), ("E", ["-1,0"]), ("W", ["1,0"]), ("S", []), ("EW", ["-1,0", "1,0"])]
)
def test_street_meets_street_at_the_square(scenario: Scenario, streets: str, cells: list[str]) -> None:
    game = scenario(cards={7: {"streets": streets}}, seats={0: READY})

    assert legal(game, "build") == [f"build:1:{cell}" for cell in cells]


@pytest.mark.rule("B3")
@pytest.mark.parametrize(("streets", "fits"), [("NSE", True), ("NESW", False), ("W", False), ("S", True)])
def test_houses_meet_houses(scenario: Scenario, streets: str, fits: bool) -> None:
    game = scenario(cards={7: {"streets": streets}, 20: {"streets": "W"}}, seats={0: READY}, city=[(20, 1, 0, 1)])

    assert ("build:1:2,0" in game.legal_moves) is fits


@pytest.mark.rule("B3")
@pytest.mark.parametrize(("streets", "fits"), [("NSW", True), ("NESW", False), ("SW", False)])
def test_a_card_must_fit_on_every_side_that_it_touches(scenario: Scenario, streets: str, fits: bool) -> None:
    cards = {7: {"streets": streets}, 20: {"streets": "ES"}, 21: {"streets": "N"}}
    game = scenario(cards=cards, seats={0: READY}, city=[(20, -1, 0, 1), (21, 0, 1, 1)])

    assert ("build:1:-1,1" in game.legal_moves) is fits


@pytest.mark.rule("B3")
def test_cards_are_never_turned(scenario: Scenario) -> None:
    game = scenario(cards={7: {"streets": "S"}}, seats={0: READY})

    assert legal(game, "build") == []


@pytest.mark.rule("B3")
def test_the_square_has_streets_on_its_printed_sides(scenario: Scenario) -> None:
    cards = printed({7: {"streets": "W"}}, square_streets=sides("W"))

    game = scenario(cards=cards, seats={0: READY})

    assert legal(game, "build") == ["build:1:0,1"]


@pytest.mark.rule("B4")
def test_a_built_card_never_moves(scenario: Scenario) -> None:
    game = play(scenario(seats={0: READY, 1: {**READY, "held": [8]}}), "build:1:0,1")
    before = game.position()["city"]

    after = play(game, "build:1:0,2").position()["city"]

    assert after == [*before, {"card": 8, "column": 0, "line": 2, "owner": 1}]


@pytest.mark.rule("B5")
def test_the_placed_card_and_every_joined_neighbour_give_their_bonus(scenario: Scenario) -> None:
    game = scenario(cards=JOINED, seats={0: READY}, city=[(20, -1, 0, 0), (21, 0, 1, 1)])

    play(game, "build:1:-1,1")

    assert game.position()["pending"] == ["clay", "stone", "wood"]
    assert legal(game) == ["bonus:clay", "bonus:stone", "bonus:wood", "done"]


@pytest.mark.rule("B5")
def test_a_neighbour_that_turns_houses_to_the_card_gives_nothing(scenario: Scenario) -> None:
    cards = {**JOINED, 7: {"bonus": "wood", "streets": "N"}, 21: {"bonus": "stone", "streets": "N"}}
    game = scenario(cards=cards, seats={0: READY}, city=[(20, -1, 0, 0), (21, 0, 1, 1)])

    assert play(game, "build:1:-1,1").position()["pending"] == ["clay", "wood"]


@pytest.mark.rule("B5")
def test_a_diagonal_neighbour_gives_nothing(scenario: Scenario) -> None:
    game = scenario(cards=JOINED, seats={0: READY}, city=[(20, -1, 0, 0)])

    assert play(game, "build:1:0,1").position()["pending"] == ["wood"]


@pytest.mark.rule("B5")
@pytest.mark.parametrize(("cell", "given"), [("0,1", ["any", "wood"]), ("2,0", ["clay", "wood"])])
def test_the_square_gives_its_bonus_to_a_card_that_a_street_joins_to_it(
    scenario: Scenario, cell: str, given: list[str]
) -> None:
    cards = printed(JOINED, square_bonus=Bonus.ANY)
    game = scenario(cards=cards, seats={0: READY}, city=[(20, 1, 0, 0)])

    assert play(game, f"build:1:{cell}").position()["pending"] == given


@pytest.mark.rule("B5")
def test_the_square_gives_nothing_over_houses(scenario: Scenario) -> None:
    cards = printed({7: {"bonus": "wood", "streets": "E"}}, square_bonus=Bonus.ANY, square_streets=sides("W"))
    game = scenario(cards=cards, seats={0: READY})

    assert play(game, "build:1:0,1").position()["pending"] == ["wood"]


@pytest.mark.rule("B6")
def test_a_guilds_building_brings_a_character_after_the_bonuses(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "bells", "bonus": "any"}}, seats={0: READY}, piles={"bells": ["ghost"]})

    play(game, "build:1:0,1")
    assert seat(game, 0)["characters"] == []

    assert seat(play(game, "any:wood"), 0)["characters"] == ["ghost"]


@pytest.mark.rule("B6")
def test_bonuses_that_are_given_up_do_not_cost_the_character(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "bells", "bonus": "any"}}, seats={0: READY}, piles={"bells": ["ghost"]})

    assert seat(play(game, "build:1:0,1", "done"), 0)["characters"] == ["ghost"]


@pytest.mark.rule("B6")
def test_a_diamond_brings_no_character(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "diamond"}}, seats={0: READY})

    assert seat(play(game, "build:1:0,1"), 0)["characters"] == []


@pytest.mark.rule("B7")
@pytest.mark.parametrize("print_", [{"streets": "S"}, {"cost": "wood clay"}])
def test_what_fits_nowhere_or_cannot_be_paid_stays_held(scenario: Scenario, print_: dict[str, str]) -> None:
    game = scenario(cards={7: print_}, seats={0: READY})
    assert legal(game, "build") == []

    assert seat(play(game, "coins:2"), 0)["held"] == [7]


@pytest.mark.rule("B8")
def test_nothing_is_built_outside_the_table(scenario: Scenario) -> None:
    game = scenario(table=[3, 2], seats={0: READY}, city=[(20, 1, 0, 1), (21, 0, 1, 1)])

    assert legal(game, "build") == ["build:1:-1,0", "build:1:-1,1", "build:1:1,1"]


@pytest.mark.rule("B8")
def test_the_default_table_has_columns_minus_8_to_8_and_lines_0_to_8(scenario: Scenario) -> None:
    right = [(20 + n, n, 0, n % 2) for n in range(1, 9)]
    down = [(40 + n, 8, n, n % 2) for n in range(1, 3)]
    game = scenario(players=4, seats={0: READY}, city=right + down)
    assert game.position()["table"] == [17, 9]
    assert "build:1:7,1" in game.legal_moves
    assert not any(word.startswith("build:1:9,") for word in legal(game))

    assert game.action("build:1:-8,8") is not None
    assert game.action("build:1:-9,8") is game.action("build:1:-8,9") is None


@pytest.mark.rule("B8")
@pytest.mark.parametrize("table", [[4, 2], [0, 3], [3, 0], [3]])
def test_a_table_has_an_odd_number_of_columns_and_at_least_one_line(table: list[int]) -> None:
    with pytest.raises(SettingError):
        Game(2, table=table)
