"""[O3 O4] All solutions of a puzzle."""

from collections import Counter
from collections.abc import Iterable
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


class Solution(NamedTuple):
    """[O3] A placement (the buildings of lots 1..16) and the own buildings."""

    placement: tuple[str, ...]
    mine: tuple[str, ...]


def solve(puzzle: Puzzle, deck: Deck | None = None, most: int = MOST_SOLUTIONS) -> list[Solution]:
    """All solutions; where one set of own buildings has `most` of them, those found until then."""
    deck = deck or base_deck()
    box = make_box(deck=deck).record[0]
    sets, cards = unary_sets(puzzle, deck), np.array(puzzle.c, np.int64) - 1
    out, found = np.zeros((most, BUILDINGS), np.int64), []
    for mine in choices_of_mine(puzzle, deck):
        own = np.isin(deck.keys, mine)
        number = search(sets, cards, box.named, box.pairs, own, out)
        found += [Solution(placement_of(row, deck), mine) for row in out[:number].tolist()]
        if number == most:
            break
    return found


def are_all(solutions: Iterable[Solution]) -> bool:
    """Whether `solve` found all: as many as it looks for may be the first ones of more."""
    return max(Counter(each.mine for each in solutions).values(), default=0) < MOST_SOLUTIONS


def all_placements(puzzle: Puzzle, deck: Deck | None = None) -> list[tuple[str, ...]]:
    """The different placements of all solutions, sorted; raises PuzzleError where there are too many to know all."""
    solutions = solve(puzzle, deck)
    if not are_all(solutions):
        raise PuzzleError(f"the puzzle has {MOST_SOLUTIONS} placements or more, too many to tell right from wrong")
    return sorted({solution.placement for solution in solutions})


def choices_of_mine(puzzle: Puzzle, deck: Deck) -> list[tuple[str, ...]]:
    """[O1] The sets of own buildings that the puzzle allows."""
    return [puzzle.mine] if puzzle.mine is not None else list(combinations(puzzle.town(deck), puzzle.mine_count))


def unary_sets(puzzle: Puzzle, deck: Deck) -> np.ndarray:
    """What A and B cards leave of each building's lots: masks [BUILDINGS], 0 outside the town."""
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
