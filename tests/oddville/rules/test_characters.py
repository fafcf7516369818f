"""Chapter C: the twelve characters."""

import pytest
from scenario import Scenario, coins, deck, legal, play, printed, seat, sides

from oddville_env import Game
from oddville_env.oddville.cards import Bonus

RESOURCES = ("clay", "crystal", "stone", "wood")
READY = {"held": [7], "stock": {"wood": 1}}
BUILD = "build:1:0,1"


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
