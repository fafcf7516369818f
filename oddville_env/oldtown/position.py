"""A game's state as JSON, exactly as OLDTOWN.md's position format has it, in full or as a seat sees it; and back."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOBODY, NOTHING
from oddville_env.oldtown.deal import places
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import FIELDS, End, Phase

Position = dict[str, Any]


def position(box: Box, games: np.ndarray, index: int = 0, view: int | None = None) -> Position:
    """The position of one of the games, as a seat sees it; with no view, all of it."""
    game, keys = games[index], box.deck.keys
    common = _top_first(game.deal[places(box).common], game.common)
    return {
        "players": box.players,
        "first": int(game.first),
        "turn": int(game.turn),
        "phase": Phase(game.phase).word,
        "to_move": _or_none(game.to_move),
        "view": view,
        "buildings": {key: _lots(lots) or None for key, lots in zip(keys, game.sets.tolist(), strict=True)},
        "supply": [key for key, there in zip(keys, game.supply, strict=True) if there],
        "seats": [_seat(box, game, seat, view) for seat in range(box.players)],
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
    return [int(card) + 1 for card in stack[len(stack) - left :]]


def _seat(box: Box, game: np.record, seat: int, view: int | None) -> dict[str, Any]:
    hand, own = _cards(int(game.hand[seat])), _top_first(game.deal[places(box).own[seat]], game.own[seat])
    return {
        "score": int(game.score[seat]),
        "mine": [box.deck.keys[building] for building in game.mine[seat].tolist() if building != NOTHING],
        "hand": hand if view in (None, seat) else int(game.hand_size[seat]),
        "own": own if view is None else int(game.own[seat]),
    }


def state_of(box: Box, full: Mapping[str, Any]) -> np.ndarray:
    """A state [1] in a full position; how the cards came to the hands is not known in it."""
    state = np.zeros(1, box.games)
    for field in FIELDS:
        state[field.name] = field.start
    game, keys = state[0], box.deck.keys
    for name in ("first", "turn", "draws", "passes"):
        game[name] = full[name]
    game.to_move = NOBODY if full["to_move"] is None else full["to_move"]
    game.phase = Phase[full["phase"].upper()]
    game.end = NOTHING if full["end"] is None else End[full["end"].upper()]
    game.shown = NOTHING if full["shown"] is None else full["shown"] - 1
    game.sets[:] = [sum(1 << (lot - 1) for lot in full["buildings"][key] or ()) for key in keys]
    game.supply[:] = [key in full["supply"] for key in keys]
    game.from_deal = False
    for seat, plain in enumerate(full["seats"]):
        game.score[seat], game.own[seat] = plain["score"], len(plain["own"])
        game.mine[seat, : len(plain["mine"])] = [keys.index(key) for key in plain["mine"]]
        game.hand[seat], game.hand_size[seat] = sum(1 << (card - 1) for card in plain["hand"]), len(plain["hand"])
    game.common = len(full["common"])
    game.plays = len(full["played"])
    game.played[: game.plays] = np.array(full["played"], np.int8) - 1
    _lay_cards(box, game, full)
    mask = np.zeros(box.layout.size, np.bool_)
    batch.legal(box.record, state, 0, mask)
    return state


def _lay_cards(box: Box, game: np.record, full: Mapping[str, Any]) -> None:
    """Stacks lie on their last places; hands, played cards and those out of the game on any others."""
    where, deal = places(box), np.full(CARDS, NOTHING)
    stacks = zip((where.common, *where.own), (full["common"], *(plain["own"] for plain in full["seats"])), strict=True)
    for part, cards in stacks:
        deal[part.stop - len(cards) : part.stop] = np.array(cards, np.int8) - 1
    hands: Sequence[tuple[int, int]] = [
        (seat, card - 1) for seat in range(box.players) for card in full["seats"][seat]["hand"]
    ]
    free = iter(np.flatnonzero(deal == NOTHING).tolist())
    for seat, card in hands:
        place = next(free)
        deal[place], game.holder[place], game.order[place] = card, seat, game.taken[seat]
        game.taken[seat] += 1
    lies = set(deal.tolist())
    for place, card in zip(free, [card for card in range(CARDS) if card not in lies], strict=True):
        deal[place] = card
    game.deal[:] = deal
    assert len(box.deck.keys) == BUILDINGS
