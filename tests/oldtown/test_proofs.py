"""Every sentence of a proof follows from those before it, says something new, and no case is left out."""

from collections.abc import Iterator
from itertools import islice

import pytest

from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles
from oddville_env.oldtown.deduction.solver import solve
from oddville_env.oldtown.solo.generator import generate
from support.proof_checker import Reader
from support.town import DECK

MOST = 12  # solutions of a puzzle with a clue too few, whose proof is still read


def check(puzzle: Puzzle) -> None:
    """The proof convinces a reader who believes nothing, of the solutions that the solver finds."""
    reader, proof = Reader(puzzle, DECK), prove(puzzle)
    reader.read([step.plain(DECK) for step in proof.steps])
    assert reader.empty == []
    found = sorted((solution.placement, sorted(solution.mine)) for solution in solve(puzzle))
    assert sorted((placement, sorted(own)) for placement, own in reader.solutions) == found


def with_a_clue_too_few(puzzle: Puzzle) -> Iterator[Puzzle]:
    """The puzzle without one of its clues, as long as 16 are named and there are few solutions."""
    for name in ("a", "b", "c"):
        for place in range(len(getattr(puzzle, name))):
            clues = getattr(puzzle, name)
            less = puzzle._replace(**{name: clues[:place] + clues[place + 1 :]}, solution=None)
            if len(less.town(DECK)) == 16 and 0 < len(solve(less)) <= MOST:
                yield less


@pytest.mark.rule("O4")
@pytest.mark.parametrize("number", range(1, 9))
def test_a_printed_puzzle_is_proved_without_a_gap(number: int) -> None:
    check(printed_puzzles()[number - 1])


@pytest.mark.rule("O4")
@pytest.mark.parametrize(
    ("level", "hide_mine", "number"),
    [
        *(("easy", False, 12), ("medium", False, 12), ("hard", False, 12)),
        *(("easy", True, 12), ("medium", True, 4), ("hard", True, 2)),
    ],
)
def test_a_generated_puzzle_is_proved_without_a_gap(level: str, hide_mine: bool, number: int) -> None:
    for puzzle in islice(generate(level, 7, hide_mine), number):
        check(puzzle)


@pytest.mark.rule("O4")
@pytest.mark.parametrize(("level", "hide_mine"), [("easy", True), ("easy", False), ("medium", False), ("hard", False)])
def test_a_puzzle_with_several_placements_is_proved_without_a_gap(level: str, hide_mine: bool) -> None:
    checked = 0
    for puzzle in islice(generate(level, 11, hide_mine), 3):
        for less in with_a_clue_too_few(puzzle):
            check(less)
            checked += 1
    assert checked > 5


def test_own_buildings_that_make_a_card_impossible_are_told_so() -> None:
    puzzle = printed_puzzles()[0]
    named = DECK.keys[DECK.cards[puzzle.c[0] - 1].building]
    check(puzzle._replace(mine=(named,), mine_count=1, solution=None))
