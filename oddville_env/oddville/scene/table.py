"""The table by spots: what stands on each, which drawing shows it, and what is printed on the components."""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from oddville_env.core.svg.palette import SEAT_COLOURS
from oddville_env.oddville import describe
from oddville_env.oddville.cards import NOTHING, Bonus, Character, Counts, Resource, Suit
from oddville_env.oddville.position import score_sheet
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import LAST_WORKER, MOST_COINS, MOST_HELD
from oddville_env.oddville.svg import window_of
from oddville_env.oddville.svg.tiles import FIELDS

ABILITIES = {"cheater": "flip", "bookkeeper": "swap"}
"""[C4 C6] The characters whose power is used once in a turn, and the word that it is used by."""
SIGNS = ("coin", "no-coin", "star", "houses", "shield", "plot", "glow")
"""Drawings of things that stand on no spot of their own."""
EMPTY = "_"
"""An empty field of the square, in the name of its drawing."""


def table(box: Box, state: np.ndarray, position: Mapping[str, Any]) -> dict[str, Any]:
    """The whole table."""
    (columns, lines), row_prices = window_of(position, {}), partial(describe.row_prices, box.cards)
    pending = position["pending"]
    return {
        "phase": position["phase"],
        "round": position["round"],
        "max_rounds": position["max_rounds"],
        "row": [
            {"spot": f"row:{place}", "card": card, "drawing": f"building-{card}", "prices": row_prices(place - 1)}
            for place, card in enumerate(position["row"], 1)
        ],
        "deck": {"spot": "deck", "size": position["deck"], "drawing": "deck"},
        "board": [_resource(box, position, kind) for kind in Resource],
        "square": _square(position),
        "window": {"columns": [columns[0], columns[-1]], "lines": [lines[0], lines[-1]]},
        "city": _city(box, state, position),
        "piles": [
            {"spot": f"pile:{guild}", "guild": guild, "drawing": f"suit-{guild}", **pile}
            for guild, pile in position["piles"].items()
        ],
        "pending": [
            {"spot": f"pending:{word}", "bonus": word, "drawing": f"bonus-{word}", "number": pending.count(word)}
            for word in dict.fromkeys(pending)
        ],
        "seats": [_seat(box, position, seat) for seat in range(box.players)],
        "actions": [{"spot": "recover"}, {"spot": "done"}],
        "signs": [{"drawing": name} for name in SIGNS],
    }


def _resource(box: Box, position: Mapping[str, Any], kind: Resource) -> dict[str, Any]:
    """[S3] A resource and its slots, the cheapest first."""
    prices, slots = box.cards.slots[box.players], position["board"][kind.word]
    return {
        "spot": f"resource:{kind.word}",
        "resource": kind.word,
        "drawing": f"resource-{kind.word}",
        "slots": [
            {
                "spot": f"board:{kind.word}@{number}",
                "slot": number,
                "price": int(price),
                "workers": workers,
                "upper": number == len(slots),
            }
            for number, (price, workers) in enumerate(zip(prices, slots, strict=True), 1)
        ],
    }


def _square(position: Mapping[str, Any]) -> dict[str, Any]:
    square = position["square"]
    fields = [
        {"spot": f"square:{kind.word}", "resource": kind.word, "worker": square[kind.word], "at": list(FIELDS[kind])}
        for kind in Resource
    ]
    workers = (EMPTY if square[kind.word] is None else str(square[kind.word]) for kind in Resource)
    return {"spot": "cell:0,0", "drawing": "-".join(["square", *workers]), "fields": fields}


def _city(box: Box, state: np.ndarray, position: Mapping[str, Any]) -> list[dict[str, Any]]:
    points = {each.card: each.points for sheet in score_sheet(box, state) for each in sheet.buildings}
    return [
        {
            "spot": f"cell:{entry['column']},{entry['line']}",
            **entry,
            "drawing": f"building-{entry['card']}-{entry['owner']}",
            "value": points[entry["card"]],
            "last": number == len(position["city"]),
        }
        for number, entry in enumerate(position["city"], 1)
    ]


def _seat(box: Box, position: Mapping[str, Any], seat: int) -> dict[str, Any]:
    area = position["seats"][seat]
    used = [word for word, ability in ABILITIES.items() if ability in position["used"]]
    return {
        "spot": f"seat:{seat}",
        "seat": seat,
        "colour": SEAT_COLOURS[seat]._asdict(),
        "drawing": f"pawn-{seat}",
        "coins": {"spot": f"coins:{seat}", "number": area["coins"], "most": MOST_COINS},
        "supply": {"spot": f"supply:{seat}", "number": area["supply"]},
        "settled": describe.settled(position, seat),
        "needed": LAST_WORKER,
        "hand": [
            {"spot": f"hand:{seat}:{worker}", "worker": worker, "in_hand": worker in area["hand"]}
            | {"drawing": f"worker-{worker}" + "-played" * (worker not in area["hand"])}
            for worker in range(1, len(box.cards.worker_coins) + 1)
        ],
        "held": [
            {"spot": f"held:{seat}:{number}", "card": card, "drawing": f"building-{card}"}
            for number, card in enumerate(area["held"], 1)
        ],
        "held_most": MOST_HELD,
        "characters": [
            {"spot": f"character:{word}", "character": word, "drawing": f"character-{word}", "used": word in used}
            for word in area["characters"]
        ],
        "first": position["first"] == seat,
        "turn": position["to_move"] is not None and position["active"] == seat,
    }


@lru_cache(maxsize=8)
def facts(box: Box) -> dict[str, dict[str, Any]]:
    """All building cards by id and all characters by their words."""
    return {
        "cards": {str(card): _building_facts(box, card) for card in range(len(box.cards.suit))},
        "characters": {
            figure.word: {
                "guild": Suit(int(box.cards.guild[figure])).word,
                "points": int(box.cards.points[figure]),
                "title": describe.title(figure),
                "power": describe.POWERS[figure],
            }
            for figure in Character
        },
    }


def _building_facts(box: Box, card: int) -> dict[str, Any]:
    cards = box.cards
    counts, costs = int(cards.counts[card]), [int(amount) for amount in cards.cost[card]]
    return {
        "suit": Suit(int(cards.suit[card])).word,
        "base": int(cards.base[card]),
        "per": int(cards.per[card]),
        "counts": None if counts == NOTHING else Counts(counts).word,
        "shield": int(cards.shield[card]),
        "cost": {kind.word: costs[kind] for kind in Resource if costs[kind]},
        "bonus": Bonus(int(cards.bonus[card])).word,
        "streets": describe.streets(cards, card).replace("-", ""),
        "text": describe.building(cards, card),
    }
