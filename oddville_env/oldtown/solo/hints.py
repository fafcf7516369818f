"""A proof as hints for a puzzle on paper: one step after the other, each as far as it is new."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from oddville_env.oldtown.deduction.groups import Sets, any_of, mask_of
from oddville_env.oldtown.deduction.proof import Step
from oddville_env.oldtown.deduction.sentences import Left, Sight

SUPPOSED = (Sight.SUPPOSED_OWN, Sight.SUPPOSED_LOT)


class Hint(NamedTuple):
    """Sentences, and the lots that they leave; a supposition includes the contradiction that refutes it."""

    steps: tuple[Step, ...]
    left: tuple[Left, ...] = ()

    def is_known(self, marks: Sets) -> bool:
        """The marks (lots of buildings, as masks) say all of it; false where it leaves no lots."""
        return bool(self.left) and all(
            building in marks and not marks[building] & ~lots for building, lots in self.left
        )


def hints_of(steps: Sequence[Step]) -> list[Hint]:
    """A proof as hints: suppositions that cannot be are refuted, and the first one that can is followed."""
    return list(_hints(_blocks(steps, 0)))


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


def _hints(blocks: Sequence[list[Step]]) -> Iterator[Hint]:
    plain = [block[0] for block in blocks if block[0].seen.kind not in SUPPOSED]
    yield from (Hint((step,), step.left) for step in plain if step.seen.kind != Sight.SOLVED)
    supposed = [block for block in blocks if block[0].seen.kind in SUPPOSED]
    true = [block for block in supposed if any(step.seen.kind == Sight.SOLVED for step in block)]
    open_lots = [block[0].seen.lots for block in supposed]
    for block in supposed:
        if block not in true:
            open_lots.remove(block[0].seen.lots)
            yield Hint(tuple(block), _refuted(block[0], open_lots))
    if true:
        head = true[0][0]
        if len(true) > 1:
            is_lot = head.seen.kind == Sight.SUPPOSED_LOT
            yield Hint((head,), (Left(head.seen.buildings[0], head.seen.lots),) if is_lot else ())
        yield from _hints(_blocks(true[0][1:], head.depth + 1))


def _refuted(supposition: Step, open_lots: Sequence[int]) -> tuple[Left, ...]:
    """The lots left to the building after one of them has been refuted."""
    if supposition.seen.kind != Sight.SUPPOSED_LOT:
        return ()
    return (Left(supposition.seen.buildings[0], any_of(open_lots)),)


def marks_of(keys: Sequence[str], marks: Mapping[str, Sequence[int]]) -> Sets:
    """Marks by keys and lots from 1 as masks by numbers; a building without marks is left out."""
    return {keys.index(key): mask_of({lot - 1 for lot in lots}) for key, lots in marks.items() if lots}
