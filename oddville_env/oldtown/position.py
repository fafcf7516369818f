"""Positions as JSON in OLDTOWN.md's format: written in full or as a seat sees them, and read back when full."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.checked import OBJECT, check, different, one_of, several, truth, whole
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import Outcome
from oddville_env.oldtown import invariants
from oddville_env.oldtown.cards.words import CARDS, LOTS, NOBODY, NOTHING
from oddville_env.oldtown.deal import Places, places
from oddville_env.oldtown.rules.batch import LOOPS
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import FIELDS, HOLDINGS, LARGEST, MOST_MINE, PAIR, TOKENS, End, Phase
from oddville_env.oldtown.settings import PLAYERS, Cards, make_box

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
        "to_move": None if game.to_move == NOBODY else int(game.to_move),
        "view": view,
        "buildings": {key: _listed(lots) if lots else None for key, lots in zip(keys, game.sets.tolist(), strict=True)},
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


def _listed(mask: int) -> list[int]:
    """The numbers of a set of lots or cards, from 1."""
    return [place + 1 for place in range(mask.bit_length()) if mask >> place & 1]


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
            "hand": _listed(hand) if view in (None, seat) else size,
            "own": _top_first(deal[part], own) if view is None else own,
        }
        for seat, (part, score, mine, hand, size, own) in enumerate(zip(where.own, *fields, strict=False))
    ]


def outcome_of(box: Box, games: np.ndarray, index: int = 0) -> Outcome | None:
    """The end of one of the games, None while it is not over."""
    game = games[index]
    if game.phase != Phase.OVER:
        return None
    return Outcome(*LOOPS.standing(box, games, index), end=End(game.end).word)


class SeatScore(NamedTuple):
    """[P7] A seat's points by what brought them."""

    a_cards: int
    c_cards: int
    b_cards: int
    pairs: int

    @property
    def total(self) -> int:
        """The seat's score."""
        return sum(self)


def score_sheet(box: Box, games: np.ndarray, index: int = 0) -> list[SeatScore]:
    """Every seat's points so far; none of a game that began in a position."""
    return [SeatScore(*points) for points in games[index].earned[: box.players].tolist()]


CARD = whole(1, CARDS)
SETTINGS = {"players": whole(PLAYERS[0], PLAYERS[-1]), "lone_confirm": truth()}


def read_position(full: Any, deck: Cards = None) -> tuple[Box, np.ndarray]:
    """The box and the state [1] of a full position; raises SettingError for what cannot come up in a game."""
    if not OBJECT.holds(full):
        raise SettingError(f"a position is {OBJECT.expected}, not {shown(full)}")
    check(full, SETTINGS, SettingError)
    if full.get("view", 0) is not None:
        raise SettingError("a game can only begin in a full position, whose view is null")
    box = make_box(full["players"], full["lone_confirm"], deck)
    state = state_of(box, full)
    if found := invariants.impossible(box, state):
        raise SettingError(f"this position cannot come up: {found[0]}")
    return box, state


def state_of(box: Box, full: Mapping[str, Any]) -> np.ndarray:
    """The state [1] that a full position tells, legal moves aside; how the cards came to the hands is not known in it.

    Raises SettingError for a field that is missing or not of its kind.
    """
    _check(box, full)
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
    return state


def _check(box: Box, full: Mapping[str, Any]) -> None:
    """Every field is there and of its kind, and no card lies in two places; raises SettingError."""
    fixed, seat = box.record[0], whole(0, box.players - 1)
    fields = {
        "first": seat,
        "turn": whole(0, LARGEST),
        "phase": one_of(*Phase.words()),
        "to_move": seat.or_none(),
        "buildings": OBJECT,
        "supply": different(one_of(*box.deck.keys), len(box.deck.keys)),
        "seats": several(OBJECT, box.players, box.players),
        "common": different(CARD, int(fixed.common_size)),
        "played": different(CARD, CARDS),
        "shown": CARD.or_none(),
        "draws": whole(0, PAIR),
        "passes": whole(0, box.players),
        "end": one_of(*End.words()).or_none(),
    }
    check(full, fields, SettingError)
    lots = {f"buildings.{key}": each for key, each in full["buildings"].items()}
    kinds = {f"buildings.{key}": different(whole(1, LOTS), TOKENS, 1).or_none() for key in box.deck.keys}
    check(lots, kinds, SettingError)
    if unknown := lots.keys() - kinds.keys():
        raise SettingError(f"{min(unknown)} is no building of the deck")
    _check_seats(box, full)
    _check_cards(full)


def _check_seats(box: Box, full: Mapping[str, Any]) -> None:
    fields = {
        "score": whole(0, LARGEST),
        "mine": different(one_of(*box.deck.keys), MOST_MINE),
        "hand": different(CARD, HOLDINGS),
        "own": different(CARD, int(box.record[0].own_size)),
    }
    for number, plain in enumerate(full["seats"]):
        told = {f"seats.{number}.{name}": value for name, value in plain.items()}
        check(told, {f"seats.{number}.{name}": kind for name, kind in fields.items()}, SettingError)


def _check_cards(full: Mapping[str, Any]) -> None:
    """[P8] A card lies in one place."""
    stacks = {"common": full["common"], "played": full["played"]}
    for number, plain in enumerate(full["seats"]):
        stacks |= {f"seats.{number}.{name}": plain[name] for name in ("hand", "own")}
    times = Counter(card for cards in stacks.values() for card in cards)
    for card, number in times.items():
        if number > 1:
            where = " and ".join(name for name, cards in stacks.items() if card in cards)
            raise SettingError(f"card {card} lies in two places: {where}")


def _lay_cards(box: Box, game: np.record, full: Mapping[str, Any]) -> None:
    """Stacks lie on their last places; hands, played cards and those out of the game on any others."""
    where, deal = places(box), np.full(CARDS, NOTHING)
    stacks = zip((where.common, *where.own), (full["common"], *(plain["own"] for plain in full["seats"])), strict=True)
    for part, cards in stacks:
        deal[part.stop - len(cards) : part.stop] = np.array(cards, np.int8) - 1
    hands = [(seat, card - 1) for seat in range(box.players) for card in full["seats"][seat]["hand"]]
    free = iter(np.flatnonzero(deal == NOTHING).tolist())
    for seat, card in hands:
        place = next(free)
        deal[place], game.holder[place], game.order[place] = card, seat, game.taken[seat]
        game.taken[seat] += 1
    lies = set(deal.tolist())
    for place, card in zip(free, [card for card in range(CARDS) if card not in lies], strict=True):
        deal[place] = card
    game.deal[:] = deal
