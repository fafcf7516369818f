"""[O1-O4] Puzzles on a page: what is shown of one, whether pencil marks are right, and what could be seen next."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.scene import Marks, Puzzles
from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import LOTS
from oddville_env.oldtown.deduction.groups import Sets, any_of, mask_of
from oddville_env.oldtown.deduction.proof import Step, prove
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles
from oddville_env.oldtown.deduction.sentences import Left, Sight, plain_left
from oddville_env.oldtown.deduction.solver import all_placements
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.scene.table import facts, placed
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oddville_env.oldtown.svg.town import LOT_SIDE, corner, house_spot, pencil_spots

SUPPOSED = (Sight.SUPPOSED_OWN, Sight.SUPPOSED_LOT)
LARGEST_SEED = 2**53
"""The largest number that a page can write."""
KEPT = 64  # puzzles whose solutions and proofs are remembered


class Hint(NamedTuple):
    """Sentences, and the lots that they leave; a supposition includes the contradiction that refutes it."""

    steps: tuple[Step, ...]
    left: tuple[Left, ...] = ()

    def is_known(self, marks: Sets) -> bool:
        """The marks (lots of buildings, as masks) say all of it; false where it leaves no lots."""
        return bool(self.left) and all(each in marks and not marks[each] & ~lots for each, lots in self.left)


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
    if level not in LEVELS or not seed.isdecimal() or len(seed) > len(str(LARGEST_SEED)) or int(seed) > LARGEST_SEED:
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
    named = [(card, deck.keys[deck.cards[card - 1].building]) for card in (*puzzle.a, *puzzle.c)]
    clues = [*named[: len(puzzle.a)], *puzzle.b, *named[len(puzzle.a) :]]
    return [
        {"card": card, "building": key, "drawing": f"plan-{card}", "sign": {"drawing": f"token-{key}"}}
        for card, key in clues
    ]


def _lot(lot: int) -> dict[str, Any]:
    x, y = corner(lot - 1)
    return {
        "lot": lot,
        "at": [x, y],
        "side": LOT_SIDE,
        "house": placed(lot, house_spot()),
        "pencil": [placed(lot, spot) for spot in pencil_spots()],
    }


@lru_cache(maxsize=KEPT)
def _placements(deck: Deck, name: str) -> tuple[Mapping[str, int], ...]:
    """[O3] Of each solution the lots of the buildings."""
    found = all_placements(puzzle_named(deck, name), deck)
    return tuple({key: lot for lot, key in enumerate(placement, 1)} for placement in found)


@lru_cache(maxsize=KEPT)
def _hints(deck: Deck, name: str) -> list[Hint]:
    """A proof as hints: suppositions that cannot be are refuted, and the first one that can is followed."""
    return list(_told(_blocks(prove(puzzle_named(deck, name), deck).steps, 0)))


def check(box: Box, name: str, marks: Marks) -> dict[str, Any]:
    """The buildings of which the marks miss the lot, by the solution that they miss least; and whether all is done."""
    town = puzzle_named(box.deck, name).town(box.deck)
    for key in marks:
        if key not in town:
            raise SettingError(f"marks: {shown(key)} is no building of this puzzle")
    missed = (
        [key for key, lot in placement.items() if marks.get(key) and lot not in marks[key]]
        for placement in _placements(box.deck, name)
    )
    wrong = min(missed, key=len)
    done = all(len(set(marks.get(key, ()))) == 1 for key in town)
    return {"wrong": wrong, "solved": done and not wrong}


def hint(box: Box, name: str, marks: Marks, after: int) -> dict[str, Any]:
    """The mistakes, or else the next thing to see; nothing where the marks say all."""
    checked = check(box, name, marks)
    hints = _hints(box.deck, name)
    number = None if checked["wrong"] else next_hint(hints, marks_of(box.deck.keys, marks), after)
    if number is None:
        return {**checked, "number": None, "steps": [], "left": []}
    steps, left = [step.plain(box.deck) for step in hints[number].steps], plain_left(hints[number].left, box.deck)
    return {**checked, "number": number, "steps": steps, "left": left}


def next_hint(hints: Sequence[Hint], marks: Sets, after: int) -> int | None:
    """The number of the first hint that the marks do not say; one that leaves no lots is given once."""
    for number, hint in enumerate(hints):
        if not hint.is_known(marks) and (hint.left or number > after):
            return number
    return None


def _blocks(steps: Sequence[Step], depth: int) -> list[list[Step]]:
    """Each step of a depth with the deeper ones behind it."""
    blocks: list[list[Step]] = []
    for step in steps:
        if step.depth == depth:
            blocks.append([step])
        else:
            blocks[-1].append(step)
    return blocks


def _told(blocks: Sequence[list[Step]]) -> Iterator[Hint]:
    plain = [block[0] for block in blocks if block[0].seen.kind not in SUPPOSED]
    yield from (Hint((step,), step.left) for step in plain if step.seen.kind != Sight.SOLVED)
    supposed = [block for block in blocks if block[0].seen.kind in SUPPOSED]
    true = [block for block in supposed if any(step.seen.kind == Sight.SOLVED for step in block)]
    open_lots = [block[0].seen.lots for block in supposed]
    for block in supposed:
        if block not in true:
            open_lots.remove(block[0].seen.lots)
            left = Left(block[0].seen.buildings[0], any_of(open_lots))  # after one of its lots has been refuted
            yield Hint(tuple(block), (left,) if block[0].seen.kind == Sight.SUPPOSED_LOT else ())
    if true:
        head = true[0][0]
        if len(true) > 1:
            is_lot = head.seen.kind == Sight.SUPPOSED_LOT
            yield Hint((head,), (Left(head.seen.buildings[0], head.seen.lots),) if is_lot else ())
        yield from _told(_blocks(true[0][1:], head.depth + 1))


def marks_of(keys: Sequence[str], marks: Mapping[str, Sequence[int]]) -> Sets:
    """Marks by keys and lots from 1 as masks by numbers; a building without marks is left out."""
    return {keys.index(key): mask_of({lot - 1 for lot in lots}) for key, lots in marks.items() if lots}


PUZZLES = Puzzles(printed, tuple(LEVELS), table, check, hint)
"""The puzzles of Old Town."""
