"""The inputs of a value network as named groups of numbers, and the digest that tells layouts apart."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple


class Group(NamedTuple):
    """Numbers that belong together."""

    name: str
    size: int
    text: str


def size_of(groups: Iterable[Group]) -> int:
    """The numbers of all groups together."""
    return sum(group.size for group in groups)


def names_of(groups: Iterable[Group]) -> str:
    """The groups' names and sizes, for readers of a file."""
    return " ".join(f"{group.name}:{group.size}" for group in groups)


def digest_of(groups: Iterable[Group]) -> str:
    """A hash of the groups' names and sizes: a network fits only what it was trained for."""
    plain = [(group.name, group.size) for group in groups]
    return hashlib.sha256(repr(plain).encode()).hexdigest()[:16]
