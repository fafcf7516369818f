"""The state of a game as one numpy record: a table of fields gives dtype, printed table, range test and reset."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.compiled.jit import kernel


class Field(NamedTuple):
    """A field of the record: its values lie in low..high, and `start` is what it holds before the deal."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    low: int
    high: int
    text: str
    start: int = 0


def record_dtype(fields: Iterable[Field]) -> np.dtype:
    """The record of a game with these fields, aligned as compiled code wants it.

    The gaps between them are fields too, named by their place, which hold 0: numpy copies nothing but fields, so that
    bytes of no field would differ between equal states.
    """
    table = list(fields)
    names, formats = [field.name for field in table], [(field.dtype, field.shape) for field in table]
    aligned = np.dtype({"names": names, "formats": formats}, align=True)
    whole: list[tuple[str, object]] = []
    end = 0
    for name, (kind, start, *_) in (aligned.fields or {}).items():
        if start > end:
            whole.append((f"gap_{end}", ("u1", (start - end,))))
        whole.append((name, kind))
        end = start + kind.itemsize
    if aligned.itemsize > end:
        whole.append((f"gap_{end}", ("u1", (aligned.itemsize - end,))))
    return np.dtype((np.record, np.dtype(whole, align=True)))


def make_reset(fields: Iterable[Field]) -> Any:
    """The kernel (game) that puts these fields of a record at their start values.

    It is written out, a line a field: compiled code cannot go through the fields of a record.
    """
    lines = [f"    game.{field.name}{'[:]' * bool(field.shape)} = {int(field.start)}" for field in fields]
    made: dict[str, Any] = {"__name__": __name__}
    exec("\n".join(["def reset(game):", *lines]), made)
    return kernel(made["reset"])


def is_out_of_range(field: Field, games: np.ndarray) -> np.ndarray:
    """The states [N] that hold a value out of range in a field: bool [N]."""
    values = games[field.name].reshape(len(games), -1)
    if values.dtype == np.bool_:
        values = values.view(np.uint8)  # compiled code counts with a byte that is neither 0 nor 1
    outside = np.asarray((values < field.low) | (values > field.high))
    return np.asarray(outside.any(axis=1))


def not_within(field: Field, game: Any) -> str:
    """The sentence about a field of a state that is out of range."""
    return f"{field.name} is not within {field.low}..{field.high}: {game[field.name]}"
