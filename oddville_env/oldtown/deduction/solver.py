"""[O3 O4] All solutions of a puzzle."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.deduction.puzzle import Puzzle, PuzzleError
from oddville_env.oldtown.deduction.search import search
from oddville_env.oldtown.rules.state import EVERY_LOT
from oddville_env.oldtown.settings import make_box

MOST_SOLUTIONS = 1000  # that are looked for with each set of own buildings
MOST_TRIES = 100_000  # of sets of lots; those that have one placement take less than a thousand


class Solution(NamedTuple):
    """[O3] A placement (the buildings of lots 1..16) and the own buildings."""

    placement: tuple[str, ...]
    mine: tuple[str, ...]


class Found(NamedTuple):
    """Solutions; complete: there are no others."""

    solutions: list[Solution]
    complete: bool


def find(puzzle: Puzzle, deck: Deck | None = None, most: int = MOST_SOLUTIONS) -> Found:
    """The solutions until one set of own buildings has `most` of them, or until so many sets of lots were tried as no
    good puzzle needs.
    """
    deck = deck or base_deck()
    box = make_box(deck=deck).record[0]
    sets, cards = unary_sets(puzzle, deck), np.array(puzzle.c, np.int64) - 1
    out, tries = np.zeros((most, BUILDINGS), np.int64), np.full(1, MOST_TRIES)
    found: list[Solution] = []
    for mine in choices_of_mine(puzzle, deck):
        own = np.array([key in mine for key in deck.keys])
        number = search(sets, cards, box.named, box.pairs, own, out, tries)
        found += [Solution(placement_of(row, deck), mine) for row in out[:number].tolist()]
        if number == most or tries[0] == 0:
            return Found(found, complete=False)
    return Found(found, complete=True)


def all_placements(puzzle: Puzzle, deck: Deck | None = None) -> list[tuple[str, ...]]:
    """The different placements of all solutions, sorted; raises PuzzleError where there are too many to know all."""
    found = find(puzzle, deck)
    placements = {solution.placement for solution in found.solutions}
    if not found.complete:
        many = f"{len(placements)} placements or more"
        raise PuzzleError(f"the puzzle has {many}: it leaves too much open to tell right from wrong")
    return sorted(placements)


def choices_of_mine(puzzle: Puzzle, deck: Deck) -> list[tuple[str, ...]]:
    """[O1] The sets of own buildings that the puzzle allows."""
    return [puzzle.mine] if puzzle.mine is not None else list(combinations(puzzle.town(deck), puzzle.mine_count))


def sets_of_mine(town: np.ndarray, number: int) -> np.ndarray:
    """[O1] All sets of so many own buildings of a town (bool [BUILDINGS]): bool [N, BUILDINGS]."""
    chosen = np.array(list(combinations(np.flatnonzero(town).tolist(), number)), np.int64).reshape(-1, number)
    return np.asarray((chosen[:, :, None] == np.arange(BUILDINGS)).any(1))


def unary_sets(puzzle: Puzzle, deck: Deck) -> np.ndarray:
    """The lots that A and B cards leave to each building: masks [BUILDINGS], 0 outside the town."""
    sets = np.where(np.isin(deck.keys, puzzle.town(deck)), EVERY_LOT, 0).astype(np.int64)
    for card, building in lot_clues(puzzle, deck):
        sets[building] &= sum(1 << lot for lot in deck.cards[card - 1].lots)
    return sets


def lot_clues(puzzle: Puzzle, deck: Deck) -> list[tuple[int, int]]:
    """A and B cards with the number of the building that each speaks of."""
    named = [(card, deck.cards[card - 1].building) for card in puzzle.a]
    return [*named, *((card, deck.index(building)) for card, building in puzzle.b)]


def placement_of(sets: list[int], deck: Deck) -> tuple[str, ...]:
    """The keys on lots 1..16 of sets with one lot each."""
    at = {lots: key for key, lots in zip(deck.keys, sets, strict=True) if lots}
    return tuple(at[1 << lot] for lot in range(LOTS))
