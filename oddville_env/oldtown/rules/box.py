"""All that is fixed for a game, as one record: deck, number of players, settings and numbering of moves.

Compiled code reads every printed number from here, so another deck changes no line and is not compiled anew.
"""

from dataclasses import dataclass, field

import numpy as np

from oddville_env.core.parts.values import DefensiveCopy
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import BUILDINGS, C_CARDS, CARDS, FIRST_CARD, LOTS, CardType

from . import state
from .actions import ACTIONS, SPANS, Layout, sizes_of

CARD = len(CardType) + BUILDINGS + 2 * LOTS
"""Numbers that describe a card: its type and building (one-hot), its lots (a C card's: those of its building that some
pair has), and the own building's lots that some pair has."""
WAYS = 2  # a C card's table is read from its building's lot, or from the own building's

FORMATS = {
    "players": "i2", "lone_confirm": "?",
    "start": ("i2", len(SPANS)), "factor": ("i2", len(SPANS)), "kind": ("i1", ACTIONS), "part": ("i2", (ACTIONS, 2)),
    "card_type": ("i1", CARDS), "named": ("i1", CARDS), "lots": ("i4", CARDS), "pairs": ("i4", (CARDS, WAYS, LOTS)),
    "clue_lots": ("i4", (CARDS, WAYS)), "described": ("u1", (CARDS, CARD)),
    "own_place": "i2", "common_place": "i2", "out_place": "i2", "common_size": "i2", "own_size": "i2",
    "common_a": "i2", "common_c": "i2",
}  # fmt: skip
BOX = np.dtype((np.record, np.dtype({"names": list(FORMATS), "formats": list(FORMATS.values())}, align=True)))
"""The record of all that is fixed."""


@dataclass(frozen=True)
class Box(DefensiveCopy):
    """A deck made ready for n players: `record[0]` is what compiled code gets as `box`."""

    deck: Deck
    players: int
    lone_confirm: bool
    layout: Layout = field(repr=False)
    record: np.ndarray = field(compare=False, repr=False)

    @property
    def cards(self) -> Deck:
        """The deck, as tools over any game call it."""
        return self.deck

    @property
    def games(self) -> np.dtype:
        """The dtype of a game of this box."""
        return state.STATE


def pack(deck: Deck, players: int, lone_confirm: bool) -> Box:
    """A deck, a number of players and a setting as one record; the arguments have been checked."""
    record = np.zeros(1, BOX)
    box = record[0]
    box.players, box.lone_confirm = players, lone_confirm
    _pack_layout(box)
    _pack_cards(box, deck)
    _describe_cards(box)
    _pack_places(box, players)
    first_c = FIRST_CARD[CardType.C]
    named = tuple(card.building for card in deck.cards[first_c : first_c + C_CARDS])
    return Box(deck, players, lone_confirm, Layout(deck.keys, named), record)


def _pack_layout(box: np.record) -> None:
    parts = np.array(Layout.parts)
    box.start[:] = Layout.starts[:-1]
    box.factor[:] = [sizes_of(span)[1] for span in SPANS]
    box.kind[:], box.part[:] = parts[:, 0], parts[:, 1:]


def _pack_cards(box: np.record, deck: Deck) -> None:
    for number, card in enumerate(deck.cards):
        box.card_type[number], box.named[number] = card.type, card.building
        box.lots[number] = sum(1 << lot for lot in card.lots)
        for lot, other in card.pairs:
            box.pairs[number, 0, lot] |= 1 << other
            box.pairs[number, 1, other] |= 1 << lot


def _describe_cards(box: np.record) -> None:
    """Cards by what they do, as learners see them."""
    kinds, buildings = np.eye(len(CardType))[box.card_type], np.eye(BUILDINGS + 1, BUILDINGS)[box.named]
    box.clue_lots[:] = (box.pairs > 0) @ (1 << np.arange(LOTS))
    box.clue_lots[:, 0] |= box.lots
    lots = box.clue_lots[:, :, None] >> np.arange(LOTS) & 1
    box.described[:] = np.hstack([kinds, buildings, lots[:, 0], lots[:, 1]])


def _pack_places(box: np.record, players: int) -> None:
    """[S3] The number of cards of each stack, and its first place."""
    box.own_size = state.OWN_STACK if players == state.TWO_PLAYERS else 0
    box.common_a, box.common_c = (state.COMMON_A, state.COMMON_C) if players == state.THREE_PLAYERS else (0, 0)
    box.common_size = CARDS - FIRST_CARD[CardType.B] + box.common_a + box.common_c
    box.own_place = state.HAND * players
    box.common_place = box.own_place + players * box.own_size
    box.out_place = box.common_place + box.common_size
