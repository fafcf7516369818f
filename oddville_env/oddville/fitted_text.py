"""A position in plain text for a terminal of any size: what matters most, in the columns and lines that there are."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.oddville.cards import CardSet
from oddville_env.oddville.text import (
    ACROSS,
    DOWN,
    MARGIN,
    WIDTH,
    details,
    draw_text,
    extent,
    grid,
    header,
    joined,
    seats,
    tiles,
)

Part = Sequence[str]


def fitted_text(position: Mapping[str, Any], cards: CardSet, columns: int, lines: int) -> str:
    """The whole text where there is room for it.

    Else the header, the city around the card placed last and a line for each seat, then what else there is room for.
    """
    whole = draw_text(position, cards)
    if whole.count("\n") <= lines and columns >= WIDTH:
        return whole
    all_seats = seats(position, cards)
    head, short = header(position), [line for line, *_ in all_seats]
    city = _city(position, cards, columns, lines - len(head) - len(short) - 2)
    rest = lines - len(head) - len(short) - len(city) - 2
    legend, board, row, piles = details(position, cards)
    chosen: list[Part] = []
    for part in (board, row, piles, legend):
        if len(part) + 1 <= rest:
            chosen.append(part)
            rest -= len(part) + 1
    more = sum(map(len, all_seats)) - len(short)
    last = [line for seat in all_seats for line in seat] if more <= rest else short
    return joined([line[:columns] for line in part] for part in (head, city, *chosen, last) if part)


def _city(position: Mapping[str, Any], cards: CardSet, columns: int, lines: int) -> list[str]:
    """As much of the city as fits, the card placed last within it; nothing where not even one line of cards fits."""
    city = tiles(position, cards)
    last_column, last_line = list(city)[-1]
    across, down = extent(city)
    wide, high = (columns - MARGIN - 1) // ACROSS, (lines - 2) // DOWN
    if wide < 1 or high < 1:
        return []
    return grid(_window(across, wide, last_column), _window(down, high, last_line), city)


def _window(whole: range, size: int, seen: int) -> range:
    """A part of a range, of at most so many numbers, with one of them near its middle."""
    start = min(max(seen - size // 2, whole.start), max(whole.stop - size, whole.start))
    return range(start, min(start + size, whole.stop))
