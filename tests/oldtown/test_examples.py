"""The worked examples of OLDTOWN.md; the Sheriff's card is number 10, its lots 1 3 5 7."""

import pytest

from support.town import DECK, lots, points, scenario

CARD = "play:10"


@pytest.mark.rule("X1")
def test_one_of_the_four_lots_is_taken_so_three_tokens_are_laid_for_two_points() -> None:
    game = scenario(buildings={"bank": [3]}, hands={0: [10]}, supply=[])
    assert points(game, CARD) == 2
    assert lots(game, "sheriff") == [1, 5, 7]


@pytest.mark.rule("X2")
def test_three_lots_are_taken_so_the_sheriff_stands_for_five_points() -> None:
    game = scenario(buildings={"bank": [3], "doc": [5], "hotel": [7]}, hands={0: [10]}, supply=[])
    assert points(game, CARD) == 5
    assert lots(game, "sheriff") == [1]


@pytest.mark.rule("X3")
def test_two_of_the_sheriffs_four_tokens_lie_on_other_lots_for_two_points() -> None:
    game = scenario(buildings={"sheriff": [1, 2, 3, 4]}, hands={0: [10]}, supply=[])
    assert points(game, CARD) == 2
    assert lots(game, "sheriff") == [1, 3]


@pytest.mark.rule("X4")
def test_a_card_with_all_tokens_on_its_lots_is_confirming() -> None:
    game = scenario(buildings={"sheriff": [3, 5], "bank": [4]}, hands={0: [10, 3]}, supply=[])
    assert game.legal_moves.words() == ["show:3"]


@pytest.mark.rule("X5")
def test_a_card_with_no_lot_left_is_contradicting() -> None:
    game = scenario(buildings={"sheriff": [2, 4], "bank": [4]}, hands={0: [10, 3]}, supply=[])
    assert "show:3" in game.legal_moves
    assert CARD not in game.legal_moves


@pytest.mark.rule("X6")
def test_a_lot_with_three_tokens_blocks_the_card() -> None:
    crowd = {"bank": [3, 8, 9], "doc": [3, 10, 11], "hotel": [3, 12, 13]}
    assert scenario(buildings=crowd, hands={0: [10]}, supply=[]).legal_moves.words() == ["pass"]


@pytest.mark.rule("X7")
def test_two_buildings_with_the_same_two_lots_leave_the_sheriff_the_others() -> None:
    game = scenario(buildings={"drugstore": [3, 7], "saloon": [3, 7]}, hands={0: [10]}, supply=[])
    assert points(game, CARD) == 3
    assert lots(game, "sheriff") == [1, 5]


@pytest.mark.rule("X8")
def test_a_pair_that_comes_to_be_locked_makes_a_third_building_stand() -> None:
    board = {"sheriff": [1, 3, 8], "drugstore": [1, 3], "saloon": [3, 12]}
    game = scenario(buildings=board, hands={0: [10]}, supply=[])
    assert points(game, CARD) == 1 + 2
    assert (lots(game, "sheriff"), lots(game, "saloon")) == ([1, 3], [12])


@pytest.mark.rule("X9")
def test_more_than_five_lots_are_neither_playable_nor_contradicting() -> None:
    game = scenario(mine={0: ["sheriff"]}, buildings={"bank": [4]}, hands={0: [38, 3]}, supply=[])
    assert game.legal_moves.words() == ["pass"]


@pytest.mark.rule("X10")
def test_removing_a_token_of_a_locked_pair_makes_both_stand_for_four_points() -> None:
    board = {"saloon": [3, 7], "drugstore": [3, 7], "bank": [4], "doc": [11]}
    game = scenario(buildings=board, hands={0: [3, 18]}, supply=[])
    game.push("show:3")
    game.push("show:18")
    assert points(game, "remove:saloon@3") == 4
    assert (lots(game, "saloon"), lots(game, "drugstore")) == ([7], [3])
    assert len(DECK.keys) == 18
