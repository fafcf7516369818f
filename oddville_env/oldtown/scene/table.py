"""The table by spots: what stands on each, and the drawing that shows it.

Hidden things are taken from the position, which shows what the seat that looks may see; of the state only the board is
asked, which all see.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from oddville_env.core.svg.palette import SEAT_COLOURS
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards.words import LOTS, NOTHING, CardType
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.clues import Verdict
from oddville_env.oldtown.svg.symbols import BUILDING_COLOURS
from oddville_env.oldtown.svg.town import LOT_SIDE, Spot, corner, house_spot, token_spots

SIGNS = ("points", "my", "back")
"""Drawings of things that stand on no spot of their own."""

Position = Mapping[str, Any]


def table(box: Box, state: np.ndarray, position: Position) -> dict[str, Any]:
    """The whole table."""
    turn, players = position["turn"], position["players"]
    last = position["played"][-1] if position["played"] else None
    drawn = {"drawing": f"plan-{last}"} if last else {}
    return {
        "phase": position["phase"],
        "round": (turn + players - 1) // players,
        "ground": {"drawing": "ground"},
        "lots": [_lot(position, lot) for lot in range(1, LOTS + 1)],
        "buildings": [_building(position, key) for key in position["buildings"]],
        "stacks": [{"spot": "stack:common", "drawing": "back", "size": describe.size(position["common"])}],
        "played": {"spot": "played", "size": len(position["played"]), "card": last, **drawn},
        "seats": [_seat(box, state, position, seat) for seat in range(players)],
        "signs": [{"drawing": name} for name in SIGNS],
    }


def _lot(position: Position, lot: int) -> dict[str, Any]:
    """A lot with the tokens on it, or the building that stands there; and where further tokens would come to lie."""
    there = [key for key, lots in position["buildings"].items() if lot in (lots or [])]
    standing = next((key for key in there if len(position["buildings"][key]) == 1), None)
    tokens = [] if standing else there
    free = token_spots(len(tokens) + 2)[len(tokens) :]
    x, y = corner(lot - 1)
    house = {"building": standing, "drawing": f"house-{standing}", **placed(lot, house_spot())} if standing else None
    return {
        "spot": f"lot:{lot}",
        "lot": lot,
        "at": [x, y],
        "side": LOT_SIDE,
        "house": house,
        "tokens": [
            {"spot": f"token:{key}@{lot}", "building": key, "drawing": f"token-{key}", **placed(lot, spot)}
            for key, spot in zip(tokens, token_spots(len(tokens)), strict=True)
        ],
        "free": [placed(lot, spot) for spot in free],
    }


def placed(lot: int, spot: Spot) -> dict[str, Any]:
    """The middle and the size of a drawing on a lot, in the town."""
    x, y = corner(lot - 1)
    return {"at": [round(x + spot.x, 2), round(y + spot.y, 2)], "size": round(spot.size, 2)}


def _building(position: Position, key: str) -> dict[str, Any]:
    owner = next((seat for seat, area in enumerate(position["seats"]) if key in area["mine"]), None)
    return {
        "spot": f"supply:{key}",
        "building": key,
        "drawing": f"token-{key}",
        "house": {"drawing": f"house-{key}"},
        "lots": position["buildings"][key],
        "in_supply": key in position["supply"],
        "owner": owner,
    }


def _seat(box: Box, state: np.ndarray, position: Position, seat: int) -> dict[str, Any]:
    area = position["seats"][seat]
    is_open, size = not isinstance(area["hand"], int), describe.size(area["hand"])
    return {
        "spot": f"seat:{seat}",
        "seat": seat,
        "colour": SEAT_COLOURS[seat]._asdict(),
        "drawing": f"hat-{seat}",
        "mine": [{"spot": f"mine:{seat}:{key}", "building": key, "drawing": f"house-{key}"} for key in area["mine"]],
        "hand": [_card(box, state, seat, card, position) for card in area["hand"]] if is_open else [],
        "backs": None if is_open else {"spot": f"hand:{seat}", "number": size, "drawing": "back"},
        "stack": {"spot": f"stack:{seat}", "size": describe.size(area["own"]), "drawing": "back"},
        "first": position["first"] == seat,
        "turn": position["to_move"] == seat,
    }


def _card(box: Box, state: np.ndarray, seat: int, card: int, position: Position) -> dict[str, Any]:
    """A card of an open hand, with what it is now for each own building that it may speak of (P1)."""
    building = int(box.record[0].named[card - 1])
    return {
        "spot": f"hand:{seat}:{card}",
        "card": card,
        "drawing": f"plan-{card}",
        "sign": {"drawing": "my" if building == NOTHING else f"token-{box.deck.keys[building]}"},
        "shown": position["shown"] == card and position["to_move"] == seat,
        "verdicts": verdicts(box, state, seat, card),
    }


def verdicts(box: Box, state: np.ndarray, seat: int, card: int) -> list[dict[str, Any]]:
    """[P1] The verdict on a card: one for A, for B and C with each own building; none where it cannot be used (C2)."""
    is_a = box.deck.cards[card - 1].type == CardType.A
    owns = [NOTHING] if is_a else [own for own in state[0].mine[seat].tolist() if own != NOTHING]
    found = [(own, Verdict(int(batch.verdict(box.record, state, 0, card - 1, own)))) for own in owns]
    return [
        {"building": None if own == NOTHING else box.deck.keys[own], "verdict": verdict.word}
        for own, verdict in found
        if verdict != Verdict.SILENT
    ]


@lru_cache(maxsize=8)
def facts(box: Box) -> dict[str, dict[str, Any]]:
    """All cards by number, and names and colours of all buildings by their keys."""
    deck = box.deck
    return {
        "cards": {
            str(number): {
                "type": card.type.name.lower(),
                "building": None if card.building == NOTHING else deck.keys[card.building],
                "lots": [lot + 1 for lot in card.lots],
                "relation": card.text,
                "text": describe.clue(deck, number),
            }
            for number, card in enumerate(deck.cards, 1)
        },
        "names": {
            building.key: {"name": building.name, **BUILDING_COLOURS[number]._asdict()}
            for number, building in enumerate(deck.buildings)
        },
    }
