"""[O4] Why a puzzle has the solutions that it has: told step by step, each step a sentence that a person can check."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import LOTS, NOTHING
from oddville_env.oldtown.rules.state import EVERY_LOT
from oddville_env.oldtown.solo.puzzle import Puzzle
from oddville_env.oldtown.solo.solver import Solution, lot_clues, placement_of

Sets = dict[int, int]
"""Of each building of the town the lots that are left to it, as a mask."""


class Step(NamedTuple):
    """A sentence of a proof; what follows from a supposition is one deeper than it."""

    text: str
    depth: int = 0

    def __str__(self) -> str:
        return "  " * self.depth + self.text


class Proof(NamedTuple):
    """All solutions, and the steps that leave no other."""

    solutions: tuple[Solution, ...]
    steps: tuple[Step, ...]

    @property
    def is_unique(self) -> bool:
        """[O4] One placement among the solutions."""
        return len({solution.placement for solution in self.solutions}) == 1

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))


def prove(puzzle: Puzzle, deck: Deck | None = None) -> Proof:
    """All solutions of a puzzle, and why there is no other."""
    prover = Prover(puzzle, deck or base_deck())
    prover.prove()
    return Proof(tuple(prover.solutions), tuple(prover.steps))


class Prover:
    """A proof under way."""

    def __init__(self, puzzle: Puzzle, deck: Deck) -> None:
        self.puzzle, self.deck = puzzle, deck
        self.steps: list[Step] = []
        self.solutions: list[Solution] = []
        self.pairs = {card: self._pairs(card) for card in puzzle.c}

    def _pairs(self, card: int) -> list[int]:
        """For each lot of the card's building the lots of the own building, as masks."""
        rows = [0] * LOTS
        for lot, other in self.deck.cards[card - 1].pairs:
            rows[lot] |= 1 << other
        return rows

    def tell(self, depth: int, text: str) -> None:
        """Add a step."""
        self.steps.append(Step(text, depth))

    def name(self, building: int) -> str:
        """A building in a sentence."""
        return f"the {self.deck.buildings[building].name}"

    def prove(self) -> None:
        """The whole proof."""
        sets = {self.deck.index(key): EVERY_LOT for key in self.puzzle.town(self.deck)}
        for card, building in lot_clues(self.puzzle, self.deck):
            sets[building] &= sum(1 << lot for lot in self.deck.cards[card - 1].lots)
            self.tell(0, f"Card {card}: {self.name(building)} stood on lot {lots_of(sets[building])}.")
        if not self.share_lots(sets, 0):
            return
        if self.puzzle.mine is not None:
            self.follow(sets, [self.deck.index(key) for key in self.puzzle.mine], 0)
            return
        for mine in self.possible_mine(sets):
            self.tell(0, f"Suppose the own buildings are {self.names(mine)}.")
            self.follow(dict(sets), mine, 1)

    def names(self, buildings: Sequence[int]) -> str:
        """Buildings in a sentence."""
        return joined([self.name(building) for building in buildings], "and")

    def possible_mine(self, sets: Sets) -> Iterator[list[int]]:
        """The sets of own buildings with which no C card is false at once, after a sentence for each card."""
        fitting = []
        for card, pairs in self.pairs.items():
            building = self.deck.cards[card - 1].building
            owns = [own for own in sets if own != building and self.partners(sets, building, own, pairs)[0]]
            self.tell(0, f"Card {card} ({self.text(card)}) needs one of {self.names(owns)} as an own building.")
            fitting.append(set(owns))
        for mine in combinations(sets, self.puzzle.mine_count):
            if all(owns & set(mine) for owns in fitting):
                yield list(mine)

    def text(self, card: int) -> str:
        """What a C card says."""
        return self.deck.cards[card - 1].text

    @staticmethod
    def partners(sets: Sets, building: int, own: int, pairs: Sequence[int]) -> tuple[int, int]:
        """The lots of both buildings that are of some pair."""
        left = others = 0
        for lot in range(LOTS):
            if sets[building] >> lot & 1 and pairs[lot] & sets[own]:
                left |= 1 << lot
                others |= pairs[lot] & sets[own]
        return left, others

    def follow(self, sets: Sets, mine: Sequence[int], depth: int) -> None:
        """All that follows, with suppositions where nothing else does; solutions are noted."""
        if not self.narrow(sets, mine, depth):
            return
        building = min(
            (each for each in sets if not is_single(sets[each])), key=lambda b: sets[b].bit_count(), default=NOTHING
        )
        if building == NOTHING:
            self.tell(depth, "Every building has its lot: this is a solution.")
            row = [sets.get(each, 0) for each in range(len(self.deck.keys))]
            self.solutions.append(Solution(placement_of(row, self.deck), tuple(self.deck.keys[each] for each in mine)))
            return
        for lot in range(LOTS):
            if sets[building] >> lot & 1:
                self.tell(depth, f"Suppose {self.name(building)} stood on lot {lot + 1}.")
                self.follow({**sets, building: 1 << lot}, mine, depth + 1)

    def narrow(self, sets: Sets, mine: Sequence[int], depth: int) -> bool:
        """Everything that follows step by step; false where it is impossible."""
        while True:
            before = dict(sets)
            if not all(self.use_pairs(sets, card, mine, depth) for card in self.pairs):
                return False
            if sets == before:
                if not self.share_lots(sets, depth):
                    return False
                if sets == before:
                    return True

    def use_pairs(self, sets: Sets, card: int, mine: Sequence[int], depth: int) -> bool:
        """[O3] A C card is true for one of the own buildings."""
        building = self.deck.cards[card - 1].building
        found = {own: self.partners(sets, building, own, self.pairs[card]) for own in mine if own != building}
        able = [own for own, (left, _) in found.items() if left]
        if not able:
            self.tell(depth, f"Card {card} ({self.text(card)}) can be true for no own building: that cannot be.")
            return False
        left = 0
        for own in able:
            left |= found[own][0]
        why = f"Card {card} ({self.text(card)}, with {joined([self.name(own) for own in able], 'or')})"
        if left != sets[building]:
            sets[building] = left
            self.tell(depth, f"{why}: {self.name(building)} stood on lot {lots_of(left)}.")
        if len(able) == 1 and found[able[0]][1] != sets[able[0]]:
            sets[able[0]] = found[able[0]][1]
            self.tell(depth, f"{why}: {self.name(able[0])} stood on lot {lots_of(sets[able[0]])}.")
        return True

    def share_lots(self, sets: Sets, depth: int) -> bool:
        """[W3] As many buildings as they have lots leave these to nobody else; false where there are too few lots."""
        while True:
            at, crowd = match(sets)
            if crowd:
                lots = union(sets, crowd)
                self.tell(
                    depth, f"{capital(self.names(crowd))} have no lots but {lots_of(lots, 'and')}: that cannot be."
                )
                return False
            group = next(tight_groups(sets, at), None)
            if group is None:
                return True
            lots, losers = union(sets, group), [b for b in sets if b not in group and sets[b] & union(sets, group)]
            for building in losers:
                sets[building] &= ~lots
            kept = [f"{self.name(building)} on {lots_of(sets[building])}" for building in losers]
            taken = f"lot{'s' * (len(group) > 1)} {lots_of(lots, 'and')}"
            verb = "needs" if len(group) == 1 else "need"
            self.tell(depth, f"{capital(self.names(group))} {verb} {taken}: that leaves {joined(kept, 'and')}.")


def is_single(lots: int) -> bool:
    """One lot."""
    return lots & (lots - 1) == 0


def union(sets: Sets, buildings: Sequence[int]) -> int:
    """All lots of some buildings."""
    lots = 0
    for building in buildings:
        lots |= sets[building]
    return lots


def match(sets: Sets) -> tuple[dict[int, int], list[int]]:
    """A building for each lot; or, where that cannot be, buildings with fewer lots than they are."""
    at: dict[int, int] = {}

    def place(building: int, seen: set[int]) -> bool:
        for lot in bits(sets[building]):
            if lot not in seen:
                seen.add(lot)
                if lot not in at or place(at[lot], seen):
                    at[lot] = building
                    return True
        return False

    for building in sorted(sets, key=lambda each: sets[each].bit_count()):
        seen: set[int] = set()
        if not place(building, seen):
            return at, [building, *(at[lot] for lot in sorted(seen))]
    return at, []


def tight_groups(sets: Sets, at: dict[int, int]) -> Iterator[list[int]]:
    """Groups of buildings with as many lots as they are, that others hope for too; the smallest first."""
    for lots in sorted(set(reachable(sets, at).values()), key=lambda lots: (lots.bit_count(), lots)):
        if any(left & lots and left & ~lots for left in sets.values()):
            yield [building for building, left in sets.items() if not left & ~lots]


def reachable(sets: Sets, at: dict[int, int]) -> Sets:
    """For each building the lots that its moving can ask for, in any number of steps (Warshall)."""
    lots = dict(sets)
    for lot, between in at.items():
        further = lots[between]
        for building, left in lots.items():
            if left >> lot & 1:
                lots[building] = left | further
    return lots


def bits(lots: int) -> Iterator[int]:
    """The lots of a mask."""
    while lots:
        yield (lots & -lots).bit_length() - 1
        lots &= lots - 1


def lots_of(lots: int, word: str = "or") -> str:
    """Lots in a sentence, from 1."""
    return joined([str(lot + 1) for lot in bits(lots)], word)


def joined(parts: Sequence[str], word: str) -> str:
    """`a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else "none"


def capital(text: str) -> str:
    """A sentence begins with a capital letter."""
    return text[:1].upper() + text[1:]
