"""Both games with some of their settings, for tests of what they have in common."""

from functools import cache
from typing import Any

import pytest

from oddville_env import Game, OldTown
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from support.helpers import walk

SETTINGS: list[tuple[Any, dict[str, Any]]] = [
    (Game, {"players": 2}),
    (Game, {"players": 3, "table": (5, 3)}),
    (Game, {"players": 4, "table": (21, 11), "max_rounds": 25}),
    (Game, {"players": 3, "table": (1, 1), "max_rounds": 9}),
    (OldTown, {"players": 2}),
    (OldTown, {"players": 2, "lone_confirm": True}),
    (OldTown, {"players": 3, "lone_confirm": True}),
    (OldTown, {"players": 4}),
]
NAMES = {Game: "oddville", OldTown: "oldtown"}
every_game = pytest.mark.parametrize("make", NAMES, ids=NAMES.values())
every_type = pytest.mark.parametrize("game_type", [ODDVILLE, OLDTOWN], ids=lambda each: each.name)
every_setting = pytest.mark.parametrize(("make", "settings"), [
    pytest.param(*each, id="-".join(map(str, [NAMES[each[0]], *each[1].values()]))) for each in SETTINGS
])  # fmt: skip
every_encoding = pytest.mark.parametrize(("make", "encoding"), [
    *((Game, encoding) for encoding in ("features", "ids", "summary", "entities")),
    *((OldTown, encoding) for encoding in ("features", "memoryless", "summary", "entities")),
])  # fmt: skip

SEEDS = {2: (0, 40), 3: (0, 32), 4: (0, 25)}
"""Of random games by their players; OddVille's second ones have the rare phase builder."""


@cache
def moments(make: Any) -> list[Any]:
    """For every number of players a game in the first state of each phase."""
    found: dict[tuple[int, Any], Any] = {}
    for players, seeds in SEEDS.items():
        for seed in seeds:
            for game in walk(make(players, seed), seed):
                if (players, game.phase) not in found:
                    found[players, game.phase] = game.copy()
    return [*found.values()]
