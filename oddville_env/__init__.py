"""Two board games as reinforcement-learning environments: OddVille and Old Town.

`oddville_v0` and `oldtown_v0` are PettingZoo AEC environments. `OddVille-v0` and `OldTown-v0` are Gymnasium
environments of one learning seat, `OddVilleText-v0` and `OldTownText-v0` the same in text, `OldTownSolo-v0` puzzles
for one. `oddville_mini_v0` and `OddVilleMini-v0` are a small OddVille. `Game` and `OldTown` are the games for people.
Importing the package compiles nothing. Names are imported on first use.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from oddville_env.oddville import MINI

if TYPE_CHECKING:
    from oddville_env import oddville_mini_v0, oddville_v0, oldtown_v0
    from oddville_env.core.errors import GameError, IllegalMoveError, NotationError, RecordError, SettingError
    from oddville_env.core.game.game_type import GameType, Outcome
    from oddville_env.core.game.view import BatchView, View
    from oddville_env.envs.game_batch import GameBatch, Sampler
    from oddville_env.envs.sb3 import SeatVecEnv as OddVilleVecEnv
    from oddville_env.envs.sb3 import SeatVecEnv as OldTownVecEnv
    from oddville_env.envs.text import TextEnv
    from oddville_env.oddville.cards import CardError, CardSet, base_cards, load_cards
    from oddville_env.oddville.game import Game
    from oddville_env.oddville.moves import Move
    from oddville_env.oddville_v0 import OddVilleEnv, OddVilleSeatVectorEnv, OddVilleSelfPlayEnv
    from oddville_env.oldtown.cards import Deck, DeckError, base_deck, load_deck
    from oddville_env.oldtown.game import OldTown
    from oddville_env.oldtown.solo.game import OldTownSolo
    from oddville_env.oldtown_solo import OldTownSoloEnv, OldTownSoloVectorEnv
    from oddville_env.oldtown_v0 import OldTownEnv, OldTownSeatVectorEnv, OldTownSelfPlayEnv

__version__ = "1.0.0"
"""The version of the package: every other place reads it here."""

_HOMES = {
    "core.errors": "GameError IllegalMoveError NotationError RecordError SettingError",
    "core.game.game_type": "GameType Outcome",
    "core.game.view": "BatchView View",
    "envs.game_batch": "GameBatch Sampler",
    "envs.text": "TextEnv",
    "oddville.cards": "CardError CardSet base_cards load_cards",
    "oddville.game": "Game",
    "oddville.moves": "Move",
    "oddville_v0": "OddVilleEnv OddVilleSeatVectorEnv OddVilleSelfPlayEnv",
    "oldtown.cards": "Deck DeckError base_deck load_deck",
    "oldtown.game": "OldTown",
    "oldtown.solo.game": "OldTownSolo",
    "oldtown_solo": "OldTownSoloEnv OldTownSoloVectorEnv",
    "oldtown_v0": "OldTownEnv OldTownSeatVectorEnv OldTownSelfPlayEnv",
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "MINI", "BatchView", "CardError", "CardSet", "Deck", "DeckError", "Game", "GameBatch", "GameError", "GameType",
    "IllegalMoveError", "Move", "NotationError", "OddVilleEnv", "OddVilleSeatVectorEnv", "OddVilleSelfPlayEnv",
    "OddVilleVecEnv", "OldTown", "OldTownEnv", "OldTownSeatVectorEnv", "OldTownSelfPlayEnv", "OldTownSolo",
    "OldTownSoloEnv", "OldTownSoloVectorEnv", "OldTownVecEnv", "Outcome", "RecordError", "Sampler", "SettingError",
    "TextEnv", "View", "base_cards", "base_deck", "load_cards", "load_deck", "oddville_mini_v0", "oddville_v0",
    "oldtown_v0",
]  # fmt: skip

_ODDVILLE = ("oddville_v0:OddVilleEnv", "oddville_v0:OddVilleSeatVectorEnv")
_GYMNASIUM: dict[str, tuple[str, str, Mapping[str, Any]]] = {
    "OddVille-v0": (*_ODDVILLE, {}),
    "OddVilleMini-v0": (*_ODDVILLE, MINI),
    "OldTown-v0": ("oldtown_v0:OldTownEnv", "oldtown_v0:OldTownSeatVectorEnv", {}),
    "OldTownSolo-v0": ("oldtown_solo:OldTownSoloEnv", "oldtown_solo:OldTownSoloVectorEnv", {}),
}
_AEC = ("oddville_v0", "oddville_mini_v0", "oldtown_v0")
for _id, (_single, _many, _given) in _GYMNASIUM.items():
    if _id not in gymnasium.registry:
        _single, _many = f"{__name__}.{_single}", f"{__name__}.{_many}"
        gymnasium.register(id=_id, entry_point=_single, vector_entry_point=_many, kwargs=dict(_given))
for _id, _game in (("OddVilleText-v0", "oddville"), ("OldTownText-v0", "oldtown")):
    if _id not in gymnasium.registry:
        gymnasium.register(id=_id, entry_point=f"{__name__}.envs.text:TextEnv", kwargs={"game": _game})
for _id in _AEC:
    if hasattr(pettingzoo, "register") and _id not in pettingzoo.aec_registry:  # from PettingZoo 1.26 on
        pettingzoo.register("aec", _id, entry_point=f"{__name__}.{_id}:env")


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name in _AEC:
        return import_module(f"{__name__}.{name}")
    if name in ("OddVilleVecEnv", "OldTownVecEnv"):
        return import_module(f"{__name__}.envs.sb3").SeatVecEnv
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
