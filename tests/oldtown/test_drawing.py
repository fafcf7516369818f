"""Old Town's picture and plain text, as a seat sees them; puzzles on paper."""

import json
from itertools import islice

import pytest

from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import deck_of
from oddville_env.oldtown.cards.deck import BASE
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.solo.generator import generate
from oddville_env.oldtown.svg.clues import plan
from oddville_env.oldtown.svg.palette import BUILDING_COLOURS
from oddville_env.oldtown.svg.puzzles import html, pages
from oddville_env.oldtown.svg.symbols import SHAPES, emblem, house, token
from support.helpers import random_game
from support.pictures import titles, words
from support.town import DECK, scenario

GAMES = [random_game(players, players, 25, OldTown) for players in (2, 3, 4)] + [random_game(3, 9, make=OldTown)]
every_moment = pytest.mark.parametrize("game", GAMES, ids=["2", "3", "4", "over"])


@every_moment
def test_the_town_shows_every_token_and_every_building_that_stands(game: OldTown) -> None:
    svg, position = game.svg(), game.position()
    in_hands = [DECK.cards[card - 1].building for seat in position["seats"] for card in seat["hand"]]
    for number, building in enumerate(DECK.buildings):
        lots = position["buildings"][building.key] or []
        in_the_list, on_the_board = 1, len(lots) if len(lots) > 1 else 0
        assert svg.count(token(DECK, number)) == in_the_list + in_hands.count(number) + on_the_board
        owned, logo = sum(building.key in seat["mine"] for seat in position["seats"]), building.key == "saloon"
        drawn = house(building.key, building.name, BUILDING_COLOURS[number])
        assert svg.count(drawn) == owned + (len(lots) == 1) + logo


@every_moment
def test_a_seat_sees_its_own_clues_and_the_backs_of_the_others(game: OldTown) -> None:
    hands = [seat["hand"] for seat in game.position()["seats"]]
    clues = [{describe.clue(DECK, card) for card in hand} for hand in hands]
    for seat in range(game.players):
        cards = [title for title in titles(game.svg(view=seat)) if title.startswith("card ")]
        assert cards == [f"card {card}" for card in hands[seat]]
        text = game.text(view=seat)
        hidden = set().union(*clues[:seat], *clues[seat + 1 :]) - clues[seat]
        assert not any(clue in text for clue in hidden)
        assert "face down" in text


def test_a_clue_is_a_sentence_with_a_plan_of_its_lots() -> None:
    game = scenario(seats=[{"hand": [3, 29, 45], "mine": ["hotel"]}])
    assert "The Bank stood on lot 4, 8, 12 or 16." in game.text(view=0)
    assert "My building stood on lot 5, 6, 7, 8, 9, 10, 11 or 12." in game.text(view=0)
    assert "The Judge and my building: neighbours in the same 2x2 quarter, east half." in game.text(view=0)
    assert "The Bank stood on lot 4, 8, 12" in words(game.svg(view=0))
    colour = BUILDING_COLOURS[DECK.index("bank")].full
    assert plan(DECK.cards[2]).count(f'fill="{colour}"') == 4


def test_every_building_has_a_drawing_a_sign_and_a_colour_of_its_own() -> None:
    assert {f"{kind}-{key}" for kind in ("emblem", "house") for key in DECK.keys} <= set(SHAPES)
    for drawn in (
        {house(key, "X", BUILDING_COLOURS[0]) for key in DECK.keys},
        {emblem(key, "X", BUILDING_COLOURS[0]) for key in DECK.keys},
        {shades.full for shades in BUILDING_COLOURS},
    ):
        assert len(drawn) == 18


def test_a_deck_with_other_buildings_is_drawn_too() -> None:
    named = json.loads(BASE.read_text().replace('"saloon"', '"theatre"').replace('"Saloon"', '"Theatre"'))
    assert "Theatre" in words(OldTown(2, seed=1, deck=deck_of(named)).svg())


def test_puzzles_on_paper_say_every_clue_and_their_solutions_stand_on_pages_of_their_own() -> None:
    puzzles = [*printed_puzzles(), *islice(generate("hard", 1), 2)]
    drawn = pages(puzzles, DECK)
    assert len(drawn) == 5 + 1
    assert sum(len(titles(page)) for page in drawn[:5]) == 5  # the sign of each page
    assert [title for title in titles(drawn[5]) if title != "Saloon"] == [
        DECK.buildings[DECK.index(key)].name for puzzle in puzzles for key in puzzle.solution or () if key != "saloon"
    ]
    assert "Which 3 buildings are mine is to be found out." in words(drawn[3])
    assert "My buildings are the Bank and the Saloon." in words(drawn[1])
    assert (len(pages(puzzles, DECK, solutions=False)), html(drawn).count("<svg")) == (5, 6)
