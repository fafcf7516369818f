"""The observation of a puzzle: its clues, what stands and what was wrong, in one flat vector of uint8."""

import numpy as np

from oddville_env.core.parts.pieces import FULL, Piece, PieceVector
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, CardType
from oddville_env.oldtown.deduction.puzzle import MOST_MINE
from oddville_env.oldtown.rules.box import CARD
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.game import OldTownSolo

PIECES = (
    Piece("clues", (CARDS, CARD), 1, "the puzzle's cards in the places of their numbers: type A C B, building (of a B "
          "card: the one that it is about), its lots, the own building's lots of a C card; zeros for all other cards"),
    Piece("town", (BUILDINGS,), 1, "the buildings that are to be built"),
    Piece("mine", (BUILDINGS,), 1, "the own buildings; zeros where the puzzle does not name them"),
    Piece("mine_count", (MOST_MINE,), 1, "one-hot: how many own buildings there are, 1 to 3"),
    Piece("standing", (BUILDINGS, LOTS), 1, "the lot of each building that stands"),
    Piece("wrong", (BUILDINGS, LOTS), 1, "what was wrong before"),
    Piece("mistakes", (1,), FULL, "how many more mistakes may be made"),
)  # fmt: skip
VECTOR = PieceVector(PIECES)


def observe(game: OldTownSolo) -> np.ndarray:
    """The observation of the player: uint8 [N], as VECTOR lays it out."""
    deck, puzzle = game.deck, game.puzzle
    described = make_box(deck=deck).record[0].described
    clues = np.zeros((CARDS, CARD), np.uint8)
    cards = [card - 1 for card in (*puzzle.a, *puzzle.c, *(card for card, _ in puzzle.b))]
    clues[cards] = described[cards]
    for card, building in puzzle.b:
        clues[card - 1, len(CardType) + deck.index(building)] = 1
    standing, wrong = np.zeros((2, BUILDINGS, LOTS), np.uint8)
    for building, lot in game.at.items():
        standing[deck.index(building), lot - 1] = 1
    for building, lot in game.wrong:
        wrong[deck.index(building), lot - 1] = 1
    town, mine = np.isin(deck.keys, game.town), np.isin(deck.keys, puzzle.mine or ())
    count = np.arange(1, MOST_MINE + 1) == puzzle.mine_count
    left = min(max(game.mistakes - len(game.wrong), 0), FULL)
    return np.concatenate([clues.ravel(), town, mine, count, standing.ravel(), wrong.ravel(), [left]]).astype(np.uint8)
