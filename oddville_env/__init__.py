"""Two board games as reinforcement-learning environments: OddVille and Old Town.

`oddville_v0` and `oldtown_v0` are PettingZoo AEC environments, `OddVille-v0` and `OldTown-v0` the Gymnasium ones for
a single learning seat, `OldTownSolo-v0` the puzzles for one; `Game` and `OldTown` are the same rules for people.
Importing this package compiles nothing: what is slow to import comes when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oddville_env.envs.registration import Doors, register

if TYPE_CHECKING:
    from oddville_env import oddville_v0, oldtown_v0
    from oddville_env.core.errors import (
        GameError,
        IllegalMoveError,
        NotationError,
        RecordError,
        SettingError,
    )
    from oddville_env.core.game.game_type import GameType, Outcome
    from oddville_env.core.game.view import BatchView, View
    from oddville_env.envs.game_batch import GameBatch, Sampler
    from oddville_env.envs.sb3 import SeatVecEnv as OddVilleVecEnv
    from oddville_env.envs.sb3 import SeatVecEnv as OldTownVecEnv
    from oddville_env.oddville.cards import CardError, CardSet, base_cards, load_cards
    from oddville_env.oddville.game import Game
    from oddville_env.oddville.moves import Move
    from oddville_env.oddville_envs import OddVilleEnv, OddVilleSeatVectorEnv, OddVilleSelfPlayEnv
    from oddville_env.oldtown.cards import Deck, DeckError, base_deck, load_deck
    from oddville_env.oldtown.game import OldTown
    from oddville_env.oldtown.solo.game import OldTownSolo
    from oddville_env.oldtown_envs import OldTownEnv, OldTownSeatVectorEnv, OldTownSelfPlayEnv
    from oddville_env.oldtown_solo import OldTownSoloEnv, OldTownSoloVectorEnv

__version__ = "1.0.0"
"""The version of the package: every other place reads it here."""

_HOMES = {
    **dict.fromkeys(("CardError", "CardSet", "base_cards", "load_cards"), "oddville.cards"),
    **dict.fromkeys(
        ("GameError", "IllegalMoveError", "NotationError", "RecordError", "SettingError"),
        "core.errors",
    ),
    **dict.fromkeys(("GameType", "Outcome"), "core.game.game_type"),
    **dict.fromkeys(("BatchView", "View"), "core.game.view"),
    **dict.fromkeys(("GameBatch", "Sampler"), "envs.game_batch"),
    **dict.fromkeys(("OddVilleEnv", "OddVilleSeatVectorEnv", "OddVilleSelfPlayEnv"), "oddville_envs"),
    "OddVilleVecEnv": "envs.sb3:SeatVecEnv",
    "OldTownVecEnv": "envs.sb3:SeatVecEnv",
    **dict.fromkeys(("Deck", "DeckError", "base_deck", "load_deck"), "oldtown.cards"),
    **dict.fromkeys(("OldTownEnv", "OldTownSeatVectorEnv", "OldTownSelfPlayEnv"), "oldtown_envs"),
    **dict.fromkeys(("OldTownSoloEnv", "OldTownSoloVectorEnv"), "oldtown_solo"),
    "OldTown": "oldtown.game",
    "OldTownSolo": "oldtown.solo.game",
    "oldtown_v0": "",
    "Game": "oddville.game",
    "Move": "oddville.moves",
    "oddville_v0": "",
}

__all__ = [
    "BatchView",
    "CardError",
    "CardSet",
    "Deck",
    "DeckError",
    "Game",
    "GameBatch",
    "GameError",
    "GameType",
    "IllegalMoveError",
    "Move",
    "NotationError",
    "OddVilleEnv",
    "OddVilleSeatVectorEnv",
    "OddVilleSelfPlayEnv",
    "OddVilleVecEnv",
    "OldTown",
    "OldTownEnv",
    "OldTownSeatVectorEnv",
    "OldTownSelfPlayEnv",
    "OldTownSolo",
    "OldTownSoloEnv",
    "OldTownSoloVectorEnv",
    "OldTownVecEnv",
    "Outcome",
    "RecordError",
    "Sampler",
    "SettingError",
    "View",
    "base_cards",
    "base_deck",
    "load_cards",
    "load_deck",
    "oddville_v0",
    "oldtown_v0",
]

register(
    Doors(
        gymnasium_id="OddVille-v0",
        single="oddville_env.oddville_envs:OddVilleEnv",
        vector="oddville_env.oddville_envs:OddVilleSeatVectorEnv",
        pettingzoo_id="oddville_v0",
        aec="oddville_env.oddville_v0:env",
    )
)
register(
    Doors(
        gymnasium_id="OldTown-v0",
        single="oddville_env.oldtown_envs:OldTownEnv",
        vector="oddville_env.oldtown_envs:OldTownSeatVectorEnv",
        pettingzoo_id="oldtown_v0",
        aec="oddville_env.oldtown_v0:env",
    )
)
register(
    Doors(
        gymnasium_id="OldTownSolo-v0",
        single="oddville_env.oldtown_solo:OldTownSoloEnv",
        vector="oddville_env.oldtown_solo:OldTownSoloVectorEnv",
    )
)


def __getattr__(name: str) -> Any:
    """Import what is asked for, when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not _HOMES[name]:
        return import_module(f"{__name__}.{name}")
    module, _, called = _HOMES[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), called or name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
