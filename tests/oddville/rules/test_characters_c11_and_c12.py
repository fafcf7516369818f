"""Chapter C of the rules, C11 and C12."""

import pytest

from oddville_env import Game
from support.scenario import Scenario, coins, deck, legal, play, seat

READY = {"held": [7], "stock": {"wood": 1}}
BUILD = "build:1:0,1"


# C11 builder

OWNER = {"coins": 2, "held": [8], "stock": {"wood": 2}, "characters": ["builder"]}


def window(
    scenario: Scenario,
    *,
    active: dict[str, object] | None = None,
    owner: dict[str, object] | None = None,
    **told: object,
) -> Game:
    """Seat 0 has built below the square, and seat 2 owns the builder."""
    seats = {0: {"held": [7], "stock": {"wood": [3]}, **(active or {})}, 2: {**OWNER, **(owner or {})}}
    return play(scenario(**{"players": 3, "seats": seats, **told}), BUILD)


@pytest.mark.rule("C11")
def test_when_another_seat_has_built_the_builders_owner_may_build_too(scenario: Scenario) -> None:
    game = window(scenario)
    position = game.position()

    assert (position["phase"], position["active"], position["to_move"], position["built"]) == ("builder", 0, 2, True)
    assert legal(game) == ["build:1:-1,0", "build:1:-1,1", "build:1:0,2", "build:1:1,0", "build:1:1,1", "done"]


@pytest.mark.rule("C11")
def test_the_builder_costs_two_coins_and_the_resources(scenario: Scenario) -> None:
    game = window(scenario, owner={"coins": [30, 31, 32]}, deck_top=[50, 51, 52, 53])
    assert coins(game, 0) == [50, 51]

    play(game, "build:1:1,1")

    assert game.position()["city"][-1] == {"card": 8, "column": 1, "line": 1, "owner": 2}
    assert coins(game, 2) == [30, 31, 32]
    assert deck(game)[0] == 52
    assert seat(game, 2)["supply"] == 7
    assert (game.to_move, game.phase.word, game.position()["built"]) == (1, "main", False)


@pytest.mark.rule("C11")
def test_the_builders_coins_are_paid_before_the_bonuses(scenario: Scenario) -> None:
    game = window(scenario, owner={"coins": 5}, cards={8: {"streets": "W"}})

    assert seat(play(game, "build:1:1,1"), 2)["coins"] == 5 - 2 + 2


@pytest.mark.rule("C11")
def test_the_builders_owner_may_leave_it(scenario: Scenario) -> None:
    game = play(window(scenario), "done")

    assert (game.to_move, game.position()["active"], game.phase.word) == (1, 1, "main")
    assert seat(game, 2)["coins"] == 2


@pytest.mark.rule("C11")
@pytest.mark.rule("T6")
@pytest.mark.parametrize(
    ("owner", "told"),
    [
        ({"coins": 1}, {}),
        ({"held": []}, {}),
        ({"stock": {"clay": 1}}, {}),
        ({}, {"cards": {8: {"cost": "wood clay"}}}),
        ({}, {"table": [1, 2]}),
    ],
)
def test_there_is_no_window_where_the_builders_owner_can_build_nothing(
    scenario: Scenario, owner: dict[str, object], told: dict[str, object]
) -> None:
    game = window(scenario, owner=owner, **told)

    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("C11")
@pytest.mark.parametrize("word", ["coins:2", "take:4:clay", "buy:4:1"])
def test_there_is_no_window_where_nobody_has_built(scenario: Scenario, word: str) -> None:
    game = play(scenario(players=3, seats={2: OWNER}), word)

    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("C11")
def test_the_builders_owner_gets_no_window_for_its_own_building(scenario: Scenario) -> None:
    game = scenario(seats={0: {**OWNER, "coins": 5, "held": [7, 8]}})

    assert play(game, BUILD).to_move == 1


@pytest.mark.rule("C11")
def test_the_window_opens_when_the_turn_is_otherwise_over(scenario: Scenario) -> None:
    game = window(scenario, active={"coins": 1, "characters": ["cheater"]}, cards={7: {"bonus": "any"}})
    assert (game.to_move, game.phase.word) == (0, "bonus")

    play(game, "done")
    assert (game.to_move, game.phase.word) == (0, "end")

    play(game, "done")
    assert (game.to_move, game.phase.word) == (2, "builder")


@pytest.mark.rule("C11")
@pytest.mark.parametrize("pile", [["builder", "lamplighter"], ["lamplighter", "builder"]])
def test_who_loses_the_builder_in_the_turn_has_no_window(scenario: Scenario, pile: list[str]) -> None:
    active = {"characters": ["lamplighter"]}

    game = window(scenario, active=active, cards={7: {"suit": "lily"}}, reshuffles=[pile])

    assert seat(game, 0)["characters"] == pile[:1]
    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("C11")
def test_no_further_window_follows(scenario: Scenario) -> None:
    game = window(scenario, owner={"coins": 5, "held": [8, 9], "stock": {"wood": 3}})

    play(game, "build:1:1,0")

    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("C11")
def test_a_turn_without_a_building_after_a_window_has_none(scenario: Scenario) -> None:
    game = window(scenario, owner={"coins": 5, "held": [8, 9], "stock": {"wood": 3}})

    play(game, "build:1:1,0", "coins:2")

    assert (game.to_move, game.phase.word) == (2, "main")


@pytest.mark.rule("C11")
@pytest.mark.rule("C8")
def test_the_tax_collector_gains_a_coin_for_the_builders_two(scenario: Scenario) -> None:
    game = window(scenario, active={"characters": ["tax_collector"]})
    before = seat(game, 0)["coins"]

    assert seat(play(game, "build:1:1,0"), 0)["coins"] == before + 1


@pytest.mark.rule("C11")
def test_bonuses_and_guild_favour_belong_to_the_builders_building(scenario: Scenario) -> None:
    game = window(scenario, cards={8: {"bonus": "any", "suit": "mask"}}, piles={"mask": ["seignior", "landowner"]})

    play(game, "build:1:1,0")
    assert (game.to_move, game.position()["active"], game.phase.word) == (2, 0, "bonus")

    play(game, "any:crystal")
    assert seat(game, 2)["characters"] == ["builder", "seignior"]
    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("C11")
@pytest.mark.rule("T4")
def test_no_ability_is_used_in_the_builders_window(scenario: Scenario) -> None:
    owner = {"coins": 5, "held": [8, 9], "characters": ["builder", "cheater", "bookkeeper", "traveller"]}
    game = window(scenario, players=4, owner=owner, cards={8: {"bonus": "any"}})
    assert (game.phase.word, legal(game, "flip", "swap", "square")) == ("builder", [])

    play(game, "build:1:1,0")

    assert (game.phase.word, legal(game, "flip", "swap", "square")) == ("bonus", [])


@pytest.mark.rule("C11")
@pytest.mark.rule("T5")
def test_workers_return_in_the_windows_bonus_phase_only(scenario: Scenario) -> None:
    game = window(scenario, owner={"stock": {"wood": 9}}, cards={8: {"bonus": "any"}})
    assert (game.phase.word, legal(game, "return")) == ("builder", [])

    play(game, "build:1:1,0")
    assert legal(game) == ["done", "return:wood@2", "return:wood@4"]

    assert len(legal(play(game, "return:wood@4"), "any")) == 4


@pytest.mark.rule("C11")
@pytest.mark.rule("E1")
def test_the_window_follows_the_turn_that_ends_the_game_too(scenario: Scenario) -> None:
    game = window(scenario, city=[(20 + n, n + 1, 0, 0) for n in range(5)])
    assert (game.phase.word, game.position()["trigger"]) == ("builder", 0)

    play(game, "build:1:-1,0")

    assert game.is_over
    assert len(game.position()["city"]) == 7


# C12 traveller

TRAVELLER = {"stock": {"wood": [2, 3], "clay": 1}, "characters": ["traveller"]}


@pytest.mark.rule("C12")
def test_the_traveller_pays_a_resource_to_put_a_worker_on_its_field_of_the_square(scenario: Scenario) -> None:
    game = scenario(seats={0: TRAVELLER})
    assert legal(game, "square") == ["square:clay", "square:wood"]

    play(game, "square:wood")

    position = game.position()
    assert position["square"] == {"wood": 0, "clay": None, "stone": None, "crystal": None}
    assert position["board"]["wood"] == [[], [], [0]]
    assert seat(game, 0)["supply"] == 6
    assert (game.to_move, game.phase.word) == (0, "main")


@pytest.mark.rule("C12")
def test_the_traveller_works_with_an_empty_supply(scenario: Scenario) -> None:
    game = scenario(seats={0: {"stock": {"wood": 9}, "characters": ["traveller"]}})

    assert seat(play(game, "square:wood"), 0)["supply"] == 0


@pytest.mark.rule("C12")
def test_the_traveller_is_used_once_in_the_game_per_seat(scenario: Scenario) -> None:
    game = scenario(seats={0: TRAVELLER})
    play(game, "square:wood")
    assert legal(game, "square") == []

    assert legal(play(game, "coins:2", "coins:2"), "square") == []


@pytest.mark.rule("C12")
def test_the_traveller_needs_an_empty_field(scenario: Scenario) -> None:
    assert legal(scenario(seats={0: TRAVELLER}, square={"wood": 1}), "square") == ["square:clay"]


@pytest.mark.rule("C12")
def test_another_seat_that_wins_the_traveller_uses_it_too_and_the_first_worker_stays(scenario: Scenario) -> None:
    seats = {0: {**READY, "stock": {"wood": 1, "clay": 1}}, 1: {"characters": ["traveller"]}}
    game = scenario(cards={7: {"suit": "lily"}}, seats=seats, square={"stone": 1})

    play(game, BUILD, "square:clay")

    assert game.position()["square"] == {"wood": None, "clay": 0, "stone": 1, "crystal": None}


@pytest.mark.rule("C12")
def test_the_traveller_is_worth_its_points_until_its_owner_has_a_worker_on_the_square(scenario: Scenario) -> None:
    game = scenario(seats={0: TRAVELLER})
    assert game.score_sheet()[0].characters == {"traveller": 7}

    assert play(game, "square:wood").score_sheet()[0].characters == {"traveller": 0}


@pytest.mark.rule("C12")
def test_the_travellers_points_do_not_depend_on_others_workers_on_the_square(scenario: Scenario) -> None:
    game = scenario(seats={0: TRAVELLER}, square={"wood": 1})

    assert game.score_sheet()[0].characters == {"traveller": 7}
