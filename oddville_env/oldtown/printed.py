"""Tables of the documentation, printed from the code."""

import re
from collections.abc import Callable
from pathlib import Path

from oddville_env.oldtown.observation import PIECES
from oddville_env.oldtown.rules.actions import SPANS, STARTS
from oddville_env.oldtown.rules.state import FIELDS

FOLDER = Path(__file__).parent
RULES = FOLDER / "rules" / "OLDTOWN.md"


def markdown(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def actions() -> str:
    """Every kind of move with its ids."""
    rows: list[tuple[object, ...]] = []
    for span, start, end in zip(SPANS, STARTS, STARTS[1:], strict=False):
        ids = f"{start}-{end - 1}" if end - start > 1 else start
        rows.append((f"`{span.form}`", ids, end - start, span.rule))
    return markdown(("word", "ids", "number", "rule"), [*rows, ("all", f"0-{STARTS[-1] - 1}", STARTS[-1], "")])


def observations() -> str:
    """The pieces of the observation."""
    rows: list[tuple[object, ...]] = []
    start = 0
    for piece in PIECES:
        shape = " x ".join(map(str, piece.shape))
        rows.append((f"`{piece.name}`", shape, f"{start}-{start + piece.size - 1}", piece.high, piece.text))
        start += piece.size
    return markdown(("piece", "shape", "places", "highest", "what"), rows)


def state() -> str:
    """The fields of the record of a game."""
    rows: list[tuple[object, ...]] = []
    for field in FIELDS:
        shape = " x ".join(map(str, field.shape)) or "1"
        rows.append((f"`{field.name}`", field.dtype, shape, f"{field.low}..{field.high}", field.start, field.text))
    return markdown(("field", "dtype", "shape", "range", "start", "what"), rows)


def rules() -> str:
    """Every rule id with the functions and classes that carry it out."""
    homes: dict[str, list[str]] = {rule: [] for rule in rule_ids()}
    for source in sorted(FOLDER.rglob("*.py")):
        for name, told in re.findall(
            r'(?:def|class) (\w+)[^\n]*?:\n +"""\[([A-Z0-9 -]+)\]',
            re.sub(r"\(\n.*?\n\)", "()", source.read_text(), flags=re.S),
        ):
            for rule in expand(told):
                homes[rule].append(f"`{source.stem}.{name}`")
    return markdown(("rule", "carried out by"), [(rule, ", ".join(where)) for rule, where in homes.items()])


def rule_ids() -> list[str]:
    """The ids of OLDTOWN.md, in its order, but for the worked examples."""
    return re.findall(r"^- ([STWCPQBDEOK]\d+) ", RULES.read_text(), re.MULTILINE)


def expand(told: str) -> list[str]:
    """`K1-K3 S3` -> K1 K2 K3 S3."""
    found = []
    for part in told.split():
        first, _, last = part.partition("-")
        chapter, low = first[0], int(first[1:])
        found += [f"{chapter}{number}" for number in range(low, (int(last[1:]) if last else low) + 1)]
    return found


TABLES: dict[str, Callable[[], str]] = {
    "actions": actions,
    "observations": observations,
    "state": state,
    "rules": rules,
}
