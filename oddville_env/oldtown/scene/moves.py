"""Moves on the table: which spots they touch, and how one says them."""

from collections.abc import Mapping
from typing import Any

from oddville_env.oldtown.moves import Move
from oddville_env.oldtown.rules.actions import SPANS, Kind
from oddville_env.oldtown.rules.state import Stack

KIND_TEXTS = {
    "take": "take a building of one's own",
    "play": "play a card",
    "show": "show a card of a pair",
    "remove": "remove a token",
    "draw": "draw a card",
    "pass": "pass",
}
PATHS = {
    Kind.TAKE: ("supply:{building}",),
    Kind.PLAY_A: ("hand:{seat}:{card}",),
    Kind.PLAY_B: ("hand:{seat}:{card}", "mine:{seat}:{building}"),
    Kind.PLAY_C: ("hand:{seat}:{card}", "mine:{seat}:{building}"),
    Kind.SHOW: ("hand:{seat}:{card}",),
    Kind.REMOVE: ("token:{building}@{lot}",),
    Kind.PASS: ("pass",),
}
TEXTS = {
    Kind.TAKE: "take the {name}",
    Kind.PLAY_A: "play card {card}",
    Kind.PLAY_B: "play card {card} for the {name}",
    Kind.PLAY_C: "play card {card} with the {name}",
    Kind.SHOW: "show card {card}",
    Kind.REMOVE: "remove the token of the {name} from lot {lot}",
    Kind.DRAW: "draw from the {stack} stack",
    Kind.PASS: "pass",
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
    written = {**parts, "seat": seat, "name": str(parts.get("building", "")).replace("_", " ")}
    if said.kind == Kind.DRAW:
        path = [stack_spot(str(parts["stack"]), seat)]
    else:
        path = [spot.format(**written) for spot in PATHS[said.kind]]
    return {"path": path, "parts": parts, "text": TEXTS[said.kind].format(**written)}


def stack_spot(stack: str, seat: int) -> str:
    """The spot of a stack: `stack:common`, or a seat's own `stack:0`."""
    return f"stack:{stack if stack == Stack.COMMON.word else seat}"
