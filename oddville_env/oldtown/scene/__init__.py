"""Old Town as a page shows it: the town, its moves and events by spots, and single drawings by names (`token-bank`)."""

from collections.abc import Callable, Mapping
from typing import Any

from oddville_env.core.game.scene import Drawing, Scene, Speech, drawer, move_kinds, number_of, plain
from oddville_env.core.svg.palette import SEAT_NAMES
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import CARDS
from oddville_env.oldtown.rules.actions import SPANS
from oddville_env.oldtown.scene.moves import FORMS, effects, events, move
from oddville_env.oldtown.scene.puzzles import PUZZLES
from oddville_env.oldtown.scene.table import facts, table
from oddville_env.oldtown.svg import clues, symbols
from oddville_env.oldtown.svg.town import TOWN, ground

SYMBOL = (-10.0, -10.0, 20.0, 20.0)
HAT = (-12.0, -11.0, 24.0, 22.0)
HOUSE = (0.0, 0.0, 100.0, 100.0)
PLAN = (0.0, 0.0, clues.PLAN, clues.PLAN)
BACK = (0.0, 0.0, *symbols.CARD)
GROUND = (0.0, 0.0, TOWN, TOWN)


def _house(deck: Deck, key: str) -> Drawing:
    building = deck.index(key)
    return Drawing(HOUSE, symbols.tile(deck, building), deck.buildings[building].name)


def _token(deck: Deck, key: str) -> Drawing:
    building = deck.index(key)
    return Drawing(SYMBOL, symbols.token(deck, building), f"a token of the {deck.buildings[building].name}")


def _plan(deck: Deck, word: str) -> Drawing:
    number = number_of(word, 1, CARDS)
    return Drawing(PLAN, clues.plan(deck.cards[number - 1]), describe.clue(deck, number))


def _hat(deck: Deck, word: str) -> Drawing:
    seat = number_of(word, 0, len(SEAT_NAMES) - 1)
    return Drawing(HAT, symbols.hat(seat), SEAT_NAMES[seat])


KINDS: dict[str, Callable[..., Drawing]] = {
    "house": _house,
    "token": _token,
    "plan": _plan,
    "hat": _hat,
    "my": plain(SYMBOL, clues.my_building, "my building"),
    "points": plain(SYMBOL, symbols.points, "points"),
    "back": plain(BACK, symbols.back, "a card face down"),
    "ground": plain(GROUND, ground, "the sixteen lots of the town"),
}
"""By the first part of a name: (deck, further words of the name) -> the drawing."""


def _speech(position: Mapping[str, Any]) -> Speech:
    return Speech(describe.headline(position), describe.prompt(position))


SCENE = Scene(move_kinds(SPANS, FORMS), _speech, facts, table, drawer(KINDS), move, effects, events, PUZZLES)
"""The one scene of all games of Old Town."""
