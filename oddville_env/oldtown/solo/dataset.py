"""[O8] Puzzles as a data set for language models: a question in words, its answer, and the steps of a proof."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from oddville_env.core.game.prompt import plain_answer
from oddville_env.core.game.questions import check_entry
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import LOTS
from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import Puzzle, PuzzleError
from oddville_env.oldtown.solo.generator import generate
from oddville_env.oldtown.svg.puzzles import clue_lines

FORMAT, VERSION = "oldtown-question", 1
RULES = f"""A town has {LOTS} lots in four rows of four, numbered row by row: row 1 is north, with lots 1 to 4;
column 1 is west. On each lot stood exactly one of these buildings:
{{town}}.
Some buildings are mine. A clue about "my building" holds for at least one of them that it does not name itself.

Clues:
{{clues}}

Where did each building stand? End your answer with {LOTS} lines of the form LOT: BUILDING, from 1 to {LOTS}."""
PAIRS = " That is, {}"
APART = re.compile(r"[\W_]+")


def entries(level: str, seed: int, hide_mine: bool = False, deck: Deck | None = None) -> Iterator[dict[str, Any]]:
    """Returns entries of a level without end, the same ones for the same seed; raises SettingError.

    A puzzle whose proof takes too long is left out.

    Args:
        level: `easy`, `medium` or `hard`.
        seed: The seed of the puzzles, as `oldtown puzzles generate` takes it.
        hide_mine: Hide which buildings are the player's own.
        deck: The deck; None for the base deck.
    """
    deck = deck or base_deck()
    for puzzle in generate(level, seed, hide_mine, deck):
        try:
            entry = entry_of(puzzle, deck)
        except PuzzleError:
            continue
        yield entry


def entry_of(puzzle: Puzzle, deck: Deck) -> dict[str, Any]:
    """Returns a puzzle as an entry: question, answer, steps of the proof with their number, level and puzzle.

    Raises PuzzleError for a puzzle that has several placements, or whose proof takes too long.
    """
    proof = prove(puzzle, deck)
    if not proof.is_unique:
        raise PuzzleError("the puzzle has no placement or several, so a question about it has no answer")
    steps = [str(step) for step in proof.steps]
    return {
        "format": FORMAT,
        "version": VERSION,
        "level": puzzle.level,
        "question": question_of(puzzle, deck),
        "answer": "\n".join(
            f"{lot}: {deck.buildings[deck.index(key)].name}" for lot, key in enumerate(proof.solutions[0].placement, 1)
        ),
        "steps": steps,
        "number_of_steps": len(steps),
        "puzzle": puzzle.plain(),
    }


def question_of(puzzle: Puzzle, deck: Deck) -> str:
    """Returns the question of a puzzle in words, complete without knowledge of the game."""
    town = describe.joined([deck.buildings[deck.index(key)].name for key in puzzle.town(deck)], "and")
    cards = [*puzzle.a, *(card for card, _ in puzzle.b), None, *puzzle.c]
    lines = [
        f"- {line}"
        if card is None
        else f"- Card {card}: {line}" + (PAIRS.format(describe.pairs_of(deck, card)) if card in puzzle.c else "")
        for card, line in zip(cards, clue_lines(puzzle, deck), strict=True)
    ]
    return RULES.format(town=town, clues="\n".join(lines))


def score(answer: object, entry: Mapping[str, Any], strict: bool = False) -> float:
    """Returns the share of lots, 0 to 1, for which an answer names the right building.

    A lot is read where a building follows it, as in `4: Bank`, the last time. Case, markup and `<think>` blocks are
    ignored.

    Args:
        answer: The answer of a model; anything but a text scores 0.
        entry: An entry of the data set.
        strict: Whether an answer scores 0 unless it ends with the lines that the question asks for.

    Raises:
        PuzzleError: It is no entry, or one of a newer version.
    """
    check_entry(entry, FORMAT, VERSION, PuzzleError)
    if not isinstance(answer, str):
        return 0.0
    right = [line.partition(": ")[2] for line in entry["answer"].splitlines()]
    said = _strictly_read(answer, right) if strict else _read(answer, right)
    return sum(said.get(lot) == APART.sub("", name).lower() for lot, name in enumerate(right, 1)) / len(right)


def _read(answer: str, names: Sequence[str]) -> dict[int, str]:
    """Lot -> building in small letters, as an answer names them in any form."""
    spelled = sorted((r"[\W_]*".join(APART.split(name.lower())) for name in names), key=len, reverse=True)
    lots = re.compile(rf"(?<!\d)(\d{{1,2}})[^\w\n,;]+({'|'.join(spelled)})(?![^\W_])")
    return {int(lot): APART.sub("", name) for lot, name in lots.findall(plain_answer(answer))}


def _strictly_read(answer: str, names: Sequence[str]) -> dict[int, str]:
    """Lot -> building in small letters; nothing unless the last lines have the form that is asked for."""
    lines = [line.split(": ", 1) for line in answer.splitlines()[-len(names) :]]
    formed = [line[0] for line in lines] == [str(lot) for lot in range(1, len(names) + 1)]
    if not formed or any(line[1:] == [] or line[1] not in names for line in lines):
        return {}
    return {int(lot): APART.sub("", name).lower() for lot, name in lines}
