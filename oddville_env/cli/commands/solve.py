"""`solve`: all solutions of a puzzle of Old Town, with a proof."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from oddville_env.cli.commands.puzzles import DeckFile, amount, deck_of, puzzles_of
from oddville_env.cli.options import JsonOut, argument, option
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.core.checked.settings import whole_number
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.deduction.proof import Proof, prove
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles
from oddville_env.oldtown.deduction.solver import MOST_SOLUTIONS, Solution, find
from oddville_env.oldtown.svg.puzzles import clue_lines
from oddville_env.oldtown.text import draw_town

SHOWN = 10  # placements, and sets of own buildings of each, that are printed

Which = Annotated[str, argument("Number of a printed puzzle, 1 to 8, or a file of puzzles.")]
Index = Annotated[int, option("Number of the puzzle in the file, from 0.")]


def solve(
    puzzle: Which,
    index: Index = 0,
    proof: Annotated[bool, option("Print the proof that there is no other solution.")] = True,
    deck: DeckFile = None,
    json_out: JsonOut = None,
) -> None:
    """Solve a puzzle: print its solutions and the proof that there is no other."""
    check_out(json_out)
    cards = deck_of(deck)
    asked = _puzzle(puzzle, index, cards)
    with terminal(err=True).status("solving"):
        solutions, complete = find(asked, cards)
        found = Proof(tuple(solutions), ())
        if proof and complete and len(solutions) < MOST_SOLUTIONS:
            found = prove(asked, cards)
    console = terminal(json_out)
    for line in _told(asked, found, cards, complete):
        console.print(line, soft_wrap=True)
    if json_out is not None:
        write_json(json_out, _plain(found, complete))


def _puzzle(which: str, index: int, deck: Deck) -> Puzzle:
    printed = printed_puzzles()
    if which.isdecimal() and not Path(which).exists():
        return printed[whole_number("puzzle", int(which), 1, len(printed)) - 1]
    puzzles = puzzles_of(Path(which), deck)
    return puzzles[whole_number("index", index, 0, len(puzzles) - 1)]


def _told(puzzle: Puzzle, proof: Proof, deck: Deck, complete: bool) -> Iterator[str]:
    """The clues, the first solutions and the proof; complete: there are no other solutions."""
    yield from clue_lines(puzzle, deck)
    if not puzzle.c and puzzle.mine is None:
        yield "There is no C card: nothing says which buildings are own, so every set of them is a solution."
    by_placement: dict[tuple[str, ...], list[Solution]] = {}
    for solution in proof.solutions:
        by_placement.setdefault(solution.placement, []).append(solution)
    at_least = "" if complete else "at least "
    yield f"\n{at_least}{amount(len(by_placement), 'placement')}, {amount(len(proof.solutions), 'solution')}"
    for placement, solutions in islice(by_placement.items(), SHOWN):
        yield "\n".join(draw_town({key: [lot] for lot, key in enumerate(placement, 1)}, deck))
        for solution in solutions[:SHOWN]:
            yield f"own: {', '.join(deck.buildings[deck.index(key)].name for key in solution.mine)}"
        if len(solutions) > SHOWN:
            yield f"and {amount(len(solutions) - SHOWN, 'other set')} of own buildings"
    if len(by_placement) > SHOWN:
        yield f"\nand {amount(len(by_placement) - SHOWN, 'other placement')}: --json writes all of them"
    if proof.steps:
        yield ""
    yield from map(str, proof.steps)


def _plain(proof: Proof, complete: bool) -> dict[str, Any]:
    return {
        "solutions": [{"placement": list(each.placement), "mine": list(each.mine)} for each in proof.solutions],
        "complete": complete,
        "steps": [{"depth": step.depth, "text": step.text} for step in proof.steps],
    }
