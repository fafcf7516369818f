"""Moves on the table: which spots they touch, their words, and their effects on the tokens, with reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.game.scene import Form
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import NOTHING, CardType
from oddville_env.oldtown.deduction.groups import any_of, lone_group, tight_group
from oddville_env.oldtown.deduction.proof import Knowledge, Prover, Step
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.deduction.sentences import Left, Seen, Sight, bits
from oddville_env.oldtown.moves import Move, words
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.actions import SPANS, Kind
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import EVERY_LOT, Stack

FORMS = {
    Kind.TAKE: Form("take a building of one's own", "take the {name}", "supply:{building}"),
    Kind.PLAY_A: Form("play a card", "play card {card}", "hand:{seat}:{card}"),
    Kind.PLAY_B: Form("play a card", "play card {card} for the {name}", "hand:{seat}:{card} mine:{seat}:{building}"),
    Kind.PLAY_C: Form("play a card", "play card {card} with the {name}", "hand:{seat}:{card} mine:{seat}:{building}"),
    Kind.SHOW: Form("show a card of a pair", "show card {card}", "hand:{seat}:{card}"),
    Kind.REMOVE: Form("remove a token", "remove the token of the {name} from lot {lot}", "token:{building}@{lot}"),
    Kind.DRAW: Form("draw a card", "draw from the {stack} stack", "stack:{place}"),
    Kind.PASS: Form("pass", "pass", "pass"),
}
PARTS = {"a": "card", "b": "card", "c": "card", "other": "building"}
"""The page's names of some parts, by the law's."""


def parts_of(said: Move) -> dict[str, Any]:
    """The parts of a move by name, as words write them."""
    return {PARTS.get(name, name): part for name, part in zip(SPANS[said.kind].factors, said.parts, strict=True)}


def move(word: str, position: Mapping[str, Any]) -> dict[str, Any]:
    """The spots to touch for a move that is played in the position, its parts, and the move in words."""
    said = Move.parse(word)
    parts, seat = parts_of(said), position["to_move"]
    place = seat if parts.get("stack") == Stack.OWN.word else Stack.COMMON.word
    written = {**parts, "seat": seat, "name": str(parts.get("building", "")).replace("_", " "), "place": place}
    return FORMS[said.kind].told(parts, written)


CHANGES = (Kind.PLAY_A, Kind.PLAY_B, Kind.PLAY_C, Kind.REMOVE)
"""The kinds that change the board."""


def effects(box: Box, before: np.ndarray, after: np.ndarray, word: str) -> dict[str, Any]:
    """A move's effects on the board, with reasons, of a pair's first card what may follow; after: the state then."""
    said = Move.parse(word)
    if said.kind == Kind.SHOW and before[0].shown == NOTHING:
        return {"then": _second_cards(box, after)}
    if said.kind not in CHANGES:
        return {}
    had, has = before[0].sets.tolist(), after[0].sets.tolist()
    steps = _reasons(box.deck, had, has, said)
    return {**_changes(box.deck.keys, had, has), "why": [step.plain(box.deck) for step in steps]}


def _reasons(deck: Deck, had: Sequence[int], has: Sequence[int], said: Move) -> list[Step]:
    parts = parts_of(said)
    building = deck.index(parts["building"]) if "building" in parts else 0
    if said.kind == Kind.REMOVE:
        return removal_reasons(deck, had, has, building, parts["lot"] - 1)
    return play_reasons(deck, had, has, parts["card"], building)


def _changes(keys: Sequence[str], had: Sequence[int], has: Sequence[int]) -> dict[str, Any]:
    """Tokens that go and come, and buildings that come to stand."""
    changes: dict[str, list[Mapping[str, Any]]] = {"goes": [], "comes": [], "stands": []}
    for key, before, after in zip(keys, had, has, strict=True):
        one = after.bit_count() == 1 and before != after
        changes["goes"] += _tokens(key, before & ~after)
        changes["stands" if one else "comes"] += _tokens(key, after if one else after & ~before)
    return changes


def _tokens(key: str, lots: int) -> list[Mapping[str, Any]]:
    return [{"building": key, "lot": lot + 1} for lot in bits(lots)]


def _second_cards(box: Box, state: np.ndarray) -> list[dict[str, str]]:
    """[Q2] The cards that may follow the one that is shown: the spot of each, and its word."""
    mask, spelled = np.zeros(box.layout.size, np.bool_), words(box.layout)
    batch.legal(box.record, copied(state), 0, mask)
    position = {"to_move": int(state[0].to_move)}
    found = [spelled[action] for action in np.flatnonzero(mask).tolist()]
    return [{"spot": move(word, position)["path"][0], "word": word} for word in found]


Sets = Sequence[int]
"""[W1] Of each building its set, as a mask of lots; 0 where it is not on the board."""


def play_reasons(deck: Deck, before: Sets, after: Sets, card: int, own: int) -> list[Step]:
    """[W5] The lots that a played card leaves, and what follows; own: the own building, which an A card does not need.

    That a new building finds the lots taken on which others stand is plain to see: it is not told.
    """
    is_pair = deck.cards[card - 1].type == CardType.C
    named = deck.cards[card - 1].building
    spoken_of = [named, own] if is_pair else [own if deck.cards[card - 1].type == CardType.B else named]
    prover, known = _begin(deck, before, (card,) if is_pair else (), own)
    taken = any_of(lots for lots in before if lots & (lots - 1) == 0)
    for building in spoken_of:
        known.sets.setdefault(building, EVERY_LOT & ~taken)
    if not is_pair:
        prover.use_lots(known, card, spoken_of[0])
    return _followed(prover, known, after, (card,) if is_pair else ())


def removal_reasons(deck: Deck, before: Sets, after: Sets, building: int, lot: int) -> list[Step]:
    """[Q4] The consequences of removing a token from a lot, counted from 0."""
    prover, known = _begin(deck, before, (), building)
    known.sets[building] &= ~(1 << lot)
    return _followed(prover, known, after, ())


def _begin(deck: Deck, before: Sets, cards: tuple[int, ...], own: int) -> tuple[Prover, Knowledge]:
    """A prover that knows the tokens on the board, the C cards in question and the own building."""
    on_board = {building: int(lots) for building, lots in enumerate(before) if lots}
    prover = Prover(Puzzle((), (), cards, (deck.keys[own],), 1), deck)
    return prover, Knowledge(on_board, {}, [1 << own], [], 0)


def _followed(prover: Prover, known: Knowledge, after: Sets, cards: Sequence[int]) -> list[Step]:
    """All consequences; those of several cards or groups together are one step."""
    while True:
        sets = dict(known.sets)
        for card in cards:
            prover.use_card(known, card)
        if not all(prover.share_lots(known, find) for find in (lone_group, tight_group)) or sets == known.sets:
            break
    found = [Left(building, int(after[building])) for building, lots in known.sets.items() if lots != after[building]]
    if found:
        prover.narrow(known, Seen(Sight.TOGETHER), found, ())
    prover.need(range(len(prover.facts)))
    return prover.steps()
