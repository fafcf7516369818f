"""Lots and buildings as a sentence names them."""

from collections.abc import Sequence
from functools import cache


@cache
def bits(mask: int) -> tuple[int, ...]:
    """The numbers of a mask, from 0."""
    return tuple(number for number in range(mask.bit_length()) if mask >> number & 1)


@cache
def lots_of(lots: int, word: str = "or") -> str:
    """Lots in a sentence, from 1: `4, 8, 12 or 16`."""
    return joined([str(lot + 1) for lot in bits(lots)], word)


def joined(parts: Sequence[str], word: str) -> str:
    """`a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else "none"


def capital(text: str) -> str:
    """A sentence begins with a capital letter."""
    return text[:1].upper() + text[1:]
