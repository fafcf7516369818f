"""The things that moved between two positions, one at a time, from spot to spot."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from oddville_env.core.game.scene import Event, event_of, score_events

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
    held = {
        card: f"held:{seat}:{number}"
        for seat, area in enumerate(position["seats"])
        for number, card in enumerate(area["held"], 1)
    }
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
