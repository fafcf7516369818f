"""The network's inputs of a building, and the terms by which moves are scored."""

from dataclasses import dataclass

import numpy as np

from oddville_agents.policies.networks import LayerSizes
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oldtown.cards.words import A_CARDS, B_CARDS, BUILDINGS, C_CARDS, LOTS
from oddville_env.oldtown.rules.actions import ACTIONS, Kind, Layout, parts_of

OF_EVERY_BUILDING = ("supply", "unknown", "tokens", "standing")
OF_EVERY_SEAT = "mine"
UNREAD = "clues"  # the own cards by what they do: with one deck their numbers, which are read, say as much

TAKE, PLAY_B, REMOVE, PLAY_C, NAMED_BY_C = np.cumsum([0, 1, B_CARDS, LOTS, C_CARDS]).tolist()
COLUMNS = NAMED_BY_C + C_CARDS
"""The questions to a building: take it, play each B card on it, remove its token from each lot, play each C card on it
as an own building, and as the one that the card names."""
PLAY_A = BUILDINGS * COLUMNS
NONE = PLAY_A + A_CARDS
"""Behind what is asked of all buildings: what each A card brings, and a zero."""


@dataclass(frozen=True)
class Sizes(LayerSizes):
    """The widths of the layers that describe a building and the whole situation."""

    building: int = 32
    hidden: int = 128


def terms_of(layout: Layout) -> np.ndarray:
    """Which two of the answers, NONE for nothing, are added to the score of each move: int64 [2, A]."""
    terms = np.full((2, ACTIONS), NONE)
    for action, (kind, first, second) in enumerate(parts_of()):
        if kind == Kind.TAKE:
            terms[0, action] = first * COLUMNS + TAKE
        elif kind == Kind.PLAY_A:
            terms[0, action] = PLAY_A + first
        elif kind == Kind.PLAY_B:
            terms[0, action] = second * COLUMNS + PLAY_B + first
        elif kind == Kind.REMOVE:
            terms[0, action] = first * COLUMNS + REMOVE + second
        elif kind == Kind.PLAY_C:
            named = layout.named[first]
            own = second + (second >= named)
            terms[:, action] = own * COLUMNS + PLAY_C + first, named * COLUMNS + NAMED_BY_C + first
    return terms


def numbers_read(encoder: Encoder) -> np.ndarray:
    """Which numbers of an observation are read as they stand: bool [N]."""
    return np.concatenate([np.full(piece.size, piece.name != UNREAD) for piece in encoder.pieces])


def building_numbers(encoder: Encoder) -> np.ndarray:
    """The places of each building's numbers in an observation: int64 [BUILDINGS, numbers]."""
    places = encoder.views(np.arange(encoder.size))
    own = [places[name].reshape(BUILDINGS, -1) for name in OF_EVERY_BUILDING]
    return np.concatenate([*own, places[OF_EVERY_SEAT].T], axis=1)


def shapes_of(encoder: Encoder, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """The network's tensors, by their names."""
    numbers, hidden, building = int(numbers_read(encoder).sum()), sizes.hidden, sizes.building
    known = building_numbers(encoder).shape[1]
    layers = {
        "building.0": (building, known), "building.2": (building, building),
        "body.0": (hidden, numbers), "body.2": (hidden, hidden),
        "asked": (COLUMNS, building), "cards": (A_CARDS, BUILDINGS * building),
        "moves": (ACTIONS, hidden), "value": (1, hidden),
    }  # fmt: skip
    weights = {f"{name}.weight": shape for name, shape in layers.items()}
    return weights | {f"{name}.bias": shape[:1] for name, shape in layers.items()}
