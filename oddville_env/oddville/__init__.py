"""OddVille: the rules of RULES.md in compiled code, and the game for people."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

MINI: Mapping[str, Any] = MappingProxyType({"players": 2, "table": (5, 3), "max_rounds": 8, "cards": "mini"})
"""The settings of OddVille Mini: keywords of its games and environments."""
