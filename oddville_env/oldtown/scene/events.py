"""The things that moved between two positions, one at a time, from spot to spot; hidden cards are nameless backs."""

from collections.abc import Iterator, Mapping
from typing import Any

from oddville_env.core.game.scene import Event, event_of, score_events
from oddville_env.oldtown import describe
from oddville_env.oldtown.moves import Move
from oddville_env.oldtown.scene.moves import parts_of

Position = Mapping[str, Any]


def events(before: Position, after: Position, word: str) -> list[Event]:
    """All that a move moved, in the order to be shown."""
    seats = range(after["players"])
    return [
        *_played(before, word),
        *_tokens(before, after),
        *(event for seat in seats for event in _owned(before, after, seat)),
        *(event for seat in seats for event in _drawn(before, after, seat)),
        *score_events(*([area["score"] for area in each["seats"]] for each in (before, after))),
    ]


def _played(before: Position, word: str) -> Iterator[Event]:
    """[K1] A card that is played or shown is seen by all."""
    said = Move.parse(word)
    card = parts_of(said).get("card")
    if card is not None:
        yield event_of("card", f"plan-{card}", f"hand:{before['to_move']}:{card}", "played", card=card)


def _tokens(before: Position, after: Position) -> Iterator[Event]:
    """[P7] Tokens are laid from the building's tile, and those that go become points."""
    seat = before["to_move"]
    for key, lots in after["buildings"].items():
        had, has = before["buildings"][key] or [], lots or []
        for lot in [lot for lot in had if lot not in has]:
            yield event_of("token", f"token-{key}", f"token:{key}@{lot}", f"seat:{seat}", building=key)
        if len(has) == 1 and had != has:
            yield event_of("building", f"house-{key}", f"supply:{key}", f"lot:{has[0]}", building=key)
        elif not had:
            for lot in has:
                yield event_of("token", f"token-{key}", f"supply:{key}", f"token:{key}@{lot}", building=key)


def _owned(before: Position, after: Position, seat: int) -> Iterator[Event]:
    """[S5 B2] Buildings that a seat takes."""
    for key in after["seats"][seat]["mine"]:
        if key not in before["seats"][seat]["mine"]:
            yield event_of("building", f"house-{key}", f"supply:{key}", f"mine:{seat}:{key}", seat=seat, building=key)


def _drawn(before: Position, after: Position, seat: int) -> Iterator[Event]:
    """[K1 D2] Cards that a seat draws, named where its hand is open."""
    had, has = before["seats"][seat], after["seats"][seat]
    own = describe.size(had["own"]) - describe.size(has["own"])
    common = describe.size(before["common"]) - describe.size(after["common"])
    stacks = [f"stack:{seat}"] * own + ["stack:common"] * (common if before["to_move"] == seat else 0)
    is_open = not isinstance(has["hand"], int)
    new = sorted(set(has["hand"]) - set(had["hand"])) if is_open else [None] * len(stacks)
    for stack, card in zip(stacks, new, strict=False):
        if card is None:
            yield event_of("card", "back", stack, f"hand:{seat}", seat=seat)
        else:
            yield event_of("card", f"plan-{card}", stack, f"hand:{seat}:{card}", seat=seat, card=card)
