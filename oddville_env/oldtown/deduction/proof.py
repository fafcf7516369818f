"""[O4] A proof of a puzzle's solutions, step by step: each step is a sentence that a person can check.

Everything that is found out is a fact, which knows the facts that it follows from. What no contradiction and no
solution needs is left out in the end, so that a proof tells no more than it must.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import LOTS, NOTHING
from oddville_env.oldtown.deduction.groups import Sets, all_of, any_of, lone_group, mask_of, tight_group
from oddville_env.oldtown.deduction.puzzle import Puzzle, PuzzleError
from oddville_env.oldtown.deduction.sentences import Left, Seen, Sight, bits, plain, sentence
from oddville_env.oldtown.deduction.solver import Solution, lot_clues, placement_of
from oddville_env.oldtown.rules.state import EVERY_LOT

FEW = 4  # sets of own buildings that a sentence lists
MOST_INFERENCES = 50_000  # a few seconds; the hardest printed puzzle takes 2,661


class Step(NamedTuple):
    """A sentence of a proof; what follows from a supposition is one deeper than it.

    seen: what the sentence says. left: the lots that it leaves to buildings.
    """

    text: str
    depth: int
    seen: Seen
    left: tuple[Left, ...]

    def __str__(self) -> str:
        return "  " * self.depth + self.text

    def plain(self, deck: Deck) -> dict[str, Any]:
        """The sentence in plain values, for pages of any language."""
        return {"text": self.text, "depth": self.depth, **plain(self.seen, self.left, deck)}


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


class Fact(NamedTuple):
    """Something found out, and the numbers of the facts that it follows from.

    left: the lots that are left to a building; of none where it is about own buildings.
    """

    left: Left
    premises: tuple[int, ...]


class Inference(NamedTuple):
    """A step of a proof: what is seen at once, and the numbers of the facts that follow; without any, a remark."""

    depth: int
    seen: Seen
    facts: tuple[int, ...]


class Knowledge(NamedTuple):
    """The knowledge at some point of a proof, each part with the numbers of the facts that say so.

    sets: the lots that are left to each building. owns: the sets of own buildings that are left, as masks of buildings.
    """

    sets: Sets
    because: dict[int, int]
    owns: list[int]
    owns_because: list[int]
    depth: int

    def supposing(self) -> "Knowledge":
        """The same, one deeper, to continue with."""
        return Knowledge(dict(self.sets), dict(self.because), list(self.owns), list(self.owns_because), self.depth + 1)

    def reasons(self, buildings: Sequence[int]) -> tuple[int, ...]:
        """The facts about the lots of some buildings."""
        return tuple(self.because[building] for building in buildings if building in self.because)


def prove(puzzle: Puzzle, deck: Deck | None = None) -> Proof:
    """All solutions of a puzzle, and why there is no other; raises PuzzleError where that takes too long to tell."""
    prover = Prover(puzzle, deck or base_deck())
    prover.prove()
    return Proof(tuple(prover.solutions), tuple(prover.steps()))


class Prover:
    """A proof under way."""

    def __init__(self, puzzle: Puzzle, deck: Deck) -> None:
        self.puzzle, self.deck = puzzle, deck
        self.solutions: list[Solution] = []
        self.facts: list[Fact] = []
        self.inferences: list[Inference] = []
        self.needed: set[int] = set()
        self.partners = cache(self._partners)
        self.pairs = {card: _rows(deck, card) for card in puzzle.c}
        self.named = {card: deck.cards[card - 1].building for card in puzzle.c}

    def steps(self) -> list[Step]:
        """The sentences that are needed."""
        steps = []
        for depth, seen, facts in self.inferences:
            needed = [self.facts[fact].left for fact in facts if fact in self.needed]
            if needed or not facts:
                left = tuple(each for each in needed if each.building != NOTHING)
                steps.append(Step(sentence(seen, left, self.deck), depth, seen, left))
        return steps

    def infer(self, depth: int, seen: Seen, found: Sequence[Fact]) -> list[int]:
        """Note an inference; the numbers of its facts."""
        numbers = range(len(self.facts), len(self.facts) + len(found))
        self.facts += found
        self.inferences.append(Inference(depth, seen, tuple(numbers)))
        return list(numbers)

    def need(self, facts: Sequence[int]) -> None:
        """These facts are needed, and all that they follow from."""
        asked = list(facts)
        while asked:
            fact = asked.pop()
            if fact not in self.needed:
                self.needed.add(fact)
                asked += self.facts[fact].premises

    def end(self, known: Knowledge, seen: Seen, facts: Sequence[int]) -> None:
        """A contradiction or a solution, which needs some facts."""
        self.inferences.append(Inference(known.depth, seen, ()))
        self.need(facts)

    def narrow(self, known: Knowledge, seen: Seen, found: Sequence[Left], reasons: Sequence[int]) -> None:
        """Buildings keep some lots, for reasons beside what was known of them."""
        facts = [Fact(left, (*reasons, *known.reasons([left.building]))) for left in found]
        for left, fact in zip(found, self.infer(known.depth, seen, facts), strict=True):
            known.sets[left.building], known.because[left.building] = left.lots, fact

    def prove(self) -> None:
        """The whole proof."""
        town = [self.deck.index(key) for key in self.puzzle.town(self.deck)]
        mine = self.puzzle.mine  # [O1]
        allowed = combinations(town, self.puzzle.mine_count) if mine is None else [map(self.deck.index, mine)]
        known = Knowledge(dict.fromkeys(town, EVERY_LOT), {}, [mask_of(owns) for owns in allowed], [], 0)
        for card, building in lot_clues(self.puzzle, self.deck):
            if known.sets[building] & ~mask_of(self.deck.cards[card - 1].lots):
                self.use_lots(known, card, building)
        self.follow(known)

    def use_lots(self, known: Knowledge, card: int, building: int) -> None:
        """[O3] An A or B card is true for its building."""
        lots = known.sets[building] & mask_of(self.deck.cards[card - 1].lots)
        self.narrow(known, Seen(Sight.CLUE, card), [Left(building, lots)], ())

    def follow(self, known: Knowledge) -> None:
        """All that follows, with suppositions where nothing else does; solutions are noted. Raises PuzzleError."""
        if len(self.inferences) > MOST_INFERENCES:
            raise PuzzleError(f"the puzzle's clues are too few to prove its solutions in {MOST_INFERENCES:,} steps")
        cards = list(self.pairs)
        while True:
            before, owns = dict(known.sets), len(known.owns)
            if not all(self.use_card(known, card) for card in cards) or not self.share_lots(known, lone_group):
                return
            if before == known.sets and owns == len(known.owns):
                if not self.share_lots(known, tight_group):
                    return
                if before == known.sets and not all(self.use_card(known, card, True) for card in self.pairs):
                    return
                if before == known.sets and owns == len(known.owns):
                    break
            cards = list(self.pairs) if owns > len(known.owns) else self.cards_about(known, before)
        if len(known.owns) > 1 and any(lots & (lots - 1) for lots in known.sets.values()):
            self.try_owns(known)
        elif any(lots & (lots - 1) for lots in known.sets.values()):
            self.try_lots(known)
        else:
            self.note_solutions(known)

    def cards_about(self, known: Knowledge, before: Sets) -> list[int]:
        """The C cards that speak of buildings whose lots are others than before."""
        moved = [building for building, lots in known.sets.items() if lots != before[building]]
        if any_of(known.owns) & mask_of(moved):
            return list(self.pairs)
        return [card for card, building in self.named.items() if building in moved]

    def try_owns(self, known: Knowledge) -> None:
        """Suppose one after the other of the buildings with which a C card can be true to be an own building."""
        certain = all_of(known.owns)
        ables = [able for able in (self.able(known, card) for card in self.pairs) if not certain & mask_of(able)]
        able = min(ables, key=len) if ables else bits(any_of(known.owns) & ~certain)
        tried: list[int] = []
        for own in sorted(able, key=lambda each: sum(mine >> each & 1 for mine in known.owns)):
            deeper = known.supposing()
            deeper.owns[:] = [mine for mine in known.owns if mine >> own & 1 and not mine & mask_of(tried)]
            if deeper.owns:
                seen = Seen(Sight.SUPPOSED_OWN, buildings=(own,), others=tuple(tried))
                self.suppose(deeper, seen, known.owns_because)
                tried.append(own)

    def suppose(self, known: Knowledge, seen: Seen, reasons: Sequence[int]) -> None:
        """Follow a supposition; the facts say that there are no other ones."""
        self.inferences.append(Inference(known.depth - 1, seen, ()))
        self.need(reasons)
        self.follow(known)

    def able(self, known: Knowledge, card: int) -> list[int]:
        """The buildings with which a C card can be true."""
        building, sets = self.named[card], known.sets
        asked = [own for own in bits(any_of(known.owns)) if own != building]
        return [own for own in asked if self.partners(card, sets[building], sets[own])[0]]

    def try_lots(self, known: Knowledge) -> None:
        """Suppose the building with the fewest lots to stand on each of them."""
        several = [each for each, lots in known.sets.items() if lots & (lots - 1)]
        building = min(several, key=lambda each: known.sets[each].bit_count())
        for lot in bits(known.sets[building]):
            deeper = known.supposing()
            deeper.sets[building] = 1 << lot
            seen = Seen(Sight.SUPPOSED_LOT, buildings=(building,), lots=1 << lot)
            self.suppose(deeper, seen, known.reasons([building]))

    def note_solutions(self, known: Knowledge) -> None:
        """[O3] Every building stands, and with each set of own buildings that is left all cards are true."""
        row = [known.sets.get(each, 0) for each in range(len(self.deck.keys))]
        placement = placement_of(row, self.deck)
        for own in known.owns:
            mine = self.puzzle.mine or tuple(self.deck.keys[each] for each in bits(own))
            self.solutions.append(Solution(placement, mine))
        owns = tuple(known.owns) if self.puzzle.mine is None else ()
        self.end(known, Seen(Sight.SOLVED, owns=owns), [*known.because.values(), *known.owns_because])

    def use_card(self, known: Knowledge, card: int, for_others: bool = False) -> bool:
        """[O3] A C card is true for one of the own buildings: what that leaves of these, and of the lots.

        for_others: it is said, too, that the card's own building cannot be the only one for which it could be true.
        """
        building, sets = self.named[card], known.sets
        asked = [own for own in bits(any_of(known.owns)) if own != building]
        partners = {own: self.partners(card, sets[building], sets[own]) for own in asked}
        able = [own for own in asked if partners[own][0]]
        owns = known.owns
        if for_others or len(able) < len(asked) or not able:
            owns = [mine for mine in owns if mine & mask_of(able)]
        if not owns:
            reasons = [*known.reasons([building, *asked]), *known.owns_because]
            self.end(known, Seen(Sight.NO_OWN, card), reasons)
            return False
        if len(owns) < len(known.owns):
            self.cut_owns(known, card, able, owns, known.reasons([building, *asked]))
            able = [own for own in able if any_of(owns) >> own & 1]
        left = 0
        for own in able:
            left |= partners[own][0]
        found = [Left(building, left)] if left != sets[building] else []
        if len(able) == 1 and partners[able[0]][1] != sets[able[0]]:
            found.append(Left(able[0], partners[able[0]][1]))
        if found:
            reasons = [*known.reasons([building, *asked]), *known.owns_because]
            self.narrow(known, Seen(Sight.RELATION, card, tuple(able)), found, reasons)
        return True

    def _partners(self, card: int, lots: int, others: int) -> tuple[int, int]:
        """The lots of a C card's two buildings that are of some pair."""
        left = others_left = 0
        for lot in bits(lots):
            if partners := self.pairs[card][lot] & others:
                left |= 1 << lot
                others_left |= partners
        return left, others_left

    def cut_owns(
        self, known: Knowledge, card: int, able: Sequence[int], owns: list[int], reasons: Sequence[int]
    ) -> None:
        """[O3] A C card can be true for some of the buildings only: one of these is an own one."""
        seen = Seen(Sight.NEEDS_OWN, card, tuple(able), owns=tuple(owns) if len(owns) <= FEW else ())
        facts = self.infer(known.depth, seen, [Fact(Left(NOTHING, 0), (*reasons, *known.owns_because))])
        known.owns[:], known.owns_because[:] = owns, facts

    def share_lots(self, known: Knowledge, find: Callable[[Sets], tuple[list[int], bool]]) -> bool:
        """[W3] As many buildings as lots take these lots from all others; false where there are too few lots."""
        while True:
            sets = known.sets
            group, enough = find(sets)
            if not group:
                return True
            lots, reasons = any_of(sets[each] for each in group), known.reasons(group)
            if not enough:
                self.end(known, Seen(Sight.CROWD, buildings=tuple(group), lots=lots), reasons)
                return False
            losers = [building for building in sets if building not in group and sets[building] & lots]
            found = [Left(building, sets[building] & ~lots) for building in losers]
            self.narrow(known, Seen(Sight.GROUP, buildings=tuple(group), lots=lots), found, reasons)


def _rows(deck: Deck, card: int) -> list[int]:
    """Of a C card for each lot of its building the lots of the own building, as masks."""
    rows = [0] * LOTS
    for lot, other in deck.cards[card - 1].pairs:
        rows[lot] |= 1 << other
    return rows
