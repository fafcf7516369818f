"""Old Town's setup, turns, drawing and end, by the numbers of its law."""

from collections import Counter

import pytest

from oddville_env.oldtown.cards.words import CardType
from oddville_env.oldtown.game import OldTown
from support.town import DECK, points, random_game, scenario


def types(cards: list[int]) -> str:
    return "".join(sorted(DECK.cards[card - 1].type.name for card in cards))


@pytest.mark.rule("S1")
def test_eighteen_buildings_begin_unknown_with_five_tokens_each() -> None:
    game = OldTown(3, 1)
    assert list(game.position()["buildings"].values()) == [None] * 18
    assert game.problems() == []


@pytest.mark.rule("S2")
def test_the_cards_are_18_a_18_c_and_24_b_with_their_lots_and_pairs() -> None:
    assert Counter(card.type for card in DECK.cards) == {CardType.A: 18, CardType.C: 18, CardType.B: 24}
    assert all(len(card.lots) == 4 for card in DECK.cards[:18])
    assert all(len(card.lots) in (7, 8) and card.building < 0 for card in DECK.cards[36:])
    assert all(card.pairs and not card.lots for card in DECK.cards[18:36])


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    ("players", "common", "own"), [(2, "B" * 24, "AAACCC"), (3, "AAA" + "B" * 24 + "CC", ""), (4, "B" * 24, "")]
)
def test_the_deal_gives_each_hand_two_a_and_two_c_and_each_stack_its_types(players: int, common: str, own: str) -> None:
    record = OldTown(players, 5).record()
    assert [types(hand) for hand in record["hands"]] == ["AACC"] * players
    assert types(record["common"]) == common
    assert [types(stack) for stack in record["own"]] == [own] * players
    dealt = [card for part in (*record["hands"], *record["own"], record["common"]) for card in part]
    assert len(dealt) == len(set(dealt))


@pytest.mark.rule("S4")
def test_every_seat_is_first_about_equally_often() -> None:
    firsts = Counter(OldTown(3, seed).position()["first"] for seed in range(300))
    assert set(firsts) == {0, 1, 2}
    assert min(firsts.values()) > 70


@pytest.mark.rule("S5")
def test_from_the_first_seat_clockwise_each_seat_takes_two_buildings_in_a_row() -> None:
    game = OldTown(3, 1, first=2)
    order = []
    while game.phase.word == "setup":
        order.append(game.to_move)
        game.push(game.legal_moves.words()[0])
    assert order == [2, 2, 0, 0, 1, 1]
    assert (game.to_move, game.position()["turn"], game.phase.word) == (2, 1, "main")


@pytest.mark.rule("T1")
def test_after_action_and_drawing_the_next_seat_clockwise_has_its_turn() -> None:
    game = scenario(mine={0: ["bank"]}, hands={0: [3], 1: [5]}, supply=[], common=[40, 41])
    game.push("play:3")
    assert (game.to_move, game.position()["turn"]) == (1, 10)
    assert game.position()["seats"][0]["hand"] == [40]


@pytest.mark.rule("T2")
def test_a_seat_that_can_play_can_neither_draw_nor_pass() -> None:
    game = scenario(hands={0: [3]}, supply=[], common=[40])
    assert game.legal_moves.words() == ["play:3"]


@pytest.mark.rule("T3")
def test_a_seat_that_can_do_neither_draws_from_the_stack_it_chooses_and_its_turn_is_over() -> None:
    game = scenario(players=2, hands={0: [40]}, supply=[], common=[41], own={0: [1]})
    assert game.legal_moves.words() == ["draw:common", "draw:own"]
    game.push("draw:own")
    assert game.position()["seats"][0]["hand"] == [1, 40]
    assert game.to_move == 1


@pytest.mark.rule("T4")
def test_a_seat_with_nothing_to_draw_passes() -> None:
    assert scenario(hands={0: [40]}, supply=[]).legal_moves.words() == ["pass"]


@pytest.mark.rule("T5")
def test_an_empty_phase_is_skipped_and_one_with_a_single_word_is_not() -> None:
    game = scenario(players=2, hands={0: [40]}, supply=["bank", "hotel"], common=[41], to_move=1, phase="main")
    game.push("draw:common")
    assert (game.phase.word, game.to_move) == ("take", 0)
    game.push("take:bank")
    assert game.phase.word == "main"
    one = scenario(players=2, hands={0: [40]}, supply=["bank"], common=[41], to_move=1)
    one.push("draw:common")
    assert one.legal_moves.words() == ["take:bank"]


@pytest.mark.rule("D1")
def test_one_card_is_drawn_after_a_play() -> None:
    game = scenario(hands={0: [3]}, supply=[], common=[40, 41])
    game.push("play:3")
    assert game.position()["common"] == [41]


@pytest.mark.rule("D2")
def test_with_two_players_each_card_comes_from_the_stack_that_the_seat_chooses() -> None:
    game = scenario(players=2, hands={0: [3]}, supply=[], common=[40, 41], own={0: [1, 2]})
    game.push("play:3")
    assert (game.phase.word, game.position()["draws"]) == ("draw", 1)
    assert game.legal_moves.words() == ["draw:common", "draw:own"]
    game.push("draw:own")
    assert (game.position()["seats"][0]["hand"], game.to_move) == ([1], 1)


@pytest.mark.rule("D3")
def test_where_one_stack_has_cards_there_is_no_word_and_where_none_has_nothing_is_drawn() -> None:
    game = scenario(players=2, hands={0: [3]}, supply=[], own={0: [1]})
    game.push("play:3")
    assert (game.to_move, game.position()["seats"][0]["hand"]) == (1, [1])
    empty = scenario(players=2, hands={0: [3]}, supply=[])
    empty.push("play:3")
    assert empty.position()["seats"][0]["hand"] == []


@pytest.mark.rule("E1")
def test_the_game_ends_at_once_when_the_sixteenth_building_stands() -> None:
    keys = [key for key in DECK.keys if key not in ("bank", "hotel")]
    free = [lot for lot in range(1, 17) if lot != 4]
    board = {key: [lot] for key, lot in zip(keys, free, strict=False)}
    game = scenario(buildings=board, hands={0: [3]}, supply=[], common=[40])
    assert points(game, "play:3") == 5
    assert (game.is_over, game.to_move, game.position()["common"]) == (True, None, [40])
    assert game.outcome is not None
    assert game.outcome.end == "complete"


@pytest.mark.rule("E2")
def test_when_all_seats_in_a_row_have_passed_the_game_ends_and_any_other_word_breaks_the_row() -> None:
    game = scenario(hands={0: [40]}, supply=[])
    for number in range(3):
        assert game.position()["passes"] == number
        game.push("pass")
    assert game.outcome is not None
    assert game.outcome.end == "exhausted"
    other = scenario(hands={0: [40]}, supply=["bank"], passes=2, phase="take", mine={1: ["doc"], 2: ["judge"]})
    other.push("take:bank")
    assert other.position()["passes"] == 0


@pytest.mark.rule("E3")
def test_a_complete_game_has_eighty_points() -> None:
    games = [random_game(players, seed) for players in (2, 3, 4) for seed in range(6)]
    complete = [sum(game.scores) for game in games if game.outcome and game.outcome.end == "complete"]
    assert set(complete) == {80}


@pytest.mark.rule("E4")
def test_equals_share_the_better_rank() -> None:
    game = scenario(hands={}, supply=[], passes=2)
    game.state[0].score[:3] = [7, 9, 9]
    game.push("pass")
    assert game.ranks == (3, 1, 1)
