"""How a run of the program ended, and what runs it."""

from collections.abc import Callable
from typing import NamedTuple


class Said(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]
