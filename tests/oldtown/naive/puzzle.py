"""Puzzles (O1-O4, O8): every solution is found by placing one building after the other, fewest lots first."""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

from .deck import ALL_LOTS, MOST_STANDING, Card, Deck
from .worlds import Board, World

OwnSet = frozenset[str]


class Puzzle:
    """A puzzle as `puzzles.json` has it, to be solved."""

    def __init__(self, deck: Deck, puzzle: dict[str, Any]) -> None:
        """[O1, O2] Read the clues; the solution is not looked at."""
        self.deck = deck
        self.puzzle = puzzle
        self.a_cards = [self.deck.cards[number] for number in puzzle["a"]]
        self.b_cards = [(self.deck.cards[clue["card"]], clue["building"]) for clue in puzzle["b"]]
        self.c_cards = [self.deck.cards[number] for number in puzzle["c"]]
        self.town = self.deck.in_order(
            [card.building for card in (*self.a_cards, *self.c_cards) if card.building is not None]
            + [building for _, building in self.b_cards]
            + list(puzzle["mine"] or [])
        )

    def own_sets(self) -> list[OwnSet]:
        """[O1, O3] The sets of own buildings that are possible before any C card is looked at."""
        if self.puzzle["mine"] is not None:
            return [frozenset(self.puzzle["mine"])]
        return [frozenset(own) for own in combinations(self.town, self.puzzle["mine_count"])]

    def lots(self) -> Board:
        """[O3] The lots that the A and B cards leave to each building by themselves."""
        sets = {building: ALL_LOTS for building in self.town}
        for card in self.a_cards:
            assert card.building is not None, "S2"
            sets[card.building] &= card.lots
        for card, building in self.b_cards:
            sets[building] &= card.lots
        return sets

    def solutions(self) -> Iterator[tuple[World, list[OwnSet]]]:
        """[O3] Every placement that is part of a solution, with all its sets of own buildings."""
        if len(self.town) == MOST_STANDING:
            yield from self._search(self.lots(), [], self.own_sets())

    def _search(self, sets: Board, placed: list[str], own_sets: list[OwnSet]) -> Iterator[tuple[World, list[OwnSet]]]:
        """Place what is not placed yet; give up where a building or the C cards have no way left."""
        sets, own_sets = self._narrow(sets, own_sets)
        if not own_sets or not all(sets.values()):
            return
        if len(placed) == len(sets):
            yield {building: min(lots) for building, lots in sets.items()}, own_sets
            return
        tightest = min((key for key in sets if key not in placed), key=lambda building: len(sets[building]))
        for lot in sorted(sets[tightest]):
            others = {building: lots - {lot} for building, lots in sets.items()}
            yield from self._search(others | {tightest: frozenset([lot])}, [*placed, tightest], own_sets)

    def _narrow(self, sets: Board, own_sets: list[OwnSet]) -> tuple[Board, list[OwnSet]]:
        """[O3] For each C card what cannot be is left out: sets of own buildings, and lots without a pair.

        This is all that the C cards need: once every building has one lot, the sets of own buildings that are left are
        those for which all C cards are true.
        """
        for card in self.c_cards:
            named = card.building
            assert named is not None, "S2"
            partners = {building for building in sets if open_pairs(card, building, sets)}
            own_sets = [own for own in own_sets if own & partners]
            partners &= frozenset().union(*own_sets)
            pairs = {pair for partner in partners for pair in open_pairs(card, partner, sets)}
            sets = sets | {named: frozenset(here for here, _ in pairs)}
            if len(partners) == 1:
                sets = sets | {partner: frozenset(there for _, there in pairs) for partner in partners}
        return sets, own_sets

    def placements(self, most: int | None = None) -> list[World]:
        """The placements of all solutions, or the first few of them."""
        return [placement for placement, _ in islice(self.solutions(), most)]


def open_pairs(card: Card, own: str, sets: Board) -> set[tuple[int, int]]:
    """[C2, W4] The pairs of the table that are left with this own building, which is not the named one."""
    assert card.building is not None, "S2"
    if own == card.building:
        return set()
    return {(here, there) for here, there in card.pairs if here in sets[card.building] and there in sets[own]}
