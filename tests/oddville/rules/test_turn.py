"""Chapter T: the turn."""

import pytest

from support.scenario import Scenario, legal, play, seat

ABILITIES = ["cheater", "bookkeeper", "traveller", "seignior"]
ABLE = {"coins": 3, "held": [7], "stock": {"wood": 2}, "characters": ABILITIES}
ALL_NINE = {"wood": 9}


@pytest.mark.rule("T1")
@pytest.mark.parametrize("word", ["coins:4", "take:4:clay", "buy:4:1", "build:1:0,1"])
def test_a_turn_is_one_main_action(scenario: Scenario, word: str) -> None:
    game = scenario(seats={0: {"held": [7], "stock": {"wood": 1}}})

    play(game, word)

    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("T1")
def test_there_is_no_passing(scenario: Scenario) -> None:
    game = scenario(players=4, seats={0: {**ABLE, "hand": [1]}})

    assert "done" not in legal(game)


@pytest.mark.rule("T2")
@pytest.mark.parametrize("hand", [[4], [1, 4], [1, 2, 4]])
def test_recovering_costs_one_coin_for_each_card_still_in_hand(scenario: Scenario, hand: list[int]) -> None:
    game = scenario(seats={0: {"coins": len(hand), "hand": hand}})

    play(game, "recover")

    assert seat(game, 0)["coins"] == 0
    assert seat(game, 0)["hand"] == [1, 2, 3, 4]


@pytest.mark.rule("T2")
@pytest.mark.parametrize("hand", [[4], [1, 4], [1, 2, 4]])
def test_recovering_needs_the_coins_for_it(scenario: Scenario, hand: list[int]) -> None:
    game = scenario(seats={0: {"coins": len(hand) - 1, "hand": hand}})

    assert "recover" not in game.legal_moves


@pytest.mark.rule("T2")
def test_nobody_recovers_with_four_cards_in_hand(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 5, "characters": ["mistress"]}})

    assert "recover" not in game.legal_moves


@pytest.mark.rule("T2")
def test_after_recovering_a_worker_card_must_be_played_in_the_same_turn(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 1, "hand": [1], "held": [7], "stock": {"wood": 1}}})
    assert "build:1:0,1" in game.legal_moves

    play(game, "recover")

    assert game.position()["recovered"] is True
    assert (game.to_move, game.phase.word) == (0, "main")
    assert legal(game) == legal(game, "coins", "take", "buy") != []


@pytest.mark.rule("T2")
def test_in_the_next_turn_recovering_and_building_are_possible_again(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 2, "hand": [1], "held": [7], "stock": {"wood": 1}}})

    play(game, "recover", "coins:4", "coins:2")

    assert game.position()["recovered"] is False
    assert {"recover", "build:1:0,1"} <= set(legal(game))


@pytest.mark.rule("T3")
@pytest.mark.parametrize("word", ["coins:2", "take:2:wood", "buy:2:1"])
def test_the_last_card_of_a_hand_brings_all_four_back_free(scenario: Scenario, word: str) -> None:
    game = scenario(seats={0: {"coins": 1, "hand": [2]}})

    play(game, word)

    assert seat(game, 0)["hand"] == [1, 2, 3, 4]
    assert seat(game, 0)["coins"] == (2 if word == "coins:2" else 1)


@pytest.mark.rule("T3")
def test_before_the_last_card_none_comes_back(scenario: Scenario) -> None:
    game = scenario(seats={0: {"hand": [2, 3]}})

    assert seat(play(game, "coins:2"), 0)["hand"] == [3]


@pytest.mark.rule("T4")
@pytest.mark.parametrize(
    ("phase", "words"),
    [("main", []), ("extra", ["take:4:clay"]), ("bonus", ["build:1:0,1"]), ("end", ["coins:1"])],
)
def test_abilities_may_be_used_in_main_extra_bonus_and_end(scenario: Scenario, phase: str, words: list[str]) -> None:
    able = {**ABLE, "held": [7, 8], "characters": [*ABILITIES, "ghost"]}
    game = scenario(players=4, cards={7: {"bonus": "any"}}, seats={0: able})

    play(game, *words)

    assert game.phase.word == phase
    assert {"flip", "swap:1:6", "square:wood"} <= set(legal(game))


@pytest.mark.rule("T4")
def test_abilities_are_for_ones_own_turn(scenario: Scenario) -> None:
    game = scenario(players=4, seats={0: ABLE}, active=1)

    assert legal(game, "flip", "swap", "square") == []


@pytest.mark.rule("T5")
def test_a_seat_without_supply_may_take_any_of_its_workers_off_the_board(scenario: Scenario) -> None:
    game = scenario(
        seats={0: {"stock": {"wood": [2, 3, 3, 3], "clay": [1], "crystal": [3, 3, 3, 3]}}, 1: {"stock": {"wood": [1]}}}
    )
    assert legal(game, "return") == ["return:clay@1", "return:crystal@3", "return:wood@2", "return:wood@3"]

    play(game, "return:wood@3")

    assert game.position()["board"]["wood"] == [[1], [0], [0, 0]]
    assert seat(game, 0)["supply"] == 1
    assert (game.to_move, game.phase.word) == (0, "main")


@pytest.mark.rule("T5")
def test_a_seat_with_a_worker_in_supply_returns_none(scenario: Scenario) -> None:
    game = scenario(seats={0: {"stock": {"wood": 8}}})

    assert legal(game, "return") == []


@pytest.mark.rule("T5")
def test_a_worker_that_returns_can_be_used_for_the_second_resource(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 4, "stock": {"wood": 8}, "characters": ["seignior"]}})

    play(game, "take:4:clay")
    assert (game.phase.word, legal(game, "extra")) == ("extra", [])

    assert legal(play(game, "return:wood@3"), "extra", "return") == [
        f"extra:{name}" for name in ("clay", "crystal", "stone", "wood")
    ]


@pytest.mark.rule("T5")
def test_a_worker_that_returns_can_be_used_for_a_bonus(scenario: Scenario) -> None:
    game = scenario(cards={7: {"bonus": "stone"}}, seats={0: {"held": [7], "stock": ALL_NINE}})

    play(game, "build:1:0,1")
    assert legal(game) == ["done", "return:wood@2", "return:wood@3"]

    assert legal(play(game, "return:wood@2")) == ["bonus:stone", "done"]


@pytest.mark.rule("T5")
def test_nobody_returns_a_worker_after_the_main_action(scenario: Scenario) -> None:
    game = scenario(seats={0: {"stock": ALL_NINE, "characters": ["cheater"]}})

    play(game, "coins:2")

    assert game.phase.word == "end"
    assert legal(game) == ["done", "flip"]


@pytest.mark.rule("T5")
def test_nobody_returns_a_worker_during_a_discard(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7, 8], "stock": ALL_NINE}})

    assert legal(play(game, "buy:4:1")) == ["drop:1", "drop:2", "drop:3"]


@pytest.mark.rule("T6")
def test_without_a_character_a_turn_ends_by_itself(scenario: Scenario) -> None:
    game = play(scenario(), "coins:2")

    assert (game.to_move, game.phase.word) == (1, "main")


@pytest.mark.rule("T6")
def test_the_end_phase_waits_while_an_ability_may_be_used(scenario: Scenario) -> None:
    game = scenario(seats={0: {"characters": ["cheater"]}})

    play(game, "coins:2")
    assert (game.to_move, game.phase.word, legal(game)) == (0, "end", ["done", "flip"])

    assert play(game, "done").to_move == 1


@pytest.mark.rule("T6")
def test_whether_a_phase_ends_by_itself_is_looked_at_anew_after_every_word(scenario: Scenario) -> None:
    game = scenario(players=3, seats={0: {"characters": ["cheater", "bookkeeper"]}})

    play(game, "coins:2")
    assert legal(game) == ["done", "flip"]

    play(game, "flip")
    assert legal(game) == ["done", *(f"swap:1:{position}" for position in range(1, 7))]

    assert play(game, "swap:1:1").to_move == 1


@pytest.mark.rule("T6")
def test_the_bonus_phase_ends_by_itself_once_nothing_but_done_is_left(scenario: Scenario) -> None:
    seats = {0: {"coins": 1, "held": [7], "stock": {"wood": 1}, "characters": ["cheater"]}}
    game = scenario(cards={7: {"bonus": "double"}}, seats=seats)

    play(game, "build:1:0,1")
    assert (game.phase.word, legal(game)) == ("bonus", ["done", "flip"])

    assert play(game, "flip").to_move == 1


@pytest.mark.rule("T6")
def test_a_bonus_phase_that_is_given_up_is_followed_by_the_end_phase(scenario: Scenario) -> None:
    seats = {0: {"coins": 1, "held": [7], "stock": {"wood": 1}, "characters": ["cheater"]}}
    game = scenario(cards={7: {"bonus": "any"}}, seats=seats)

    play(game, "build:1:0,1", "done")

    assert (game.to_move, game.phase.word, legal(game)) == (0, "end", ["done", "flip"])


@pytest.mark.rule("T6")
def test_a_bonus_phase_in_which_nothing_can_be_said_is_skipped(scenario: Scenario) -> None:
    game = scenario(cards={7: {"bonus": "double"}}, seats={0: {"held": [7], "stock": {"wood": 1}}})

    play(game, "build:1:0,1")

    assert (game.to_move, game.phase.word, game.position()["pending"]) == (1, "main", [])


@pytest.mark.rule("T6")
def test_an_extra_phase_in_which_nothing_can_be_paid_is_skipped(scenario: Scenario) -> None:
    game = scenario(seats={0: {"characters": ["seignior"]}})

    assert play(game, "take:1:wood").to_move == 1


@pytest.mark.rule("T6")
def test_a_discard_interrupts_a_phase_and_returns_to_it(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 1, "held": [7, 8], "stock": {"wood": 1}, "characters": ["cheater"]}})

    play(game, "flip")
    position = game.position()
    assert (position["phase"], position["resume"], position["to_move"]) == ("discard", "main", 0)

    position = play(game, "drop:3").position()
    assert (position["phase"], position["resume"], position["to_move"]) == ("main", None, 0)
    assert "build:2:0,1" in game.legal_moves


@pytest.mark.rule("T6")
def test_a_discard_in_the_extra_phase_keeps_the_worker_card(scenario: Scenario) -> None:
    seats = {0: {"coins": 3, "held": [7, 8], "characters": ["cheater", "seignior"]}}
    game = play(scenario(seats=seats), "take:1:wood", "flip")
    assert (game.position()["resume"], game.position()["worker"]) == ("extra", 1)

    play(game, "drop:1")

    assert legal(game) == ["done", "extra:wood"]


@pytest.mark.rule("T6")
@pytest.mark.rule("T4")
def test_a_discard_after_the_main_action_comes_before_every_ability(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 1, "held": [7, 8], "characters": ["bookkeeper"]}})

    play(game, "buy:4:1")
    assert (game.position()["resume"], legal(game)) == ("end", ["drop:1", "drop:2", "drop:3"])

    play(game, "drop:1")
    assert (game.phase.word, len(legal(game, "swap"))) == ("end", 2 * 6)


@pytest.mark.rule("T6")
def test_the_turns_marks_are_wiped_when_the_next_turn_begins(scenario: Scenario) -> None:
    seats = {0: {"coins": 3, "hand": [1, 4], "characters": ["cheater"]}}
    game = play(scenario(seats=seats), "recover", "flip")
    assert (game.position()["recovered"], game.position()["used"]) == (True, ["flip"])

    play(game, "coins:2")

    assert (game.to_move, game.position()["recovered"], game.position()["used"]) == (1, False, [])
