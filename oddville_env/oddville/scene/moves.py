"""Moves on the table: which spots they touch, what they bring and cost, and how one says them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from oddville_env.core.game.scene import Form
from oddville_env.oddville.cards import Bonus, Resource, Suit
from oddville_env.oddville.moves import Move
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.actions import SPANS, Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import GUILDS

FORMS = {
    Kind.SETUP: Form("the first worker", "the first worker to {resource}", "resource:{resource}"),
    Kind.RECOVER: Form("take all worker cards back", "take all worker cards back", "recover"),
    Kind.COINS: Form(
        "coins with a worker card", "coins with worker card {worker}", "hand:{seat}:{worker} coins:{seat}"
    ),
    Kind.TAKE: Form(
        "a resource with a worker card",
        "{resource} with worker card {worker}",
        "hand:{seat}:{worker} resource:{resource}",
    ),
    Kind.BUY: Form(
        "a building with a worker card",
        "building {card} from position {position} with worker card {worker}",
        "hand:{seat}:{worker} row:{position}",
    ),
    Kind.BUILD: Form("build", "build {card} at column {column}, line {line}", "held:{seat}:{held} cell:{cell}"),
    Kind.EXTRA: Form("a second resource (Seignior)", "{resource} as a second resource", "resource:{resource}"),
    Kind.BONUS: Form(
        "bonus: a worker to the resource", "{resource} as a bonus", "pending:{resource} resource:{resource}"
    ),
    Kind.ANY: Form("bonus: any resource", "{resource} as a bonus of any resource", "pending:any resource:{resource}"),
    Kind.DOUBLE: Form(
        "bonus: a resource where you are",
        "{resource} as a bonus where there is a worker",
        "pending:double resource:{resource}",
    ),
    Kind.MOVE: Form(
        "bonus: move a worker",
        "a worker from {resource}, slot {slot}, to {to}",
        "pending:transform board:{resource}@{slot} resource:{to}",
    ),
    Kind.FLIP: Form("turn a coin over (Cheater)", "turn a coin over: it becomes a building", "character:cheater"),
    Kind.SWAP: Form(
        "swap a building with the row (Bookkeeper)",
        "swap building {card} with position {position}",
        "character:bookkeeper held:{seat}:{held} row:{position}",
    ),
    Kind.SQUARE: Form(
        "a worker to the square (Traveller)",
        "a worker on the square's {resource}",
        "character:traveller square:{resource}",
    ),
    Kind.DROP: Form("discard one of three buildings", "discard building {card}", "held:{seat}:{third}"),
    Kind.RETURN: Form(
        "take a worker back to supply",
        "a worker from {resource}, slot {slot}, back to supply",
        "board:{resource}@{slot} supply:{seat}",
    ),
    Kind.DONE: Form("done", "done", "done"),
}
PAID = (Kind.RECOVER, Kind.TAKE, Kind.BUY, Kind.EXTRA)
"""The kinds that may cost coins."""


def move(word: str, position: Mapping[str, Any]) -> dict[str, Any]:
    """The spots to touch for a move that is played in the position, its parts, and the move in words."""
    said = Move.parse(word)
    parts = _parts(said)
    written = {**parts, "seat": position["to_move"], **_card(said.kind, parts, position)}
    if "cell" in parts:
        column, line = parts["cell"]
        written |= {"cell": f"{column},{line}", "column": column, "line": line}
    return FORMS[said.kind].told(parts, written)


def _parts(said: Move) -> dict[str, Any]:
    """The parts by name as words write them, counted from 1; a second resource is called `to`."""
    parts: dict[str, Any] = {}
    for name, part in zip(SPANS[said.kind].factors, said.parts, strict=True):
        if isinstance(part, tuple):
            parts[name] = list(part)
        elif name == "resource":
            parts["to" if name in parts else name] = Resource(part).word
        else:
            parts[name] = part + 1
    return parts


def _card(kind: Kind, parts: Mapping[str, Any], position: Mapping[str, Any]) -> dict[str, int]:
    """The building that a move is about, where there is one."""
    held = position["seats"][position["to_move"]]["held"] if position["to_move"] is not None else []
    if kind == Kind.BUY:
        return {"card": position["row"][parts["position"] - 1]}
    number = parts.get("held", parts.get("third"))
    return {} if number is None else {"card": held[number - 1]}


def effects(box: Box, before: np.ndarray, after: np.ndarray, word: str) -> dict[str, Any]:
    """The gains and costs of a move for the seat that plays it, where there are some; after is the state behind it."""
    said = Move.parse(word)
    seat = int(before[0].to_move)
    coins = (after[0].coins - before[0].coins).tolist()
    found: dict[str, Any] = {"coins": coins[: box.players]}
    if said.kind in PAID:
        found["price"] = -coins[seat]
    if slot := _new_slot(box, before, after, said):
        found["slot"] = slot
    if said.kind == Kind.BUILD:
        found |= _building(box, before, after, said)
    if said.kind == Kind.BUY:
        found["drawing"] = f"building-{int(before[0].row[said.parts[1]])}"
    return found


def _new_slot(box: Box, before: np.ndarray, after: np.ndarray, said: Move) -> str | None:
    """The slot where a worker of the seat to move came to stand: `clay@2`."""
    factors = SPANS[said.kind].factors
    if said.kind in (Kind.RETURN, Kind.SQUARE) or "resource" not in factors:
        return None
    resource = [part for name, part in zip(factors, said.parts, strict=True) if name == "resource"][-1]
    seat, upper = int(before[0].to_move), int(box.record[0].upper_slot)
    taken = (after[0].lodger[resource] == seat) & (before[0].lodger[resource] != seat)
    slot = int(taken.argmax()) + 1 if taken[:upper].any() else upper + 1
    return f"{Resource(resource).word}@{slot}"


def _building(box: Box, before: np.ndarray, after: np.ndarray, said: Move) -> dict[str, Any]:
    """[B1 B5 B6] The price of a build, the card's value where it comes to lie, its bonuses and the guild's favour."""
    index, place = said.parts
    seat = int(before[0].to_move)
    card = int(before[0].held[seat, index])
    trial = before.copy()
    trial[0].pending[:] = 0
    batch.receive_bonuses(box.record, trial, 0, card, box.table.cell(*place))
    suit, costs = Suit(int(box.cards.suit[card])), box.cards.cost[card].tolist()
    granted = [Bonus(kind).word for kind, number in enumerate(trial[0].pending.tolist()) for _ in range(number)]
    more = int(trial[0].coins[seat] - before[0].coins[seat])
    return {
        "worth": int(after[0].value[after[0].city_size - 1]),
        "bonuses": granted + [Bonus.COIN.word] * more,
        "pays": {kind.word: costs[kind] for kind in Resource if costs[kind]},
        "drawing": f"building-{card}",
        **({"favour": suit.word} if suit < GUILDS else {}),
    }
