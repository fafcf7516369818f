"""Tables of the documentation, printed from the code."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

import numpy as np

from oddville_env.core.parts.fields import Field
from oddville_env.core.parts.moves import Span

SIGNATURE = re.compile(r"\(\n.*?\n *\)", re.DOTALL)
CARRIES_OUT = re.compile(r'(?:def|class) (\w+)[^\n]*?:\n +"""\[([A-Z0-9 -]+)\]')


def markdown(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"|{'|'.join(map(str, line))}|" for line in lines)


def actions(spans: Sequence[Span[Any]], starts: Sequence[int]) -> str:
    """Every kind of move with its ids."""
    rows: list[tuple[object, ...]] = []
    for span, start, end in zip(spans, starts, starts[1:], strict=False):
        ids = f"{start}-{end - 1}" if end - start > 1 else start
        rows.append((f"`{span.form}`", ids, end - start, span.rule))
    return markdown(("word", "ids", "number", "rule"), [*rows, ("all", f"0-{starts[-1] - 1}", starts[-1], "")])


def observations(pieces: Sequence[Any], shown: Iterable[Any]) -> str:
    """Those of an encoding's pieces that are to be shown, with their indices in the vector."""
    placed = _placed(pieces, shown)
    rows = [(f"`{piece.name}`", shape, indices, piece.high, piece.text) for piece, indices, shape in placed]
    return markdown(("piece", "shape", "indices", "highest", "what"), rows)


def scaled_observations(pieces: Sequence[Any], printed: Iterable[Any] = ()) -> str:
    """The pieces of an encoding of float32: the range of their numbers, and what these are divided by.

    printed: the pieces of a table above, whose texts are not printed again.
    """
    rows: list[tuple[object, ...]] = []
    texts = {piece.text for piece in printed}
    for piece, indices, shape in _placed(pieces, pieces):
        units = [(unit, len(list(same))) for unit, same in groupby(np.atleast_1d(piece.unit).tolist())]
        divisors = ", ".join(f"{unit} ({times}x)" if times > 1 else f"{unit}" for unit, times in units)
        text = "as above" if piece.text in texts else piece.text
        rows.append((f"`{piece.name}`", shape, indices, f"{piece.low}..{piece.high}", divisors, text))
    return markdown(("piece", "shape", "indices", "range", "divided by", "what"), rows)


def entity_rows(pieces: Sequence[Any]) -> str:
    """The kinds of rows of an encoding of entities, in the order of their numbers."""
    starts = accumulate((piece.shape[0] for piece in pieces), initial=0)
    rows = [(f"`{piece.name}`", start, piece.text) for piece, start in zip(pieces, starts, strict=False)]
    return markdown(("kind", "first row", "numbers"), rows)


def _placed(pieces: Sequence[Any], shown: Iterable[Any]) -> Iterator[tuple[Any, str, str]]:
    """Those pieces that are to be shown, with their indices in the vector and their shapes."""
    start, wanted = 0, set(shown)
    for piece in pieces:
        if piece in wanted:
            yield piece, f"{start}-{start + piece.size - 1}", " x ".join(map(str, piece.shape))
        start += piece.size


def state(fields: Iterable[Field]) -> str:
    """The fields of the record of a game."""
    shapes = ((field, " x ".join(map(str, field.shape)) or "1") for field in fields)
    rows = [(f"`{each.name}`", each.dtype, shape, f"{each.low}..{each.high}", each.text) for each, shape in shapes]
    return markdown(("field", "dtype", "shape", "range", "what"), rows)


def rules(law: Path, chapters: str, sources: Iterable[Path]) -> str:
    """Every rule id of a law with the functions and classes that carry it out, as their docstrings say."""
    homes: dict[str, list[str]] = {rule: [] for rule in rule_ids(law, chapters)}
    for source in sorted(sources):
        module = source.parent.name if source.stem == "__init__" else source.stem
        for name, ids in CARRIES_OUT.findall(SIGNATURE.sub("()", source.read_text(encoding="utf-8"))):
            for rule in expand(ids):
                homes[rule].append(f"`{module}.{name}`")
    return markdown(("rule", "implemented by"), [(rule, ", ".join(where)) for rule, where in homes.items()])


def rule_ids(law: Path, chapters: str) -> list[str]:
    """The ids of a law's chapters, each a letter, in its order."""
    return re.findall(rf"^- ([{chapters}]\d+) ", law.read_text(encoding="utf-8"), re.MULTILINE)


def expand(ids: str) -> list[str]:
    """`N2-N5 T6` -> N2 N3 N4 N5 T6."""
    found = []
    for part in ids.split():
        first, _, last = part.partition("-")
        chapter, low = first[0], int(first[1:])
        found += [f"{chapter}{number}" for number in range(low, (int(last[1:]) if last else low) + 1)]
    return found
