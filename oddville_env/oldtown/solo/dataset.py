"""[O8] Puzzles as a data set for language models: a question in words, its answer, and the steps of a proof."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from oddville_env.core.errors import shown
from oddville_env.core.game.prompt import plain_answer
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
APART = re.compile(r"[\W_]+")


def entries(level: str, seed: int, hide_mine: bool = False, deck: Deck | None = None) -> Iterator[dict[str, Any]]:
    """Returns entries of a level without end, the same ones for the same seed; raises SettingError.

    A puzzle whose proof takes too long is left out.

    Args:
        level: `easy`, `medium` or `hard`.
        seed: The seed of the puzzles, as `oldtown puzzles generate` takes it.
        hide_mine: Leave out which buildings are own.
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

    Raises:
        PuzzleError: The puzzle has several placements, or its proof takes too long.
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
        f"- {line}" if card is None else f"- Card {card}: {line}{_pairs(deck, card) if card in puzzle.c else ''}"
        for card, line in zip(cards, clue_lines(puzzle, deck), strict=True)
    ]
    return RULES.format(town=town, clues="\n".join(lines))


def _pairs(deck: Deck, card: int) -> str:
    """The pairs of lots of a C card, so that its words cannot be misread."""
    pairs = ", ".join(f"{lot + 1}-{other + 1}" for lot, other in deck.cards[card - 1].pairs)
    name = deck.buildings[deck.cards[card - 1].building].name
    return f" That is, the lots of the {name} and of my building are one of {pairs}."


def score(answer: object, entry: Mapping[str, Any]) -> float:
    """Returns the share of lots, 0 to 1, for which an answer names the right building.

    A lot is read where a building follows it, as in `4: Bank`, the last time. Case, markup and `<think>` blocks are
    ignored.

    Args:
        answer: The answer of a model; anything but a text scores 0.
        entry: An entry of the data set.

    Raises:
        PuzzleError: It is no entry, or one of a newer version.
    """
    if entry.get("format") != FORMAT or entry.get("version") != VERSION:
        found = f"{shown(entry.get('format'))}, version {shown(entry.get('version'))}"
        raise PuzzleError(f"the entry has the format {found}, expected {FORMAT!r}, version {VERSION}")
    names = [line.partition(": ")[2] for line in entry["answer"].lower().splitlines()]
    spelled = sorted((r"[\W_]*".join(APART.split(name)) for name in names), key=len, reverse=True)
    lots = re.compile(rf"(?<!\d)(\d{{1,2}})[^\w\n,;]+({'|'.join(spelled)})(?![^\W_])")
    read = lots.findall(plain_answer(answer)) if isinstance(answer, str) else []
    said = {int(lot): APART.sub("", name) for lot, name in read}
    return sum(said.get(lot) == APART.sub("", name) for lot, name in enumerate(names, 1)) / len(names)
