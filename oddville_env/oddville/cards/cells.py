"""Readers of one field: each turns its text into numbers, or tells by ValueError what it expected.

Fields arrive without spaces around them. Words may be written in capitals; nothing else is guessed.
"""

import re
from collections.abc import Callable, Sequence

from oddville_env.oddville.cards.sheet import quoted
from oddville_env.oddville.cards.words import MOST_SLOTS, NOTHING, ROW, WORKERS, Resource, Side

LARGEST = 20  # far above any printed number, and every sum of V1 and E2 still fits 16 bits


def number(low: int = 0, high: int = LARGEST) -> Callable[[str], int]:
    """A reader of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,3}", text) and low <= int(text) <= high:
            return int(text)
        raise ValueError(f"expected a whole number from {low} to {high}, found {quoted(text)}")

    return read


def word(noun: str, words: Sequence[str]) -> Callable[[str], int]:
    """A reader of one of the words: its index among them."""
    index = {known.lower(): i for i, known in enumerate(words)}
    expected = f"expected {', '.join(words[:-1])} or {words[-1]}"

    def read(text: str) -> int:
        if not text:
            raise ValueError(f"no {noun}, {expected}")
        if text.lower() not in index:
            raise ValueError(f"unknown {noun} {quoted(text)}, {expected}")
        return index[text.lower()]

    return read


def or_nothing(read: Callable[[str], int]) -> Callable[[str], int]:
    """The same reader, for a field that may stay empty."""
    return lambda text: read(text) if text else NOTHING


def some(noun: str, words: Sequence[str], parts: Callable[[str], Sequence[str]]) -> Callable[[str], tuple[bool, ...]]:
    """A reader of at least one of the words, each at most once: for every word whether it is there."""
    read_part = word(noun, words)

    def read(text: str) -> tuple[bool, ...]:
        found = [read_part(part) for part in parts(text) or [""]]
        for i in found:
            if found.count(i) > 1:
                raise ValueError(f"{noun} {words[i]} stands more than once")
        return tuple(i in found for i in range(len(words)))

    return read


def letters(text: str) -> str:
    """The letters of a field, which may be spaced."""
    return "".join(text.split())


resource = word("resource", Resource.words())
resources = some("resource", Resource.words(), str.split)
streets = some("street", [side.name for side in Side], letters)


def cost(text: str) -> tuple[int, ...]:
    """[B1] The number of workers that a building takes off each resource; in all at least one, at most a seat's."""
    taken = [resource(part) for part in text.split() or [""]]
    if len(taken) > WORKERS:
        raise ValueError(f"expected at most {WORKERS} resources, found {len(taken)}")
    return tuple(taken.count(i) for i in Resource)


def positions(text: str) -> tuple[int, ...]:
    """[W4, W5] A worker card's price for each position of the row; one of them is 0."""
    prices = tuple(number()(part) for part in text.split() or [""])
    if len(prices) != ROW:
        raise ValueError(f"expected {ROW} prices, one for each position of the row, found {len(prices)}")
    if 0 not in prices:
        raise ValueError("expected a position of price 0, so that there is always a legal move (W5), found none")
    return prices


def slots(text: str) -> tuple[int, ...]:
    """[S3] The prices of a resource's slots, cheapest first; the last, marked by `*`, is the upper slot."""
    parts = text.split() or [""]
    prices = tuple(number()(part.removesuffix("*")) for part in parts)
    if [part.endswith("*") for part in parts] != [False] * (len(parts) - 1) + [True]:
        raise ValueError(f"expected one * to mark the last price, the upper slot's, found {quoted(text)}")
    if not 2 <= len(prices) <= MOST_SLOTS:
        raise ValueError(f"expected 2 to {MOST_SLOTS} slots, the upper one included, found {len(prices)}")
    if list(prices) != sorted(prices):
        raise ValueError(f"expected prices from cheapest to dearest, found {quoted(text)}")
    return prices
