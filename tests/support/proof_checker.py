"""A proof checker: each sentence must follow from the clues and from the sentences before it.

Written from chapter O of OLDTOWN.md and from what the sentences say, not from the code that makes them. A reader knows
the lots that each building can have and the sets of own buildings that are possible. A case ends in a contradiction, in
a solution, or in suppositions that leave no case out.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.deduction.puzzle import Puzzle

Own = frozenset[str]
Said = dict[str, Any]  # a step in plain values
SUPPOSED = ("supposed_own", "supposed_lot")
ALL_LOTS = frozenset(range(1, 17))


@dataclass
class Case:
    """What is known of a case."""

    lots: dict[str, frozenset[int]]
    owns: set[Own]

    def supposing(self, step: Said) -> "Case":
        """The part of the case in which a supposition is true."""
        (building,) = step["buildings"]
        if step["kind"] == "supposed_lot":
            return Case({**self.lots, building: frozenset(step["lots"])}, set(self.owns))
        others = set(step["others"])
        return Case(dict(self.lots), {own for own in self.owns if building in own and not own & others})


class Reader:
    """Reads one proof; `solutions` are the placements with their own buildings, and `empty` the idle sentences."""

    def __init__(self, puzzle: Puzzle, deck: Deck) -> None:
        self.puzzle, self.deck = puzzle, deck
        self.solutions: list[tuple[tuple[str, ...], Own]] = []
        self.empty: list[str] = []

    def read(self, steps: list[Said]) -> None:
        """The whole proof, every step in plain values; an AssertionError names the sentence that does not follow."""
        town = self.puzzle.town(self.deck)
        owns = combinations(town, self.puzzle.mine_count) if self.puzzle.mine is None else [self.puzzle.mine]
        self.read_case(Case(dict.fromkeys(town, ALL_LOTS), set(map(frozenset, owns))), list(steps), 0)

    def read_case(self, case: Case, steps: list[Said], depth: int) -> None:
        """One case to its end."""
        while steps:
            step = steps.pop(0)
            assert step["depth"] == depth, step["text"]
            if step["kind"] in SUPPOSED:
                return self.read_suppositions(case, [step, *steps], depth)
            if step["kind"] in ("crowd", "no_own", "solved"):
                assert steps == [], f"has steps after: {step['text']}"
                return getattr(self, step["kind"])(case, step)
            getattr(self, step["kind"])(case, step)
        raise AssertionError("a case is left open")

    def read_suppositions(self, case: Case, steps: list[Said], depth: int) -> None:
        """Suppositions of one depth, each with what follows from it; together they leave nothing out."""
        heads = [number for number, step in enumerate(steps) if step["depth"] == depth]
        parts = [steps[first:last] for first, last in zip(heads, [*heads[1:], len(steps)], strict=True)]
        kinds = {part[0]["kind"] for part in parts}
        if kinds == {"supposed_lot"}:
            (building,) = {part[0]["buildings"][0] for part in parts}
            told = {lot for part in parts for lot in part[0]["lots"]}
            assert told == case.lots[building], f"{building} on {case.lots[building]}, but supposed on {told}"
        else:
            assert kinds == {"supposed_own"}, kinds
            covered = set().union(*(case.supposing(part[0]).owns for part in parts))
            left_out = [sorted(own) for own in case.owns - covered]
            assert left_out == [], f"own buildings {left_out[:3]} are left out: {parts[0][0]['text']}"
        for part in parts:
            self.read_case(case.supposing(part[0]), part[1:], depth + 1)

    # What each kind of sentence says

    def clue(self, case: Case, step: Said) -> None:
        """An A or B card leaves its building those of its lots that it had."""
        card = self.deck.cards[step["card"] - 1]
        named = {self.deck.keys[card.building]} if step["card"] in self.puzzle.a else set()
        named |= {building for number, building in self.puzzle.b if number == step["card"]}
        self.take(case, step, {key: case.lots[key] & {lot + 1 for lot in card.lots} for key in named})

    def group(self, case: Case, step: Said) -> None:
        """As many buildings as lots take these lots from all others."""
        buildings, lots = set(step["buildings"]), frozenset(step["lots"])
        assert set().union(*(case.lots[key] for key in buildings)) <= lots, step["text"]
        assert len(buildings) == len(lots), step["text"]
        self.take(case, step, {key: case.lots[key] - lots for key in case.lots if key not in buildings})

    def crowd(self, case: Case, step: Said) -> None:
        """Buildings have fewer lots than they are."""
        buildings = set(step["buildings"])
        assert set().union(*(case.lots[key] for key in buildings)) == set(step["lots"]), step["text"]
        assert len(buildings) > len(step["lots"]), step["text"]

    def needs_own(self, case: Case, step: Said) -> None:
        """A C card can be true with one of some own buildings only."""
        able = {key for own in case.owns for key, _, _ in self.ways(case, step["card"], own)}
        assert able <= set(step["buildings"]), step["text"]
        left = {own for own in case.owns if own & able}
        if left == case.owns:
            self.empty.append(step["text"])
        case.owns = left
        assert not step["owns"] or set(map(frozenset, step["owns"])) == left, step["text"]

    def no_own(self, case: Case, step: Said) -> None:
        """A C card can be true for no own building."""
        assert not any(self.ways(case, step["card"], own) for own in case.owns), step["text"]

    def relation(self, case: Case, step: Said) -> None:
        """A C card leaves the lots at which it is true with one of some own buildings."""
        ways = [way for own in case.owns for way in self.ways(case, step["card"], own)]
        assert {own for own, _, _ in ways} <= set(step["buildings"]), step["text"]
        left = {self.named(step["card"]): frozenset(here for _, here, _ in ways)}
        for key in case.lots:
            if ways and all(own == key for own, _, _ in ways):
                left[key] = frozenset(there for _, _, there in ways)
        self.take(case, step, left)

    def solved(self, case: Case, step: Said) -> None:
        """Every building has its lot, and all cards are true with each of the sets of own buildings."""
        at = {min(lots): key for key, lots in case.lots.items() if len(lots) == 1}
        assert set(at) == ALL_LOTS, step["text"]
        told = set(map(frozenset, step["owns"])) if self.puzzle.mine is None else case.owns
        assert told == case.owns, step["text"]
        for own in case.owns:
            assert all(self.ways(case, card, own) for card in self.puzzle.c), (step["text"], own)
            self.solutions.append((tuple(at[lot] for lot in sorted(at)), own))

    # What they are held against

    def named(self, card: int) -> str:
        """The building of a C card."""
        return self.deck.keys[self.deck.cards[card - 1].building]

    def ways(self, case: Case, card: int, own: Own) -> list[tuple[str, int, int]]:
        """[O3] The own building, the named one's lot and the own one's with which a C card can be true."""
        named = self.named(card)
        return [
            (each, here + 1, there + 1)
            for each in own - {named}
            for here, there in self.deck.cards[card - 1].pairs
            if here + 1 in case.lots[named] and there + 1 in case.lots[each]
        ]

    def take(self, case: Case, step: Said, left: dict[str, frozenset[int]]) -> None:
        """What a sentence leaves is no less than what follows, and is said with each of its lots."""
        for told in step["left"]:
            building, lots = told["building"], frozenset(told["lots"])
            assert left.get(building, ALL_LOTS) <= lots, step["text"]
            assert self.in_words(building, told["lots"]) in step["text"], step["text"]
            if case.lots[building] <= lots:
                self.empty.append(step["text"])
            case.lots[building] &= lots

    def in_words(self, building: str, lots: list[int]) -> str:
        """`the Bank on 1, 2 or 3`."""
        words = [str(lot) for lot in lots]
        listed = " or ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else "none"
        return f"the {self.deck.buildings[self.deck.keys.index(building)].name} on {listed}"
