"""The city: its cards in a grid, with the columns and lines that move words speak of."""

from collections.abc import Mapping
from typing import Any

from oddville_env.core.svg.elements import Fragment, at, bold, box, group
from oddville_env.core.svg.palette import MARK, MEADOW, MUTED, WHITE
from oddville_env.oddville.cards import CardSet
from oddville_env.oddville.svg import tiles

CELL = 100.0
LABELS = 26.0
HEM = 8.0
DEPTH = 700.0
MEADOW_DEPTH = 560.0  # of a meadow that does not grow

Cell = tuple[int, int]
Window = tuple[range, range]
"""Columns and lines of the table."""


def window_of(position: Mapping[str, Any], marks: Mapping[Cell, str]) -> Window:
    """The columns and lines worth showing: what is taken and a margin of one, as far as the table reaches."""
    columns, lines = position["table"]
    taken = [(0, 0), *((card["column"], card["line"]) for card in position["city"])]
    across = [column + step for column, _ in taken for step in (-1, 1)] + [column for column, _ in marks]
    down = [0, *(line + 1 for _, line in taken), *(line for _, line in marks)]
    half = columns // 2
    return range(max(min(across), -half), min(max(across), half) + 1), range(0, min(max(down), lines - 1) + 1)


def city(
    position: Mapping[str, Any],
    cards: CardSet,
    marks: Mapping[Cell, str],
    width: float,
    window: Window | None = None,
    fixed: bool = False,
) -> Fragment:
    """The cards of the city on a meadow, marks upon it; what is shown of the table is what is worth it, or a window.

    fixed: the meadow is as deep as it will ever be.
    """
    columns, lines = window or window_of(position, marks)
    depth = min(MEADOW_DEPTH, position["table"][1] * CELL) if fixed else DEPTH
    cell = min(CELL, (width - 2 * LABELS) / len(columns), depth / len(lines))
    side = cell / tiles.TILE

    def place(column: int, line: int, body: str) -> str:
        return at(LABELS + (column - columns.start) * cell, LABELS + line * cell, body, side)

    height = (depth if fixed else len(lines) * cell) + LABELS + HEM
    built = [(card["column"], card["line"], card) for card in position["city"]]
    plots = [place(column, line, tiles.plot()) for line in lines for column in columns]
    tops = [_label(LABELS + (column - columns.start + 0.5) * cell, LABELS / 2, column) for column in columns]
    sides = [_label(LABELS / 2, LABELS + (line + 0.5) * cell, line) for line in lines]
    faces = [place(column, line, tiles.building(cards, card["card"], card["owner"])) for column, line, card in built]
    latest = [place(column, line, tiles.glow()) for column, line, _ in built[-1:]]
    labels = [place(column, line, _mark(label)) for (column, line), label in sorted(marks.items())]
    main = place(0, 0, tiles.square(cards, position["square"]))
    across = LABELS * 2 + len(columns) * cell
    drawn = group(*plots, *tops, *sides, main, *faces, *latest, *labels)
    meadow = box(0, 0, width, height, 9, fill=MEADOW)
    return Fragment(meadow + at((width - across) / 2, 0, drawn), width, height)


def _label(x: float, y: float, number: int) -> str:
    return bold(x, y, number, 12, fill=MUTED, text_anchor="middle")


def _mark(label: str) -> str:
    size = min(24.0, 100.0 / max(len(label), 1))
    pill = box(8, 31, tiles.TILE - 16, 38, 19, fill=MARK)
    return pill + bold(tiles.MIDDLE, tiles.MIDDLE, label, size, fill=WHITE, text_anchor="middle")
