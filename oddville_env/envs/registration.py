"""The names that Gymnasium's and PettingZoo's `make` know a game's environments by."""

from typing import NamedTuple

import gymnasium
import pettingzoo


class Doors(NamedTuple):
    """The entry points of a game's environments, as `module:name`, by their names; those that it has."""

    gymnasium_id: str
    single: str
    vector: str | None = None
    pettingzoo_id: str | None = None
    aec: str | None = None


def register(doors: Doors) -> None:
    """Register a game's environments, once; PettingZoo has a registry from 1.26 on."""
    if doors.gymnasium_id not in gymnasium.registry:
        gymnasium.register(id=doors.gymnasium_id, entry_point=doors.single, vector_entry_point=doors.vector)
    if doors.aec and hasattr(pettingzoo, "register") and doors.pettingzoo_id not in pettingzoo.aec_registry:
        pettingzoo.register("aec", doors.pettingzoo_id, entry_point=doors.aec)
