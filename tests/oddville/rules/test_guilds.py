"""Chapter G: guild favour."""

from collections import Counter

import pytest

from oddville_env.oddville.cards import Bonus
from support.scenario import Scenario, legal, play, printed, seat

BUILD = "build:1:0,1"
READY = {"held": [7], "stock": {"wood": 1}}


@pytest.mark.rule("G1")
@pytest.mark.parametrize(
    ("suit", "top"), [("mask", "seignior"), ("rooster", "mistress"), ("bells", "ghost"), ("lily", "builder")]
)
def test_the_seat_that_built_takes_the_top_character_of_the_guilds_pile(
    scenario: Scenario, suit: str, top: str
) -> None:
    piles = {
        "mask": ["seignior", "landowner"],
        "rooster": ["mistress", "cheater"],
        "bells": ["ghost", "benefactor"],
        "lily": ["builder", "lamplighter"],
    }
    game = scenario(players=3, cards={7: {"suit": suit}}, seats={0: READY}, piles=piles)

    play(game, BUILD)

    assert seat(game, 0)["characters"] == [top]
    assert game.position()["piles"][suit] == {"top": piles[suit][1], "size": 1}


@pytest.mark.rule("G1")
def test_the_character_may_be_used_from_now_on(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "rooster"}}, seats={0: READY}, piles={"rooster": ["cheater"]})

    play(game, BUILD)

    assert (game.to_move, game.phase.word, legal(game)) == (0, "end", ["done", "flip"])


@pytest.mark.rule("G2")
def test_an_empty_pile_is_made_anew_from_everybodys_characters_of_the_guild(scenario: Scenario) -> None:
    seats = {
        0: {**READY, "characters": ["lamplighter", "ghost"]},
        1: {"characters": ["builder"]},
        2: {"characters": ["traveller"]},
    }
    game = scenario(
        players=4, cards={7: {"suit": "lily"}}, seats=seats, reshuffles=[["traveller", "lamplighter", "builder"]]
    )
    assert game.position()["piles"]["lily"] == {"top": None, "size": 0}

    play(game, BUILD)

    assert [seat(game, number)["characters"] for number in range(3)] == [["ghost", "traveller"], [], []]
    assert game.position()["piles"]["lily"] == {"top": "lamplighter", "size": 2}
    assert game.record()["reshuffles"] == [["traveller", "lamplighter", "builder"]]


@pytest.mark.rule("G2")
def test_the_new_pile_is_shuffled(scenario: Scenario) -> None:
    seats = {
        0: {**READY, "characters": ["lamplighter"]},
        1: {"characters": ["builder"]},
        2: {"characters": ["traveller"]},
    }
    piles = Counter()
    for seed in range(90):
        game = play(scenario(players=4, cards={7: {"suit": "lily"}}, seats=seats, seed=seed), BUILD)
        piles[tuple(game.record()["reshuffles"][0])] += 1

    assert len(piles) == 6
    assert min(piles.values()) > 90 / 6 / 3


@pytest.mark.rule("G2")
def test_every_reshuffle_of_a_game_has_luck_of_its_own(scenario: Scenario) -> None:
    cards = {number: {"suit": "bells"} for number in (7, 8, 9)}
    seats = {
        0: {"held": [7, 8], "stock": {"wood": 2}, "characters": ["ghost"]},
        1: {"characters": ["benefactor"]},
        2: {**READY, "held": [9]},
    }
    taken = set()
    for seed in range(40):
        game = scenario(players=3, cards=cards, seats=seats, seed=seed)
        play(game, BUILD, "coins:2", "build:1:1,0", "build:1:-1,0")
        taken.add(tuple(pile[0] for pile in game.record()["reshuffles"]))

    assert len(taken) == 4


@pytest.mark.rule("G2")
def test_a_pile_of_one_card_is_a_reshuffle_too(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "mask"}}, seats={0: READY, 1: {"characters": ["seignior"]}})

    play(game, BUILD)

    assert [seat(game, number)["characters"] for number in range(2)] == [["seignior"], []]
    assert game.record()["reshuffles"] == [["seignior"]]


@pytest.mark.rule("G2")
def test_while_a_pile_has_a_card_nobody_gives_a_character_back(scenario: Scenario) -> None:
    seats = {0: READY, 1: {"characters": ["seignior"]}}
    game = scenario(players=3, cards={7: {"suit": "mask"}}, seats=seats, piles={"mask": ["landowner"]})

    play(game, BUILD)

    assert [seat(game, number)["characters"] for number in range(2)] == [["landowner"], ["seignior"]]
    assert game.record()["reshuffles"] == []


@pytest.mark.rule("G3")
def test_a_neighbours_guild_brings_no_character(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "diamond"}, 20: {"suit": "mask"}}, seats={0: READY}, city=[(20, 1, 0, 1)])

    assert seat(play(game, "build:1:1,1"), 0)["characters"] == []


@pytest.mark.rule("G3")
def test_a_lamplighter_just_taken_gives_nothing_for_the_build_that_took_it(scenario: Scenario) -> None:
    cards = printed({7: {"suit": "lily", "streets": "S"}}, square_bonus=Bonus.ANY, square_streets=[False] * 4)
    game = scenario(cards=cards, seats={0: READY}, piles={"lily": ["lamplighter"]})

    play(game, BUILD)

    assert (game.to_move, game.phase.word, game.position()["pending"]) == (1, "main", [])
    assert seat(game, 0)["characters"] == ["lamplighter"]


@pytest.mark.rule("G4")
def test_a_seat_keeps_its_characters_and_their_powers_from_turn_to_turn(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "bells"}}, seats={0: READY}, piles={"bells": ["ghost"]})

    play(game, BUILD, "coins:2", "coins:1")

    assert seat(game, 0)["characters"] == ["ghost"]
    assert seat(game, 0)["coins"] == 2 + 3


@pytest.mark.rule("G4")
def test_a_seat_may_have_several_characters(scenario: Scenario) -> None:
    game = scenario(
        cards={7: {"suit": "bells"}}, seats={0: {**READY, "characters": ["builder"]}}, piles={"bells": ["ghost"]}
    )

    assert seat(play(game, BUILD), 0)["characters"] == ["builder", "ghost"]


@pytest.mark.rule("G4")
def test_the_power_goes_with_the_character(scenario: Scenario) -> None:
    game = scenario(cards={7: {"suit": "bells"}}, seats={0: READY, 1: {"characters": ["ghost"]}})
    play(game, BUILD)

    assert "coins:1" not in game.legal_moves
    assert "coins:1" in play(game, "coins:2").legal_moves
