"""Drawings: a position as a picture and as plain text, as a seat sees it; puzzles on paper."""

import json
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from oddville_env.core.svg.palette import SEAT_NAMES
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import deck_of
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.solo.generator import generate
from oddville_env.oldtown.svg import draw
from oddville_env.oldtown.svg.clues import plan
from oddville_env.oldtown.svg.palette import BUILDING_COLOURS
from oddville_env.oldtown.svg.puzzles import html, pages
from oddville_env.oldtown.svg.symbols import SHAPES, emblem, house, token
from oddville_env.oldtown.text import draw_text
from support.helpers import random_game, walk
from support.town import DECK, scenario

SVG = "{http://www.w3.org/2000/svg}"


def games() -> list[OldTown]:
    """Games of two to four in their middle, and one that is over."""
    found = [next(islice(walk(OldTown(players, seed=players), players), 25, None)) for players in (2, 3, 4)]
    return [*found, random_game(3, 9, make=OldTown)]


def words(svg: str) -> str:
    """All that is written in a picture, and what the pointer can learn."""
    return " ".join("".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text"))


def titles(svg: str) -> list[str]:
    return [str(node.text) for node in ElementTree.fromstring(svg).iter(f"{SVG}title")]


@pytest.mark.parametrize("game", games(), ids=repr)
def test_a_picture_is_well_formed_and_self_contained(game: OldTown) -> None:
    root = ElementTree.fromstring(game.svg())
    assert root.get("version") == "1.1"
    plain = {f"{SVG}{name}" for name in ("svg", "g", "title", "rect", "circle", "path", "text", "tspan")}
    assert {node.tag for node in root.iter()} <= plain
    assert not any(key.endswith(("href", "style", "class")) for node in root.iter() for key in node.attrib)
    assert game._repr_svg_() == game.svg()


@pytest.mark.parametrize("game", games(), ids=repr)
def test_the_town_shows_every_token_and_every_building_that_stands(game: OldTown) -> None:
    svg, position = game.svg(), game.position()
    for number, building in enumerate(DECK.buildings):
        lots = position["buildings"][building.key] or []
        in_the_list, in_open_hands = (
            1,
            sum(DECK.cards[card - 1].building == number for seat in position["seats"] for card in seat["hand"]),
        )
        on_the_board = len(lots) if len(lots) > 1 else 0
        assert svg.count(token(DECK, number)) == in_the_list + in_open_hands + on_the_board
        owned = sum(building.key in seat["mine"] for seat in position["seats"])
        logo = building.key == "saloon"
        drawn = house(building.key, building.name, BUILDING_COLOURS[number])
        assert svg.count(drawn) == owned + (len(lots) == 1) + logo


@pytest.mark.parametrize("game", games(), ids=repr)
def test_a_seat_sees_its_own_clues_and_the_backs_of_the_others(game: OldTown) -> None:
    everything = titles(game.svg())
    for seat in range(game.players):
        told = game.position(view=seat)["seats"]
        cards = [f"card {card}" for card in told[seat]["hand"]]
        assert [title for title in titles(game.svg(view=seat)) if title.startswith("card ")] == cards
        assert set(cards) <= set(everything)
        text = game.text(view=seat)
        hands = [{describe.clue(DECK, card) for card in other["hand"]} for other in game.position()["seats"]]
        hidden = set().union(*hands[:seat], *hands[seat + 1 :]) - hands[seat]
        assert not any(clue in text for clue in hidden)
        assert "face down" in text or game.players == 1


def test_games_that_a_seat_cannot_tell_apart_look_alike() -> None:
    game = games()[1]
    for seat in range(3):
        other = game.sample_unseen(seat, np.random.default_rng(seat))
        assert other.svg(view=seat) == game.svg(view=seat)
        assert other.text(view=seat) == game.text(view=seat)
        assert other.svg() != game.svg()


def test_a_clue_is_a_sentence_with_a_plan_of_its_lots() -> None:
    game = scenario(seats=[{"hand": [3, 29, 45], "mine": ["hotel"]}])
    assert "The Bank stood on lot 4, 8, 12 or 16." in game.text(view=0)
    assert "My building stood on lot 5, 6, 7, 8, 9, 10, 11 or 12." in game.text(view=0)
    assert "The Judge and my building: neighbours in the same 2x2 quarter, east half." in game.text(view=0)
    written = words(game.svg(view=0))
    assert "The Bank stood on lot 4, 8, 12" in written
    colour = BUILDING_COLOURS[DECK.index("bank")].full
    assert plan(DECK.cards[2]).count(f'fill="{colour}"') == 4


def test_every_building_has_a_drawing_and_a_sign_of_its_own() -> None:
    assert {f"{kind}-{key}" for kind in ("emblem", "house") for key in DECK.keys} <= set(SHAPES)
    colours = BUILDING_COLOURS[0]
    assert len({house(building.key, "X", colours) for building in DECK.buildings}) == 18
    assert len({emblem(building.key, "X", colours) for building in DECK.buildings}) == 18
    assert len({shades.full for shades in BUILDING_COLOURS}) == 18


def test_a_deck_with_other_buildings_is_drawn_too(plain_deck: dict[str, Any]) -> None:
    named = json.loads(json.dumps(plain_deck).replace('"saloon"', '"theatre"').replace('"Saloon"', '"Theatre"'))
    game = OldTown(2, seed=1, deck=deck_of(named))
    assert "Theatre" in words(game.svg())


@pytest.fixture
def plain_deck() -> dict[str, Any]:
    from oddville_env.oldtown.cards.deck import BASE

    plain: dict[str, Any] = json.loads(BASE.read_text())
    return plain


def test_a_picture_says_who_is_to_move_and_how_it_ended() -> None:
    game = games()[0]
    written = words(game.svg())
    assert f"{SEAT_NAMES[game.to_move or 0]} to move" in written
    assert describe.prompt(game.position()) in written
    over = random_game(3, 9, make=OldTown)
    assert over.outcome is not None
    assert describe.headline(over.position()) in words(over.svg())
    assert over.outcome.end in words(over.svg())
    winners = [SEAT_NAMES[seat] for seat, rank in enumerate(over.outcome.ranks) if rank == 1]
    assert describe.headline(over.position()).startswith(" and ".join(winners))


def test_all_pictures_of_a_film_are_equally_high_and_an_even_number_of_pixels() -> None:
    heights = set()
    for game in walk(OldTown(2, seed=1), 1):
        heights.add(ElementTree.fromstring(draw(game.position(), DECK, fixed=True, width=1000)).get("height"))
    assert len(heights) == 1
    assert int(heights.pop() or 1) % 2 == 0


@pytest.mark.parametrize("game", games(), ids=repr)
def test_the_text_has_at_most_100_columns(game: OldTown) -> None:
    told = [line for line in game.text().splitlines() if "and my building" not in line]
    assert max(map(len, told)) <= 100


def test_the_text_takes_no_more_of_a_terminal_than_there_is() -> None:
    game = games()[2]
    shown = draw_text(game.position(), DECK, (60, 30)).splitlines()
    assert len(shown) <= 30
    assert max(map(len, shown)) <= 60
    assert draw_text(game.position(), DECK, (200, 100)) == game.text()


def test_puzzles_on_paper_say_every_clue_and_their_solutions_stand_on_pages_of_their_own() -> None:
    puzzles = [*printed_puzzles(), *islice(generate("hard", 1), 2)]
    drawn = pages(puzzles, DECK)
    assert len(drawn) == 5 + 1
    assert sum(len(titles(page)) for page in drawn[:5]) == 5  # the sign of each page
    solved = titles(drawn[5])
    assert [title for title in solved if title != "Saloon"] == [
        DECK.buildings[DECK.index(key)].name for puzzle in puzzles for key in puzzle.solution or () if key != "saloon"
    ]
    assert "Which 3 buildings are mine is to be found out." in words(drawn[3])
    assert "My buildings are the Bank and the Saloon." in words(drawn[1])
    assert len(pages(puzzles, DECK, solutions=False)) == 5
    assert html(drawn).count("<svg") == 6
