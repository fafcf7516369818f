"""The effects of a move on the tokens, with reasons: for whoever thinks about playing it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import NOTHING
from oddville_env.oldtown.deduction.proof import Step
from oddville_env.oldtown.deduction.sentences import bits
from oddville_env.oldtown.moves import Move, words
from oddville_env.oldtown.reasons import play_reasons, removal_reasons
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.scene.moves import move, parts_of

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
