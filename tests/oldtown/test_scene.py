"""Old Town as a seat sees it: the game in parts for pages, puzzles with hints, pictures and texts."""

import json
from itertools import islice
from typing import Any

import numpy as np
import pytest

from oddville_env.core.errors import SettingError
from oddville_env.core.game.scene import drawings_of
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import BASE, deck_of
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.scene import SCENE
from oddville_env.oldtown.solo.generator import generate
from oddville_env.oldtown.svg.clues import plan
from oddville_env.oldtown.svg.puzzles import html, pages
from oddville_env.oldtown.svg.symbols import BUILDING_COLOURS, SHAPES, emblem, house, token
from support.helpers import random_game, walk
from support.pictures import titles, words
from support.town import DECK, scenario

BOX = OLDTOWN.box(OLDTOWN.settings())
MOMENTS = [game.copy() for players in (2, 3, 4) for game in walk(OldTown(players, players), 1)]


def effects(game: OldTown, word: str) -> dict[str, Any]:
    after = game.copy()
    after.push(word)
    return SCENE.effects(game.box, game.state, after.state, word)


def seen_of(game: OldTown, seat: int) -> list[Any]:
    played, words = game.copy(), [move.word for move in game.moves]
    played.take_back(0)
    seen = []
    for word in words:
        before = played.position(view=seat)
        played.push(word)
        seen.append(SCENE.events(before, played.position(view=seat), word))
    return seen


def test_games_that_a_seat_cannot_tell_apart_have_the_same_events_and_effects() -> None:
    for players in (2, 3):
        game = random_game(players, players, 24, OldTown)
        for seat in range(players):
            other = game.sample_unseen(seat, np.random.default_rng(seat))
            assert seen_of(game, seat) == seen_of(OldTown.from_record(other.record()), seat)
        other, words = game.sample_unseen(game.to_move, np.random.default_rng(9)), game.legal_moves.words()
        assert [effects(game, word) for word in words] == [effects(other, word) for word in words]


def test_a_drawn_card_is_named_to_its_owner_alone() -> None:
    game = OldTown(2, seed=5)
    while not game.legal_moves.words()[0].startswith("draw"):
        game.push(sorted(game.legal_moves.words())[0])
    seat, before = game.to_move, [game.position(view=view) for view in (0, 1)]
    game.push("draw:own")
    for view in (0, 1):
        events = SCENE.events(before[view], game.position(view=view), "draw:own")
        (drawn,) = (event for event in events if event["from"] == f"stack:{seat}")
        assert (drawn["drawing"] == "back") == ("card" not in drawn) == (view != seat)


def test_what_goes_and_comes_is_what_the_rules_change_and_the_reasons_lead_there() -> None:
    plays = together = 0
    for game in MOMENTS:
        before = game.position()["buildings"]
        for word in game.legal_moves.words():
            if word.split(":")[0] in ("play", "remove"):
                told, after = effects(game, word), game.copy()
                after.push(word)
                gone, came = ({(t["building"], t["lot"]) for n in names for t in told[n]} for names in CHANGES)
                assert tokens(before) - gone | came == tokens(after.position()["buildings"])
                assert led(before, word, told) == after.position()["buildings"], (word, told["why"])
                plays += 1
                together += any(step["kind"] == "together" for step in told["why"])
    assert plays > 200
    assert together <= plays * 0.05


CHANGES = (("goes",), ("comes", "stands"))


def tokens(buildings: dict[str, Any]) -> set[tuple[str, int]]:
    return {(key, lot) for key, lots in buildings.items() for lot in lots or ()}


def led(before: dict[str, Any], word: str, told: dict[str, Any]) -> dict[str, Any]:
    """Where the reasons lead, beginning with the token that is removed."""
    lots = {key: list(found) if found else None for key, found in before.items()}
    if word.startswith("remove:"):
        key, lot = word.removeprefix("remove:").split("@")
        lots[key].remove(int(lot))
    for step in told["why"]:
        for left in step["left"]:
            lots[left["building"]] = left["lots"]
    return lots


def test_a_reason_names_the_card_and_what_follows_from_it() -> None:
    game = scenario(seats=[{"hand": [12], "mine": ["hotel"]}], buildings={"stable": [3, 7], "sheriff": [3, 7]})
    told = effects(game, "play:12")
    assert [step["text"] for step in told["why"]] == [
        "Card 12 leaves the Hotel on 3, 7, 11 or 15.",
        "The Stable and the Sheriff need lots 3 and 7: that leaves the Hotel on 11 or 15.",
    ]
    assert told["comes"] == [{"building": "hotel", "lot": 11}, {"building": "hotel", "lot": 15}]
    taken = scenario(seats=[{"hand": [12]}], buildings={"stable": [3], "sheriff": [7]})
    assert [step["text"] for step in effects(taken, "play:12")["why"]] == ["Card 12 leaves the Hotel on 11 or 15."]


def test_a_card_of_a_pair_tells_which_cards_may_follow() -> None:
    game = scenario(seats=[{"hand": [3, 10, 18]}], buildings={"bank": [4], "doc": [11], "sheriff": [2]})
    then = effects(game, "show:3")["then"]
    game.push("show:3")
    assert [each["word"] for each in then] == game.legal_moves.words() == ["show:10", "show:18"]


# Puzzles

PUZZLES = SCENE.puzzles
GENERATED = [f"{level}-{seed}" for level in PUZZLES.levels for seed in range(2)]
NAMES = [name for name, _ in PUZZLES.printed(BOX)] + GENERATED


@pytest.mark.parametrize("name", NAMES)
def test_following_the_hints_solves_a_puzzle_and_each_of_them_is_right(name: str) -> None:
    marks: dict[str, list[int]] = {}
    told = -1
    for _ in range(200):
        hint = PUZZLES.hint(BOX, name, marks, told)
        assert hint["wrong"] == []
        if hint["number"] is None:
            break
        told = max(told, hint["number"])
        assert all(step["text"].endswith(".") for step in hint["steps"])
        for left in hint["left"]:
            had = marks.get(left["building"], range(1, 17))
            marks[left["building"]] = [lot for lot in had if lot in left["lots"]]
    assert PUZZLES.check(BOX, name, marks) == {"wrong": [], "solved": True}


def test_a_puzzle_is_shown_without_its_solution_and_marks_are_wrong_where_they_miss_the_lot() -> None:
    for name in NAMES[:3]:
        shown = PUZZLES.table(BOX, name)
        assert len(shown["town"]) == len(shown["lots"]) == 16
        assert "solution" not in shown
        assert drawings_of(shown) >= {f"token-{each['building']}" for each in shown["town"]}
    bare, puzzle = PUZZLES.table(BOX, "1"), printed_puzzles()[0]
    assert {clue["card"] for clue in bare["clues"]} == {*puzzle.a, *puzzle.c, *(card for card, _ in puzzle.b)}
    assert bare["mine"] == list(puzzle.mine or ())
    assert not any("building" in lot or lot["house"].keys() != {"at", "size"} for lot in bare["lots"])
    solution = printed_puzzles()[0].solution
    right = {key: [lot] for lot, key in enumerate(solution, 1)}
    assert PUZZLES.check(BOX, "1", right) == {"wrong": [], "solved": True}
    assert PUZZLES.check(BOX, "1", {**right, "bank": []}) == {"wrong": [], "solved": False}
    assert PUZZLES.check(BOX, "1", {**right, "bank": [1]}) == {"wrong": ["bank"], "solved": False}
    assert PUZZLES.check(BOX, "1", {"bank": [1, 2, right["bank"][0]]}) == {"wrong": [], "solved": False}
    assert PUZZLES.hint(BOX, "1", {"bank": [1]}, -1)["number"] is None
    first, church = PUZZLES.hint(BOX, "3", {}, -1), {"building": "church", "lots": [9, 10, 13, 14]}
    assert (first["number"], first["left"]) == (0, [church])
    assert first["steps"][0]["text"] == "Card 1 leaves the Church on 9, 10, 13 or 14."
    assert PUZZLES.hint(BOX, "3", {"church": church["lots"]}, 0)["number"] == 1


@pytest.mark.parametrize("name", ["9", "hard", "hard-x", "hard--1", "easy-99999999999999999", "../1", ""])
def test_a_puzzle_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match="no puzzle"):
        PUZZLES.table(BOX, name)


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


def test_every_building_has_a_drawing_a_sign_and_a_colour_of_its_own_in_any_deck() -> None:
    assert {f"{kind}-{key}" for kind in ("emblem", "house") for key in DECK.keys} <= set(SHAPES)
    for drawn in (
        {house(key, "X", BUILDING_COLOURS[0]) for key in DECK.keys},
        {emblem(key, "X", BUILDING_COLOURS[0]) for key in DECK.keys},
        {shades.full for shades in BUILDING_COLOURS},
    ):
        assert len(drawn) == 18
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
