"""The record of a game: everything random and every word, as RULES.md's record format has it."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from oddville_env.core.game.game_type import Outcome
from oddville_env.core.parts.records import RecordFormat
from oddville_env.oddville.cards.words import NOTHING, Character
from oddville_env.oddville.deal import Deal, deal_of, shuffled
from oddville_env.oddville.moves import words
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import GUILDS, IN_GUILD

FIELDS = {
    "format": str, "version": int, "players": int, "table": list, "max_rounds": int, "first": int, "deck": list,
    "piles": dict, "reshuffles": list, "moves": list, "scores": list, "ranks": list, "trigger": int, "truncated": bool,
}  # fmt: skip
RECORD = RecordFormat(
    "oddville-record", 1, FIELDS,
    results=("scores", "ranks", "trigger"),
    dealt=("players", "table", "max_rounds", "first", "deck", "piles", "reshuffles"),
    compared=("reshuffles", "scores", "ranks", "trigger", "truncated"),
)  # fmt: skip
"""The trigger is null too where there is none."""
MOST_RESHUFFLES = 23  # no more buildings than these can be built (P5)
NOTES = np.dtype((np.record, [("noted", "i2", GUILDS), ("number", "i2"), ("piles", "i1", (MOST_RESHUFFLES, IN_GUILD))]))
"""[G2] The new piles of a game, top first, how many there are, and how many of each guild have been noted."""


def dealt_fields(box: Box, deal: Deal) -> dict[str, Any]:
    """The fields that tell what was dealt."""
    assert deal.deck is not None
    assert deal.piles is not None
    return {
        **RECORD.head,
        "players": box.players,
        "table": list(box.table),
        "max_rounds": box.max_rounds,
        "first": deal.first,
        "deck": list(deal.deck),
        "piles": {guild: list(pile) for guild, pile in deal.piles.items()},
    }


def played_fields(layout: Layout, reshuffles: Iterable[Sequence[str]], actions: Iterable[int]) -> dict[str, Any]:
    """The fields that tell what was played, by the ids of all moves."""
    spelled = words(layout)
    return {"reshuffles": [list(pile) for pile in reshuffles], "moves": [spelled[action] for action in actions]}


def end_fields(outcome: Outcome | None) -> dict[str, Any]:
    """The fields that tell how a game ended, if it did."""
    scores, ranks, trigger, truncated, _ = outcome or Outcome((), ())
    return {"scores": list(scores) or None, "ranks": list(ranks) or None, "trigger": trigger, "truncated": truncated}


def record_lines(
    box: Box, seeds: np.ndarray, moves: Iterable[Sequence[int]], notes: np.ndarray, ends: Iterable[Outcome | None]
) -> list[str]:
    """Records as JSON texts of games dealt from seeds (uint64 [B]), with what was noted of their chance (NOTES [B])."""
    dealt = {seed: json.dumps(dealt_fields(box, deal_of(box, shuffled(box, seed, Deal())[0]))) for seed in set(seeds)}
    lines = []
    for seed, actions, number, piles, end in zip(
        seeds, moves, notes["number"].tolist(), notes["piles"], ends, strict=True
    ):
        reshuffles = [words_of_pile(pile) for pile in map(tuple, piles[:number].tolist())]
        fields = {**played_fields(box.layout, reshuffles, actions), **end_fields(end)}
        lines.append(f"{dealt[seed][:-1]}, {json.dumps(fields)[1:]}")
    return lines


@cache
def words_of_pile(characters: tuple[int, ...]) -> tuple[str, ...]:
    """The words of a pile's characters; what lies beyond the pile is NOTHING."""
    return tuple(Character(each).word for each in characters if each != NOTHING)
