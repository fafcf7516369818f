"""Values that no argument takes, and records with one part changed."""

import random
from copy import deepcopy
from typing import Any

import numpy as np

NUMBERS = [True, False, -1, 0, 1, 2, 7, 1.5, 2.0, float("nan"), float("inf"), 10**30, 10**5000, -(10**40), 1j]
TEXTS = ["", "x", "wood", "setup:wood", "x" * 10_000, "a\nb", "\0", "[/b]", "\ud800", b"wood"]
LISTS = [[], [[]], {}, {"a": 1}, [None], (1, 2), [17, 9], list(range(64)), list(range(100_000)), {1, 2}, range(64)]
ARRAYS = [np.zeros((2, 2)), np.int64(3), np.float64(2.0), np.array(["a"]), np.bool_(True), np.arange(64)]
VALUES = [None, object(), int, *NUMBERS, *TEXTS, *LISTS, *ARRAYS]


def places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """The way to every part of a record."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def mutated(record: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The record with one of its parts replaced, lost, doubled, or moved elsewhere."""
    changed = deepcopy(record)
    *way, last = chance.choice([path for path in places(record) if path])
    holder: Any = changed
    for key in way:
        holder = holder[key]
    what = chance.choice(["replace", "replace", "lose", "double", "move"])
    if what == "lose":
        del holder[last]
    elif what == "double" and isinstance(holder, list):
        holder.insert(last, holder[last])
    elif what == "move" and isinstance(holder, list):
        holder.append(holder.pop(last))
    else:
        holder[last] = chance.choice(VALUES)
    return changed
