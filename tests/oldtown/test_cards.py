"""The deck's file: one clear sentence for every mistake."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from oddville_env.oldtown.cards import DeckError, base_deck, deck_of, load_deck
from oddville_env.oldtown.cards.deck import BASE
from oddville_env.oldtown.game import OldTown
from support.cases import rows

PLAIN = json.loads(BASE.read_text())
MISSING = object()
PAIRS = "card 21: field pairs: expected a list of different pairs of lots, at least one"


def changed(path: str, value: Any) -> Any:
    """The deck with one value changed, or without it."""
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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"cards": [], "cards": []}', "field 'cards' stands more than once"),
        ("{", "this is no JSON"),
        (None, "there is no such file"),
    ],
)
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
