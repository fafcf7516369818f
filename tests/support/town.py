"""Positions of Old Town set up by names, and random games, for the tests."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.position import state_of
from oddville_env.oldtown.settings import make_box

DECK = base_deck()


def scenario(
    *,
    buildings: dict[str, list[int]] | None = None,
    mine: dict[int, list[str]] | None = None,
    hands: dict[int, list[int]] | None = None,
    supply: list[str] | None = None,
    players: int = 3,
    common: list[int] | None = None,
    own: dict[int, list[int]] | None = None,
    to_move: int = 0,
    phase: str = "main",
    lone_confirm: bool = False,
    **others: Any,
) -> OldTown:
    """A game in a full position; what is not named is empty, and all other tiles are in supply.

    It shows one rule and need not come up: no points are counted, and cards may be missing.
    """
    buildings, mine, hands, own = buildings or {}, mine or {}, hands or {}, own or {}
    owned = [key for keys in mine.values() for key in keys]
    gone = owned + [key for key, lots in buildings.items() if len(lots) == 1]
    position = {
        "players": players, "first": 0, "turn": 9, "phase": phase, "to_move": to_move, "view": None,
        "buildings": {key: buildings.get(key) for key in DECK.keys},
        "supply": [key for key in DECK.keys if key not in gone] if supply is None else supply,
        "seats": [
            {"score": 0, "mine": mine.get(seat, []), "hand": sorted(hands.get(seat, [])), "own": own.get(seat, [])}
            for seat in range(players)
        ],
        "common": common or [], "played": [], "shown": None, "draws": 0, "passes": 0, "end": None,
        "lone_confirm": lone_confirm, **others,
    }  # fmt: skip
    box = make_box(players, lone_confirm)
    return OldTown.from_state(box, state_of(box, position))


def lots(game: OldTown, building: str) -> list[int] | None:
    """The lots of a building's set, None while it is unknown."""
    return game.position()["buildings"][building]


def points(game: OldTown, word: str) -> int:
    """What a word brings the seat that says it."""
    seat = game.to_move
    assert seat is not None
    before = game.scores[seat]
    game.push(word)
    return game.scores[seat] - before


def walk(game: OldTown, seed: int) -> Iterator[OldTown]:
    """The game before every random word, and at its end."""
    rng = np.random.default_rng(seed)
    while True:
        yield game
        if game.is_over:
            return
        game.push(int(rng.choice(np.flatnonzero(game.mask))))


def random_game(players: int, seed: int, **settings: Any) -> OldTown:
    """A random game, played to its end."""
    *_, game = walk(OldTown(players, seed, **settings), seed)
    return game
