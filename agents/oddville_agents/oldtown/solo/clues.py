"""An observation of a puzzle as sets of lots, cards and own buildings."""

from typing import NamedTuple

import numpy as np

from oddville_env.oldtown.cards.words import BUILDINGS, LOTS, CardType
from oddville_env.oldtown.solo.observation import PIECES

ENDS = np.cumsum([piece.size for piece in PIECES])


class Clues(NamedTuple):
    """A puzzle as it stands.

    town: its buildings, bool [18]. sets: the lots that A and B cards, standing buildings and wrong words leave to each
    building, bool [18, 16]. standing: those that are built, bool [18, 16]. cards: its C cards, int [N]. mine: the own
    buildings, bool [18]; none where they are not named. mine_count: how many they are.
    """

    town: np.ndarray
    sets: np.ndarray
    standing: np.ndarray
    cards: np.ndarray
    mine: np.ndarray
    mine_count: int


def read(observation: np.ndarray) -> Clues:
    """Read an observation, uint8 [N]."""
    parts = np.split(observation, ENDS[:-1])
    seen = {piece.name: part.reshape(piece.shape) for piece, part in zip(PIECES, parts, strict=True)}
    described = seen["clues"].astype(bool)
    kinds, named, lots, _ = np.split(described, np.cumsum([len(CardType), BUILDINGS, LOTS]), axis=1)
    town, standing = seen["town"].astype(bool), seen["standing"].astype(bool)
    sets = town[:, None] & ~seen["wrong"].astype(bool)
    for card in np.flatnonzero(kinds[:, CardType.A] | kinds[:, CardType.B]).tolist():
        sets[named[card].argmax()] &= lots[card]
    sets[:, standing.any(0)] = False
    sets[standing.any(1)] = standing[standing.any(1)]
    cards = np.flatnonzero(kinds[:, CardType.C])
    return Clues(town, sets, standing, cards, seen["mine"].astype(bool), int(seen["mine_count"].argmax()) + 1)
