"""A SAT solver judges puzzles: it reads question and proof of an entry as text, and knows chapter O of OLDTOWN.md.

Each puzzle has one placement, and each sentence of its proof follows from the clues that it names and from the
sentences before it. `make doors LANES=sat` judges 1,000 puzzles.
"""

import re
from collections.abc import Iterable
from itertools import combinations, islice
from typing import Any

import pytest

from oddville_env.oldtown.solo.dataset import entries

pysat = pytest.importorskip("pysat.solvers", reason="python-sat is not installed")
LOTS = range(1, 17)
EACH_LEVEL = {
    ("easy", False): 300, ("medium", False): 250, ("medium", True): 100, ("hard", False): 250, ("hard", True): 100,
}  # fmt: skip


class Judge:
    """A puzzle as clauses; a clue and a sentence hold where their own variable is assumed."""

    def __init__(self, question: str) -> None:
        self.solver, self.last = pysat.Cadical153(), 0
        town = re.split(r", | and ", question.splitlines()[2].rstrip("."))
        self.at = {(name, lot): self.new() for name in town for lot in LOTS}
        self.mine = {name: self.new() for name in town}
        self.clues: dict[int, int] = {}
        self.exactly(1, *([self.at[name, lot] for lot in LOTS] for name in town))
        self.exactly(1, *([self.at[name, lot] for name in town] for lot in LOTS))
        own = re.search(r"My buildings? (?:is|are) (.*)\.", question)
        if own:
            named = self.names(own[1])
            self.number = len(named)
            for name, variable in self.mine.items():
                self.solver.add_clause([variable if name in named else -variable])
        else:
            (number,) = re.findall(r"Which (?:(\d) buildings are|building is) mine", question)
            self.number = int(number or 1)
            self.exactly(self.number, list(self.mine.values()))
        for card, name, lots in re.findall(r"- Card (\d+): The (.+?)(?: \(.*\))? stood on lot (.*)\.", question):
            self.clue(card, [self.at[name, int(lot)] for lot in re.findall(r"\d+", lots)])
        for card, name, pairs in re.findall(r"- Card (\d+): The (.+?) and my building: .* one of (.*)\.", question):
            self.clue(card, list(self.pairs(name, re.findall(r"(\d+)-(\d+)", pairs))))

    def new(self) -> int:
        self.last += 1
        return self.last

    def exactly(self, number: int, *rows: list[int]) -> None:
        """So many of the variables of each row hold."""
        for row in rows:
            for some in combinations(row, len(row) - number + 1):
                self.solver.add_clause(list(some))
            for some in combinations(row, number + 1):
                self.solver.add_clause([-each for each in some])

    def pairs(self, name: str, pairs: Iterable[tuple[str, str]]) -> Iterable[int]:
        """A variable for each way in which a C card can be true."""
        for here, there in pairs:
            for own in self.mine.keys() - {name}:
                way = self.new()
                for holds in (self.at[name, int(here)], self.at[own, int(there)], self.mine[own]):
                    self.solver.add_clause([-way, holds])
                yield way

    def clue(self, card: str, ways: list[int]) -> None:
        self.clues[int(card)] = self.new()
        self.solver.add_clause([-self.clues[int(card)], *ways])

    def names(self, text: str) -> list[str]:
        """The buildings that a text names, in its order."""
        return re.findall(rf"(?i:\bthe) ({'|'.join(map(re.escape, self.mine))})(?!\w)", text)

    def left(self, text: str) -> list[list[int]]:
        """The clauses of `the Church on 9 or 10 and the Bank on 4`."""
        found = re.findall(r"the ([A-Z][\w' ]+?) on (\d+(?:(?:, | or )\d+)*)", text)
        return [[self.at[name, int(lot)] for lot in re.findall(r"\d+", lots)] for name, lots in found]

    def follows(self, clause: list[int], known: list[int]) -> bool:
        """The clause is true wherever all that is known is."""
        return not self.solver.solve(assumptions=[*known, *(-each for each in clause)])

    def owns(self, text: str, known: list[int]) -> int:
        """A variable that stands for `the own buildings are the Bank and the Doc or the Bank and the Smith`."""
        named = [self.mine[name] for name in self.names(text)]
        sets = [named[start : start + self.number] for start in range(0, len(named), self.number)]
        none, variable, ways = self.new(), self.new(), []
        for each in sets:
            self.solver.add_clause([-none, *(-own for own in each)])
            ways.append(self.new())
            for own in each:
                self.solver.add_clause([-ways[-1], own])
        assert self.follows([-none], known)
        self.solver.add_clause([-variable, *ways])
        return variable

    def fact(self, clauses: list[list[int]], known: list[int]) -> int:
        """A variable that stands for clauses which follow."""
        variable = self.new()
        for clause in clauses:
            assert self.follows(clause, known)
            self.solver.add_clause([-variable, *clause])
        return variable

    def placement(self, known: list[int]) -> dict[int, str]:
        assert self.solver.solve(assumptions=known)
        true = set(self.solver.get_model())
        return {lot: name for (name, lot), variable in self.at.items() if variable in true}

    def read(self, steps: list[str], answer: dict[int, str]) -> None:
        """Read a proof."""
        said: list[tuple[int, int]] = []  # depth and variable of what is known
        cases: list[list[int]] = []  # by depth: the suppositions so far
        for step in steps:
            depth = (len(step) - len(step.lstrip())) // 2
            self.close(cases, said, depth + 1)
            said = [each for each in said if each[0] <= depth]
            known = [variable for _, variable in said]
            card = re.match(r" *Card (\d+)", step)
            given = [*known, self.clues[int(card[1])]] if card else known
            if "Suppose" in step:
                head, _, but = step.partition(", but not ")
                (name,) = self.names(head)
                lot = re.search(r"stood on lot (\d+)", head)
                here = self.at[name, int(lot[1])] if lot else self.mine[name]
                cases += [[] for _ in range(depth + 1 - len(cases))]
                tried = [self.mine[other] for other in self.names(but)]
                assert tried == [] or set(tried) <= set(cases[depth])
                cases[depth].append(here)
                said += [(depth + 1, variable) for variable in (here, *(-other for other in tried))]
            elif "this is a solution" in step:
                assert all(self.follows([self.at[name, lot]], known) for lot, name in answer.items())
                assert self.placement([*known, *self.clues.values()]) == answer
            elif "that cannot be" in step:
                assert self.follows([], given), step
            elif "as an own building" in step:
                needed, _, owns = step.partition(", so the own buildings are ")
                said.append((depth, self.fact([[self.mine[name] for name in self.names(needed)]], given)))
                said += [(depth, self.owns(owns, given))] if owns else []
            else:
                clauses = self.left(step.partition("leaves ")[2])
                assert clauses, step
                said.append((depth, self.fact(clauses, given)))
        self.close(cases, said, 0)

    def close(self, cases: list[list[int]], said: list[tuple[int, int]], depth: int) -> None:
        """Behind suppositions deeper than this: no case was left out."""
        while len(cases) > depth:
            tried, level = cases.pop(), len(cases)
            known = [variable for at, variable in said if at <= level]
            assert tried == [] or self.follows(tried, [*known, *self.clues.values()])


def judged(entry: dict[str, Any]) -> None:
    """One placement solves the puzzle, and the proof is one."""
    judge = Judge(entry["question"])
    answer = {int(lot): name for lot, name in (line.split(": ") for line in entry["answer"].splitlines())}
    clues = list(judge.clues.values())
    assert judge.placement(clues) == answer
    other = judge.new()
    judge.solver.add_clause([-other, *(-judge.at[name, lot] for lot, name in answer.items())])
    assert not judge.solver.solve(assumptions=[*clues, other])
    judge.read(entry["steps"], answer)


def test_judge_notices_sentences_that_do_not_follow() -> None:
    entry = next(entries("hard", 7))
    wrong = 0
    for number, step in enumerate(entry["steps"]):
        shorter = re.sub(r"(leaves the [\w' ]+? on) \d+(?:, | or )(?=\d)", r"\1 ", step)
        try:
            judged({**entry, "steps": [*entry["steps"][:number], shorter, *entry["steps"][number + 1 :]]})
        except AssertionError:
            wrong += 1
            assert shorter != step
    assert wrong > 12
    with pytest.raises(AssertionError):
        judged({**entry, "question": entry["question"].replace("- Card", "- No card", 1)})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "hide_mine"),
    [pytest.param(*each, id=f"{number} puzzles, {each[0]}{' without own buildings' * each[1]}, by SAT")
     for each, number in EACH_LEVEL.items()],
)  # fmt: skip
def test_puzzles_have_one_solution_and_proofs_that_hold(level: str, hide_mine: bool) -> None:
    for entry in islice(entries(level, 7, hide_mine), EACH_LEVEL[level, hide_mine]):
        judged(entry)
