"""Old Town's game for people, and one clear sentence for every mistake in a deck's file."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddville_env.core.errors import SettingError
from oddville_env.oldtown.cards import BASE, DeckError, base_deck, deck_of, load_deck
from oddville_env.oldtown.game import OldTown
from support.bad_values import mutated
from support.cases import rows
from support.helpers import every_number, random_game, walk

HANDS = [[1, 2, 19, 20], [3, 4, 21, 22], [5, 6, 23, 24]]


@pytest.mark.parametrize(("settings", "sentence"), [
    ({"lone_confirm": 1}, "lone_confirm must be True or False"),
    ({"deck": 5}, "deck must be a deck or its file"),
    ({"hands": HANDS[:2]}, "hands must be 3 lists"),
    ({"hands": [[1, 2, 3, 20], [4, 5, 21, 22], [6, 7, 23, 24]]}, "hands, seat 0: expected cards of types"),
    ({"hands": [[1, 2, 19, 20], [1, 5, 21, 22], [6, 7, 23, 24]]}, "card 1 is dealt to two places"),
    ({"common": [1]}, "common: expected cards of types"),
])  # fmt: skip
def test_a_setting_that_no_game_can_have_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        OldTown(**{"players": 3, "seed": 1, **settings})


def test_what_is_given_of_the_deal_is_dealt_so_and_the_rest_comes_from_the_seed() -> None:
    for seed in range(20):
        game = OldTown(3, seed, hands=HANDS, first=1)
        assert (game.record()["hands"], game.problems()) == (HANDS, [])


@pytest.mark.rule("P7")
def test_points_by_what_brought_them_are_of_every_kind() -> None:
    sheets = [random_game(3, seed, make=OldTown).score_sheet() for seed in range(10)]
    assert (np.sum(sheets, axis=(0, 1)) > 0).all()


@pytest.mark.rule("S1")
def test_ninety_tokens_are_accounted_for_and_sets_never_grow() -> None:
    for seed in range(6):
        before = np.full(18, 0xFFFF)
        for game in walk(OldTown(2 + seed % 3, seed, lone_confirm=seed % 2 == 1), seed):
            sizes = [5 if there is None else len(there) for there in game.position()["buildings"].values()]
            assert sum(game.scores) + sum(size for size in sizes if size > 1) == 90
            sets = game.state[0].sets.astype(int)
            assert (before & sets == sets).all()
            before = np.where(sets == 0, before, sets)


def test_what_all_seats_know_together_stays_when_no_seat_looks() -> None:
    game, rng = random_game(2, 3, moves=30, make=OldTown), np.random.default_rng(0)
    hands = [seat["hand"] for seat in game.position()["seats"]]
    others = [game.sample_unseen(None, rng) for _ in range(20)]
    assert all([seat["hand"] for seat in other.position()["seats"]] == hands for other in others)
    assert len({tuple(other.position()["common"]) for other in others}) > 10


@every_number
def test_a_position_is_read_back_and_a_changed_one_refused_or_played_to_its_end(players: int) -> None:
    for lone_confirm in (False, True):
        for game in walk(OldTown(players, 3, lone_confirm=lone_confirm), 3):
            again = OldTown.from_position(json.loads(json.dumps(game.position())))
            assert again.position() == game.position()
            assert (again.legal_moves.words(), again.problems()) == (game.legal_moves.words(), [])
    chance, refused, played = random.Random(players), 0, 0
    for number, before in enumerate(walk(OldTown(players, players, lone_confirm=players == 3), players)):
        for _ in range(40 if number % 8 == 0 else 0):
            try:
                game = OldTown.from_position(mutated(before.position(), chance))
            except SettingError as error:
                refused += len(str(error).splitlines()) == 1
                continue
            for each in walk(game, 0):
                assert each.problems() == []
            played += 1
    assert refused > 150
    assert played > 3


@pytest.mark.parametrize(("path", "value", "sentence"), [
    (["to_move"], 3, "to_move must be a whole number from 0 to 2, or None, not 3"),
    (["to_move"], 1, "to_move is not the seat whose turn it is"),
    (["draws"], 1, "cards are due in phase draw only"),
    (["passes"], 3, "passes do not agree with the end"),
    (["phase"], "lunch", "phase must be one of setup, take, main, show, remove, draw, over, not 'lunch'"),
    (["seats", 1, "score"], 77, "tokens of unknown buildings are .*, not 90"),
    (["seats", 1, "mine"], ["bank", "bank"], "seats.1.mine must be a list of 0 to 2 different values"),
    (["buildings", "bank"], [], "buildings.bank must be a list of 1 to 5 different values"),
    (["buildings", "tavern"], None, "buildings.tavern is no building of the deck"),
    (["seats", 1, "hand", 0], 1, r"card 1 lies in two places: seats\.0\.hand and seats\.1\.hand"),
    (["view"], 0, "full position, whose view is null"),
])  # fmt: skip
def test_what_is_wrong_with_a_position_is_named(path: list[Any], value: Any, sentence: str) -> None:
    game = OldTown(3, 5, first=0, hands=HANDS)
    while game.phase.word != "main":
        game.push(game.legal_moves.words()[0])
    position = copy.deepcopy(game.position())
    holder: Any = position
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(SettingError, match=sentence):
        OldTown.from_position(position)


def test_no_field_of_a_position_may_be_missing_and_it_is_an_object() -> None:
    position = OldTown(2, 5).position()
    for name in position:
        with pytest.raises(SettingError, match=name):
            OldTown.from_position({key: value for key, value in position.items() if key != name})
    for full in (None, [], "main", 3):
        with pytest.raises(SettingError, match="a position is an object, not"):
            OldTown.from_position(full)


PLAIN = json.loads(BASE.read_text())
MISSING = object()
PAIRS = "card 21: field pairs: expected a list of different pairs of lots, at least one"


def changed(path: str, value: Any) -> Any:
    plain = copy.deepcopy(PLAIN)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    holder = plain
    for step in way:
        holder = holder[step]
    holder[last] = value
    if value is MISSING:
        del holder[last]
    return plain


MISTAKES = {
    "a lot of 17": ("cards.0.lots.0", 17, "card 1: field lots: expected a whole number from 1 to 16, found 17"),
    "a lot twice": ("cards.0.lots.0", 10, "card 1: field lots: expected a list of 4 different values"),
    "too few lots": ("cards.40.lots", [1, 2], "card 41: field lots: expected a list of 7 to 8 different values"),
    "no lots": ("cards.4.lots", MISSING, "card 5: field lots is missing"),
    "two cards of one number": ("cards.1.card", 3, "card 3: 2 cards have this number"),
    "an empty relation": ("cards.20.pairs", [], f"{PAIRS}, found []"),
    "a lot with itself": ("cards.20.pairs.0", [5, 5], "pairs: expected two different lots from 1 to 16, found [5, 5]"),
    "a pair twice": ("cards.20.pairs.0", [6, 10], PAIRS.partition(" of lots")[0]),
    "an unknown building": ("cards.2.building", "bnak", "card 3: field building: expected one of stage_coach_office"),
    "another type": ("cards.2.type", "B", "card 3: field type: expected one of A, found 'B'"),
    "an unknown field": ("cards.2.lot", 1, "card 3: unknown field 'lot'"),
    "a card that is none": ("cards.2", 5, "card at place 3: expected an object whose card is a whole number from 1 to"),
    "two buildings of one key": ("buildings.1.key", "stable", "two buildings have the key 'stable'"),
    "a key with spaces": ("buildings.1.key", "the bank", "building 2: field key: expected small letters"),
    "too few buildings": ("buildings", PLAIN["buildings"][:17], "buildings: expected 18, found 17"),
}


@pytest.mark.rule("S2")
@pytest.mark.parametrize(("path", "value", "sentence"), rows(MISTAKES))
def test_a_mistake_is_told_in_one_sentence(path: str, value: Any, sentence: str) -> None:
    with pytest.raises(DeckError) as error:
        deck_of(changed(path, value))
    assert [problem for problem in error.value.problems if sentence in problem], error.value.problems


@pytest.mark.parametrize(("text", "sentence"), [
    ('{"cards": [], "cards": []}', "field 'cards' appears more than once"),
    ("{", "is not JSON"),
    (None, "there is no file"),
])  # fmt: skip
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, text: str | None, sentence: str) -> None:
    file = tmp_path / "deck.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(DeckError, match=sentence):
        load_deck(file)


@pytest.mark.rule("S2")
def test_another_deck_is_data() -> None:
    deck = deck_of(changed("cards.2.lots", [1, 2, 3, 4]), "other")
    assert deck != base_deck()
    game = OldTown(3, 1, deck=deck, hands=[[3, 4, 19, 20], [1, 2, 21, 22], [5, 6, 23, 24]], first=0)
    while game.phase.word == "setup":
        game.push(game.legal_moves.words()[0])
    game.push("play:3")
    assert game.position()["buildings"]["bank"] == [1, 2, 3, 4]
