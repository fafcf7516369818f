"""The record of a game: all chance and every word, as OLDTOWN.md's record format has it."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from oddville_env.core.game.game_type import Outcome
from oddville_env.core.parts.records import RecordFormat
from oddville_env.oldtown.deal import Deal, deal_of, shuffled
from oddville_env.oldtown.moves import words
from oddville_env.oldtown.rules.box import Box

FIELDS = {
    "format": str, "version": int, "players": int, "first": int, "lone_confirm": bool, "hands": list, "common": list,
    "own": list, "moves": list, "scores": list, "ranks": list, "end": str,
}  # fmt: skip
RESULTS = ("scores", "ranks", "end")
DEALT = ("players", "first", "lone_confirm", "hands", "common", "own")
RECORD = RecordFormat("oldtown-record", 1, FIELDS, RESULTS, DEALT, compared=RESULTS)

NOTES = np.dtype((np.record, [("nothing", "?")]))
"""[K2] No chance is left once a game is dealt."""


def record_of(box: Box, deal: Deal, actions: Iterable[int], outcome: Outcome | None) -> dict[str, Any]:
    """The record of a game with this deal, by the ids of all moves; outcome: how it ended, if it did."""
    assert deal.hands is not None
    assert deal.common is not None
    assert deal.own is not None
    spelled = words(box.layout)
    return {
        **RECORD.head,
        "players": box.players,
        "first": deal.first,
        "lone_confirm": box.lone_confirm,
        "hands": [list(hand) for hand in deal.hands],
        "common": list(deal.common),
        "own": [list(stack) for stack in deal.own],
        "moves": [spelled[action] for action in actions],
        "scores": list(outcome.scores) if outcome else None,
        "ranks": list(outcome.ranks) if outcome else None,
        "end": outcome.end if outcome else None,
    }


def record_lines(
    box: Box, seeds: np.ndarray, moves: Iterable[Sequence[int]], notes: np.ndarray, ends: Iterable[Outcome | None]
) -> list[str]:
    """Records as JSON texts of games dealt from seeds (uint64 [B]); all their chance lies in the deal."""
    deals = {seed: deal_of(box, shuffled(box, seed, Deal())[0]) for seed in set(seeds)}
    played = zip(seeds, moves, ends, strict=True)
    return [json.dumps(record_of(box, deals[seed], actions, end)) for seed, actions, end in played]
