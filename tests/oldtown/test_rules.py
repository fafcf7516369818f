"""Rules of Old Town's board, plays, pairs and buildings, and the law's worked examples."""

import pytest

from oddville_env.oldtown.game import OldTown
from support.town import DECK, lots, points, scenario, walk

SIX = {"bank": [11, 12, 15, 16], "stable": [1, 2, 3, 4]}


@pytest.mark.rule("W1")
def test_a_set_is_the_lots_of_the_tokens_and_the_relation_of_a_played_c_card_is_forgotten() -> None:
    game = scenario(buildings={"smith": [5, 6], "bank": [9, 10, 14]}, mine={0: ["bank"]}, hands={0: [21]}, supply=[])
    game.push("play:21:bank")
    assert (lots(game, "smith"), lots(game, "bank")) == ([5, 6], [9, 10])


@pytest.mark.rule("W2")
def test_no_two_buildings_have_one_lot() -> None:
    game = scenario(buildings={"bank": [4, 5], "drugstore": [4, 7]}, hands={0: [3]}, supply=[])
    game.push("play:3")
    assert (lots(game, "bank"), lots(game, "drugstore")) == ([4], [7])


@pytest.mark.rule("W3")
def test_three_buildings_with_three_lots_keep_all_others_off_them() -> None:
    locked = {"bank": [1, 3], "doc": [3, 5], "judge": [1, 5]}
    game = scenario(buildings=locked, hands={0: [10]}, supply=[])
    assert points(game, "play:10") == 5
    assert lots(game, "sheriff") == [7]


@pytest.mark.rule("W4")
def test_a_c_card_is_true_where_the_pair_of_lots_is_in_its_table() -> None:
    game = scenario(buildings={"smith": [5], "bank": [6, 9]}, mine={0: ["bank"]}, hands={0: [21]}, supply=[])
    assert points(game, "play:21:bank") == 2
    assert lots(game, "bank") == [9]


@pytest.mark.rule("W5")
def test_a_c_card_narrows_both_its_buildings_and_all_that_follows_in_one_step() -> None:
    board = {"smith": [5, 6], "bank": [9, 11], "doc": [5, 8]}
    game = scenario(buildings=board, mine={0: ["bank"]}, hands={0: [21]}, supply=[])
    assert points(game, "play:21:bank") == 2 + 2 + 2
    assert [lots(game, key) for key in ("smith", "bank", "doc")] == [[5], [9], [8]]


@pytest.mark.rule("C1")
def test_a_b_card_speaks_of_one_of_the_seats_own_buildings_its_choice() -> None:
    game = scenario(
        mine={0: ["bank", "hotel"], 1: ["doc"]}, hands={0: [50]}, buildings={"bank": [1, 2], "hotel": [4, 5]}
    )
    assert game.legal_moves.words() == ["play:50:bank", "play:50:hotel"]


@pytest.mark.rule("C2")
def test_a_c_card_needs_an_own_building_other_than_the_named_one() -> None:
    game = scenario(buildings={"bank": [9, 1]}, mine={0: ["bank"]}, hands={0: [20]}, supply=[], common=[40])
    assert game.legal_moves.words() == ["draw:common"]
    assert game.action("play:20:bank") is None


@pytest.mark.rule("P1")
def test_with_another_own_building_the_same_card_is_another_thing() -> None:
    board = {"bank": [1, 2], "hotel": [3, 4]}
    game = scenario(buildings=board, mine={0: ["bank", "hotel"]}, hands={0: [51, 10]}, supply=[])
    words = game.legal_moves.words()
    assert "play:51:bank" not in words
    assert "play:51:hotel" not in words
    assert "play:10" in words


@pytest.mark.rule("P2")
def test_a_card_for_a_seventeenth_building_contradicts() -> None:
    keys = [key for key in DECK.keys if key not in ("bank", "hotel")]
    pairs = {key: [lot - (lot - 1) % 2, lot - (lot - 1) % 2 + 1] for lot, key in enumerate(keys, 1)}
    game = scenario(buildings=pairs, hands={0: [3, 12]}, supply=[])
    assert game.legal_moves.words() == ["show:3"]


@pytest.mark.rule("P3")
def test_a_card_that_leaves_an_unknown_building_more_than_five_lots_cannot_be_used() -> None:
    game = scenario(mine={0: ["bank"]}, hands={0: [50]}, supply=[])
    assert game.legal_moves.words() == ["pass"]


@pytest.mark.rule("P3")
def test_a_card_that_leaves_an_unknown_building_five_lots_can_be_used() -> None:
    standing = {"hotel": [2], "doc": [3], "stable": [5]}  # three of the card's eight
    game = scenario(buildings=standing, mine={0: ["bank"]}, hands={0: [50]}, supply=[])
    assert game.legal_moves.words() == ["play:50:bank"]


@pytest.mark.rule("P4")
def test_tokens_of_both_new_buildings_of_a_c_card_count_together() -> None:
    standing = {"doc": [1], "hotel": [2], "judge": [3], "school": [4], "casino": [8], "stable": [12]}
    rows = {"church": [13, 14], "prison": [13, 14], "saloon": [15, 16], "sheriff": [15, 16]}
    one = {"barber": [6, 7, 10, 11]}
    two = {**one, "laundry": [6, 7, 10, 11]}
    for tokens, words in ((one, ["play:24:bank"]), (two, ["pass"])):
        board = {**standing, **rows, **tokens}
        game = scenario(buildings=board, mine={0: ["bank"]}, hands={0: [24]}, supply=[])
        assert game.legal_moves.words() == words


@pytest.mark.rule("P4")
def test_a_building_that_stands_at_once_needs_no_token() -> None:
    crowd = {"bank": [3, 8, 9], "doc": [3, 10, 11], "hotel": [3, 12, 13]}
    stand = {"judge": [1], "school": [5], "casino": [7]}
    game = scenario(buildings={**crowd, **stand}, hands={0: [10]}, supply=[])
    assert points(game, "play:10") == 5 + 3


@pytest.mark.rule("P5")
def test_a_card_puts_tokens_of_an_unknown_building_on_its_lots() -> None:
    game = scenario(hands={0: [3]}, supply=[])
    game.push("play:3")
    assert lots(game, "bank") == [4, 8, 12, 16]
    assert game.position()["played"] == [3]


@pytest.mark.rule("P6")
def test_a_confirming_card_cannot_be_played_by_itself_unless_the_game_is_set_up_so() -> None:
    settings = {"buildings": {"bank": [4, 8]}, "hands": {0: [3]}, "supply": [], "common": [40]}
    assert scenario(**settings).legal_moves.words() == ["draw:common"]
    game = scenario(lone_confirm=True, **settings)
    assert game.legal_moves.words() == ["play:3"]
    assert points(game, "play:3") == 0
    assert game.position()["seats"][0]["hand"] == [40]


@pytest.mark.rule("P7")
def test_points_are_the_tokens_that_are_not_laid_and_those_that_leave_the_board() -> None:
    game = scenario(buildings={"bank": [4, 5], "doc": [8, 5]}, mine={1: ["doc"]}, hands={0: [3]}, supply=[])
    assert points(game, "play:3") == 2
    assert (lots(game, "bank"), lots(game, "doc")) == ([4], [5, 8])
    new = scenario(hands={0: [3]}, supply=[])
    assert points(new, "play:3") == 1


@pytest.mark.rule("P8")
def test_cards_played_or_shown_are_out_of_the_game() -> None:
    game = scenario(buildings={"bank": [4], "doc": [11]}, hands={0: [3, 18]}, supply=[])
    game.push("show:3")
    game.push("show:18")
    assert game.position()["played"] == [3, 18]
    assert game.position()["seats"][0]["hand"] == []


@pytest.mark.rule("Q1")
def test_too_wide_and_blocked_cards_do_not_count() -> None:
    game = scenario(buildings={"doc": [11]}, mine={0: ["bank"]}, hands={0: [18, 50]}, supply=[])
    assert game.legal_moves.words() == ["pass"]


@pytest.mark.rule("Q2")
def test_a_pair_is_two_words_the_lower_number_first() -> None:
    game = scenario(buildings={"bank": [4], "doc": [11], "stable": [1, 5]}, hands={0: [3, 18]}, supply=[])
    assert game.legal_moves.words() == ["show:3"]
    game.push("show:3")
    position = game.position()
    assert (position["phase"], position["shown"], position["seats"][0]["hand"]) == ("show", 3, [3, 18])
    assert game.legal_moves.words() == ["show:18"]


@pytest.mark.rule("Q3")
def test_after_a_pair_any_one_token_must_be_removed() -> None:
    game = scenario(buildings={"bank": [4], "doc": [11], "stable": [1, 5]}, hands={0: [3, 18]}, supply=[])
    game.push("show:3")
    game.push("show:18")
    assert game.legal_moves.words() == ["remove:stable@1", "remove:stable@5"]


@pytest.mark.rule("Q4")
def test_a_removal_closes_the_board_and_scores_all_that_follows() -> None:
    board = {"bank": [4], "doc": [11], "stable": [1, 5], "judge": [5, 13]}
    game = scenario(buildings=board, hands={0: [3, 18]}, supply=[])
    game.push("show:3")
    game.push("show:18")
    assert points(game, "remove:stable@1") == 4
    assert (lots(game, "stable"), lots(game, "judge")) == ([5], [13])


@pytest.mark.rule("Q5")
def test_without_tokens_on_the_board_a_pair_only_changes_cards() -> None:
    game = scenario(buildings={"bank": [4], "doc": [11]}, hands={0: [3, 18]}, supply=[], common=[40, 41, 42])
    game.push("show:3")
    game.push("show:18")
    assert game.to_move == 1
    assert game.position()["seats"][0]["hand"] == [40, 41]


@pytest.mark.rule("B1")
def test_a_seat_has_at_most_two_own_buildings() -> None:
    for game in walk(OldTown(2, 3), 3):
        assert all(len(seat["mine"]) <= 2 for seat in game.position()["seats"])


@pytest.mark.rule("B2")
def test_near_the_end_of_the_supply_only_a_seat_with_none_takes_one_building() -> None:
    few = scenario(mine={0: []}, supply=["bank", "hotel", "doc"], phase="take", hands={0: [40]})
    few.push("take:doc")
    assert few.phase.word == "main"
    four = scenario(mine={0: []}, supply=["bank", "hotel", "doc", "smith"], phase="take", hands={0: [40]})
    four.push("take:doc")  # as many are left as there are players
    assert four.phase.word == "main"
    many = scenario(mine={0: []}, supply=["bank", "hotel", "doc", "smith", "judge"], phase="take", hands={0: [40]})
    many.push("take:doc")
    assert many.phase.word == "take"
    many.push("take:bank")
    assert many.phase.word == "main"


@pytest.mark.rule("B3")
def test_a_building_that_comes_to_stand_leaves_its_owner_or_the_supply_and_nobody_is_paid() -> None:
    board = {"bank": [4, 5], "doc": [12, 5], "hotel": [5, 7]}
    game = scenario(buildings=board, mine={1: ["bank", "hotel"]}, hands={0: [3]}, supply=["doc"])
    game.push("play:3")
    assert game.position()["seats"][1]["mine"] == ["hotel"]
    assert game.position()["seats"][1]["score"] == 0
    assert game.position()["supply"] == ["doc"]


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
