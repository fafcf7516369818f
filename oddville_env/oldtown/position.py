"""A game's state as JSON, exactly as OLDTOWN.md's position format has it, in full or as a seat sees it."""

from typing import Any

import numpy as np

from oddville_env.oldtown.cards.words import CARDS, LOTS, NOBODY, NOTHING
from oddville_env.oldtown.deal import Places, places
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import End, Phase

Position = dict[str, Any]


def position(box: Box, games: np.ndarray, index: int = 0, view: int | None = None) -> Position:
    """The position of one of the games, as a seat sees it; with no view, all of it."""
    game, keys, where = games[index], box.deck.keys, places(box)
    common = _top_first(game.deal[where.common], game.common)
    return {
        "players": box.players,
        "first": int(game.first),
        "turn": int(game.turn),
        "phase": Phase(game.phase).word,
        "to_move": _or_none(game.to_move),
        "view": view,
        "buildings": {key: _lots(lots) if lots else None for key, lots in zip(keys, game.sets.tolist(), strict=True)},
        "supply": [key for key, there in zip(keys, game.supply.tolist(), strict=True) if there],
        "seats": _seats(box, game, where, view),
        "common": common if view is None else len(common),
        "played": (game.played[: game.plays] + 1).tolist(),
        "shown": None if game.shown == NOTHING else int(game.shown) + 1,
        "draws": int(game.draws),
        "passes": int(game.passes),
        "end": None if game.end == NOTHING else End(game.end).word,
        "lone_confirm": box.lone_confirm,
    }


def _or_none(seat: int) -> int | None:
    return None if seat == NOBODY else int(seat)


def _lots(mask: int) -> list[int]:
    """The lots of a set, from 1."""
    return [lot + 1 for lot in range(LOTS) if mask >> lot & 1]


def _cards(mask: int) -> list[int]:
    """The numbers of a set of cards."""
    return [card + 1 for card in range(CARDS) if mask >> card & 1]


def _top_first(stack: np.ndarray, left: int) -> list[int]:
    """The cards that a stack still has."""
    cards: list[int] = (stack[len(stack) - left :] + 1).tolist()
    return cards


def _seats(box: Box, game: np.record, where: Places, view: int | None) -> list[dict[str, Any]]:
    keys, deal = box.deck.keys, game.deal
    fields = (game[name].tolist() for name in ("score", "mine", "hand", "hand_size", "own"))
    return [
        {
            "score": score,
            "mine": [keys[building] for building in mine if building != NOTHING],
            "hand": _cards(hand) if view in (None, seat) else size,
            "own": _top_first(deal[part], own) if view is None else own,
        }
        for seat, (part, score, mine, hand, size, own) in enumerate(zip(where.own, *fields, strict=False))
    ]
