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


def record_of(
    box: Box, deal: Deal, reshuffles: Iterable[Sequence[str]], actions: Iterable[int], outcome: Outcome | None
) -> dict[str, Any]:
    """The record of a game with this deal, by its new piles and the ids of all moves; outcome: how it ended, if so."""
    assert deal.deck is not None
    assert deal.piles is not None
    spelled = words(box.layout)
    scores, ranks, trigger, truncated, _ = outcome or Outcome((), ())
    return {
        **RECORD.head,
        "players": box.players,
        "table": list(box.table),
        "max_rounds": box.max_rounds,
        "first": deal.first,
        "deck": list(deal.deck),
        "piles": {guild: list(pile) for guild, pile in deal.piles.items()},
        "reshuffles": [list(pile) for pile in reshuffles],
        "moves": [spelled[action] for action in actions],
        "scores": list(scores) or None,
        "ranks": list(ranks) or None,
        "trigger": trigger,
        "truncated": truncated,
    }


def record_lines(
    box: Box, seeds: np.ndarray, moves: Iterable[Sequence[int]], notes: np.ndarray, ends: Iterable[Outcome | None]
) -> list[str]:
    """Records as JSON texts of games dealt from seeds (uint64 [B]), with what was noted of their chance (NOTES [B])."""
    deals = {seed: deal_of(box, shuffled(box, seed, Deal())[0]) for seed in set(seeds)}
    piles = ([words_of_pile(tuple(pile)) for pile in note.piles[: note.number].tolist()] for note in notes)
    played = zip(seeds, piles, moves, ends, strict=True)
    return [json.dumps(record_of(box, deals[seed], new, actions, end)) for seed, new, actions, end in played]


@cache
def words_of_pile(characters: tuple[int, ...]) -> tuple[str, ...]:
    """The words of a pile's characters; what lies beyond the pile is NOTHING."""
    return tuple(Character(each).word for each in characters if each != NOTHING)
