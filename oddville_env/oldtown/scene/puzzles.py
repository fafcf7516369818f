"""[O1-O4] Puzzles on a page: what is shown of one, whether pencil marks are right, and what could be seen next."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.scene import Marks, Puzzles
from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import LOTS, NOTHING
from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles
from oddville_env.oldtown.deduction.sentences import bits
from oddville_env.oldtown.deduction.solver import all_placements
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.scene.table import facts
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oddville_env.oldtown.solo.hints import Hint, hints_of, marks_of, next_hint
from oddville_env.oldtown.svg.town import LOT_SIDE, Spot, corner, house_spot, pencil_spots

LARGEST_SEED = 2**53
"""The largest number that a page can write."""
DIGITS = len(str(LARGEST_SEED))
KEPT = 64  # puzzles whose solutions and proofs are remembered


def puzzles() -> Puzzles:
    """The puzzles of Old Town."""
    return Puzzles(printed, tuple(LEVELS), table, check, hint)


def printed(box: Box) -> tuple[tuple[str, str], ...]:
    """[O4] The rulebook's puzzles, which are made for its own deck."""
    return tuple((each.name, each.level) for each in printed_puzzles()) if box.deck == base_deck() else ()


@lru_cache(maxsize=KEPT)
def puzzle_named(deck: Deck, name: str) -> Puzzle:
    """The puzzle of a name; raises SettingError."""
    of_rulebook = {puzzle.name: puzzle for puzzle in printed_puzzles()} if deck == base_deck() else {}
    if name in of_rulebook:
        return of_rulebook[name]
    level, _, seed = name.partition("-")
    if level not in LEVELS or not seed.isdecimal() or len(seed) > DIGITS or int(seed) > LARGEST_SEED:
        known = ", ".join([*of_rulebook, *(f"{each}-SEED" for each in LEVELS)])
        raise SettingError(f"there is no puzzle {shown(name)}, expected {known}")
    return next(generate(level, int(seed), deck=deck))._replace(name=name)


def table(box: Box, name: str) -> dict[str, Any]:
    """The puzzle without its solution."""
    deck, puzzle = box.deck, puzzle_named(box.deck, name)
    return {
        "name": name,
        "level": puzzle.level,
        "mine": None if puzzle.mine is None else list(puzzle.mine),
        "mine_count": puzzle.mine_count,
        "clues": _clues(deck, puzzle),
        "town": [{"building": key, "drawing": f"token-{key}"} for key in puzzle.town(deck)],
        "ground": {"drawing": "ground"},
        "houses": [{"drawing": f"house-{key}"} for key in puzzle.town(deck)],
        "lots": [_lot(lot) for lot in range(1, LOTS + 1)],
        **facts(box),
    }


def _clues(deck: Deck, puzzle: Puzzle) -> list[dict[str, Any]]:
    named = [(card, deck.cards[card - 1].building) for card in (*puzzle.a, *puzzle.c)]
    clues = [*named[: len(puzzle.a)], *((card, deck.index(key)) for card, key in puzzle.b), *named[len(puzzle.a) :]]
    return [_clue(deck, card, building) for card, building in clues]


def _clue(deck: Deck, card: int, building: int) -> dict[str, Any]:
    assert building != NOTHING
    key = deck.keys[building]
    return {"card": card, "building": key, "drawing": f"plan-{card}", "sign": {"drawing": f"token-{key}"}}


def _lot(lot: int) -> dict[str, Any]:
    x, y = corner(lot - 1)

    def placed(spot: Spot) -> dict[str, Any]:
        return {"at": [round(x + spot.x, 2), round(y + spot.y, 2)], "size": round(spot.size, 2)}

    return {
        "lot": lot,
        "at": [x, y],
        "side": LOT_SIDE,
        "house": placed(house_spot()),
        "pencil": [placed(spot) for spot in pencil_spots()],
    }


@lru_cache(maxsize=KEPT)
def _placements(deck: Deck, name: str) -> tuple[Mapping[str, int], ...]:
    """[O3] Of each solution the lots of the buildings."""
    found = all_placements(puzzle_named(deck, name), deck)
    return tuple({key: lot for lot, key in enumerate(placement, 1)} for placement in found)


@lru_cache(maxsize=KEPT)
def _hints(deck: Deck, name: str) -> list[Hint]:
    return hints_of(prove(puzzle_named(deck, name), deck).steps)


def check(box: Box, name: str, marks: Marks) -> dict[str, Any]:
    """The buildings of which the marks miss the lot, by the solution that they miss least; and whether all is done."""
    town = puzzle_named(box.deck, name).town(box.deck)
    for key in marks:
        if key not in town:
            raise SettingError(f"marks: {shown(key)} is no building of this puzzle")
    missed = [_missed(placement, marks) for placement in _placements(box.deck, name)]
    wrong = min(missed, key=len)
    done = all(len(set(marks.get(key, ()))) == 1 for key in town)
    return {"wrong": wrong, "solved": done and not wrong}


def _missed(placement: Mapping[str, int], marks: Marks) -> list[str]:
    return [key for key, lot in placement.items() if marks.get(key) and lot not in marks[key]]


def hint(box: Box, name: str, marks: Marks, after: int) -> dict[str, Any]:
    """The mistakes, or else the next thing to see; nothing where the marks say all."""
    checked = check(box, name, marks)
    hints = _hints(box.deck, name)
    number = None if checked["wrong"] else next_hint(hints, marks_of(box.deck.keys, marks), after)
    if number is None:
        return {**checked, "number": None, "steps": [], "left": []}
    steps, left = hints[number]
    return {
        **checked,
        "number": number,
        "steps": [step.plain(box.deck) for step in steps],
        "left": _plain_left(box.deck.keys, left),
    }


def _plain_left(keys: Sequence[str], left: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    return [{"building": keys[building], "lots": [lot + 1 for lot in bits(lots)]} for building, lots in left]
