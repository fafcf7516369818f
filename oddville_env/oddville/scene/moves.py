"""Moves on the table: which spots they touch, what they bring and cost, how one says them, and what they move."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from oddville_env.core.game.scene import Event, Form, event_of, score_events
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
    if said.kind in (Kind.RECOVER, Kind.TAKE, Kind.BUY, Kind.EXTRA):
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


Position = Mapping[str, Any]


def events(before: Position, after: Position, word: str) -> list[Event]:
    """All that a move moved, in the order to be shown."""
    seats = range(after["players"])
    return [
        *(event for seat in seats for event in _hand(before, after, seat)),
        *(event for seat in seats for event in _coins(before, after, seat, word, paid=True)),
        *(event for seat in seats for event in _workers(before, after, seat, word)),
        *_cards(before, after, word),
        *(event for seat in seats for event in _coins(before, after, seat, word, paid=False)),
        *_characters(before, after),
        *score_events(before["scores"], after["scores"]),
    ]


def _hand(before: Position, after: Position, seat: int) -> Iterator[Event]:
    had, has = set(before["seats"][seat]["hand"]), set(after["seats"][seat]["hand"])
    for worker in sorted(had ^ has):
        spot, drawing = f"hand:{seat}:{worker}", f"worker-{worker}"
        yield event_of("hand", drawing, spot, spot, seat=seat, worker=worker, in_hand=worker in has)


def _coins(before: Position, after: Position, seat: int, word: str, paid: bool) -> Iterator[Event]:
    change = after["seats"][seat]["coins"] - before["seats"][seat]["coins"]
    if word == "flip" and seat == before["to_move"]:
        return  # the coin becomes the card
    deck, purse = "deck", f"coins:{seat}"
    if change < 0 and paid:
        yield event_of("coin", "coin", purse, deck, seat=seat, number=-change)
    if change > 0 and not paid:
        yield event_of("coin", "coin", deck, purse, seat=seat, number=change)


def _workers(before: Position, after: Position, seat: int, word: str) -> Iterator[Event]:
    """[B1 N5] Workers go through supply, except those that a bonus moves."""
    had, has = _stands(before, seat), _stands(after, seat)
    left, came = sorted((had - has).elements()), sorted((has - had).elements())
    drawing, supply = f"pawn-{seat}", f"supply:{seat}"
    if word.startswith("move:") and len(left) == len(came) == 1:
        yield event_of("worker", drawing, left[0], came[0], seat=seat)
        return
    yield from (event_of("worker", drawing, spot, supply, seat=seat) for spot in left)
    yield from (event_of("worker", drawing, supply, spot, seat=seat) for spot in came)


def _stands(position: Position, seat: int) -> Counter[str]:
    """The spots where the workers of a seat stand, supply aside."""
    board = [
        f"board:{resource}@{number}"
        for resource, slots in position["board"].items()
        for number, workers in enumerate(slots, 1)
        for _ in range(workers.count(seat))
    ]
    square = [f"square:{resource}" for resource, owner in position["square"].items() if owner == seat]
    city = [f"cell:{card['column']},{card['line']}" for card in position["city"] if card["owner"] == seat]
    return Counter([*board, *square, *city])


def _cards(before: Position, after: Position, word: str) -> Iterator[Event]:
    """Buildings that lie face up: those that go, those that move, those that come."""
    lay, lies = _card_spots(before), _card_spots(after)
    source = f"coins:{before['to_move']}" if word == "flip" else "deck"
    for card in [card for card in lay if card not in lies]:
        yield event_of("card", f"building-{card}", lay[card], "deck", card=card)
    for card in sorted(lies, key=lambda card: card not in lay):
        if lay.get(card) != lies[card]:
            yield event_of("card", f"building-{card}", lay.get(card, source), lies[card], card=card)


def _card_spots(position: Position) -> dict[int, str]:
    row = {card: f"row:{place}" for place, card in enumerate(position["row"], 1)}
    areas = enumerate(position["seats"])
    held = {card: f"held:{seat}:{place}" for seat, area in areas for place, card in enumerate(area["held"], 1)}
    city = {card["card"]: f"cell:{card['column']},{card['line']}" for card in position["city"]}
    return {**row, **held, **city}


def _characters(before: Position, after: Position) -> Iterator[Event]:
    """[G1 G2] Characters that came to a seat, or back to their pile."""
    had, has = _owners(before), _owners(after)
    for word in sorted(had.keys() | has.keys()):
        if had.get(word) != has.get(word):
            pile = _pile_of(word, before) or _pile_of(word, after) or "deck"
            yield event_of("character", f"character-{word}", had.get(word, pile), has.get(word, pile), character=word)


def _owners(position: Position) -> dict[str, str]:
    return {word: f"seat:{seat}" for seat, area in enumerate(position["seats"]) for word in area["characters"]}


def _pile_of(word: str, position: Position) -> str | None:
    tops = {pile["top"]: f"pile:{guild}" for guild, pile in position["piles"].items()}
    return tops.get(word)
