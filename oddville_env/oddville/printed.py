"""Tables of the documentation, printed from the code: `oddville tables` shows them, README.md holds copies."""

import re
from collections.abc import Callable
from pathlib import Path

from oddville_env.oddville.observation import ENCODINGS, make_encoder
from oddville_env.oddville.rules.actions import SPANS
from oddville_env.oddville.rules.state import fields
from oddville_env.oddville.settings import make_box

RULES = Path(__file__).parent / "rules" / "RULES.md"


def markdown(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def actions() -> str:
    """Every kind of move with its ids on the default table."""
    layout = make_box().layout
    rows: list[tuple[object, ...]] = []
    for span, start in zip(SPANS, layout.starts, strict=False):
        first, second, third = layout.factors(span)
        number = first * second * third
        rows.append((f"`{span.form}`", f"{start}-{start + number - 1}" if number > 1 else start, number, span.rule))
    return markdown(("word", "ids", "number", "rule"), [*rows, ("all", f"0-{layout.size - 1}", layout.size, "")])


def observations(encoding: str, common: bool) -> str:
    """The pieces of an encoding on the default table: those of all encodings, or those that only it has."""
    shared = set.intersection(*(set(make_encoder(make_box(), name).pieces) for name in ENCODINGS))
    rows: list[tuple[object, ...]] = []
    start = 0
    for piece in make_encoder(make_box(), encoding).pieces:
        shape = " x ".join(map(str, piece.shape))
        if (piece in shared) == common:
            rows.append((f"`{piece.name}`", shape, f"{start}-{start + piece.size - 1}", piece.high, piece.text))
        start += piece.size
    return markdown(("piece", "shape", "places", "highest", "what"), rows)


def state() -> str:
    """The fields of the record of a game on the default table."""
    box = make_box()
    table = fields(box.games["ground"].shape[0], box.layout.slots)
    rows: list[tuple[object, ...]] = []
    for field in table:
        shape = " x ".join(map(str, field.shape)) or "1"
        rows.append((f"`{field.name}`", field.dtype, shape, f"{field.low}..{field.high}", field.text))
    return markdown(("field", "dtype", "shape", "range", "what"), rows)


def rules() -> str:
    """Every rule id with the functions that carry it out."""
    homes: dict[str, list[str]] = {rule: [] for rule in rule_ids()}
    for source in sorted(RULES.parent.glob("*.py")):
        for name, ids in re.findall(r'def (\w+)\(.*?\).*?:\n    """\[([A-Z0-9 -]+)\]', source.read_text()):
            for rule in expand(ids):
                homes[rule].append(f"`{source.stem}.{name}`")
    return markdown(("rule", "carried out by"), [(rule, ", ".join(where)) for rule, where in homes.items()])


def rule_ids() -> list[str]:
    """The ids of RULES.md, in its order, but for the worked examples."""
    return re.findall(r"^- ([STWPLBNGCEVK]\d+) ", RULES.read_text(), re.MULTILINE)


def expand(ids: str) -> list[str]:
    """`N2-N5 T6` -> N2 N3 N4 N5 T6."""
    found = []
    for part in ids.split():
        first, _, last = part.partition("-")
        chapter, low = first[0], int(first[1:])
        found += [f"{chapter}{number}" for number in range(low, (int(last[1:]) if last else low) + 1)]
    return found


TABLES: dict[str, Callable[[], str]] = {
    "actions": actions,
    "common": lambda: observations(ENCODINGS[0], common=True),
    "features": lambda: observations("features", common=False),
    "ids": lambda: observations("ids", common=False),
    "state": state,
    "rules": rules,
}
