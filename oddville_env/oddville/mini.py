"""The settings of OddVille Mini; a module of its own, because it imports no compiled code."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

MINI: Mapping[str, Any] = MappingProxyType({"players": 2, "table": (5, 3), "max_rounds": 8, "cards": "mini"})
"""The settings of OddVille Mini: keywords of its games and environments."""
