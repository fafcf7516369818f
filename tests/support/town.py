"""Positions of Old Town by names, see `scenario`."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.position import state_of
from oddville_env.oldtown.settings import make_box

DECK = base_deck()
EMPTY_SEAT: dict[str, Any] = {"score": 0, "mine": [], "hand": [], "own": []}


def given(*seats: Mapping[str, Any], **told: Any) -> dict[str, Any]:
    """The arguments of `scenario`: the first seats in order, and by name what else is told."""
    return {"seats": seats, **told}


def scenario(
    *,
    seats: Sequence[Mapping[str, Any]] = (),
    buildings: Mapping[str, list[int]] | None = None,
    players: int = 3,
    to_move: int = 0,
    phase: str = "main",
    lone_confirm: bool = False,
    **others: Any,
) -> OldTown:
    """A game in a full position; what is not named is empty.

    It shows one rule and need not come up: no points are counted, and cards may be missing.
    """
    position = {
        "players": players, "first": 0, "turn": 9, "phase": phase, "to_move": to_move, "view": None,
        "buildings": dict.fromkeys(DECK.keys) | dict(buildings or {}), "supply": [],
        "seats": [{**EMPTY_SEAT, **seat} for seat in [*seats, *[EMPTY_SEAT] * (players - len(seats))]],
        "common": [], "played": [], "shown": None, "draws": 0, "passes": 0, "end": None,
        "lone_confirm": lone_confirm, **others,
    }  # fmt: skip
    box = make_box(players, lone_confirm)
    return OldTown.from_state(box, state_of(box, position))
