"""OddVille as a reinforcement-learning environment.

`oddville_v0` is the PettingZoo AEC environment, `OddVille-v0` the Gymnasium one for a single learning seat, and `Game`
the same rules for people. Importing this package compiles nothing: what is slow to import comes when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oddville_env.envs import registration as _registration

if TYPE_CHECKING:
    from oddville_env import oddville_v0
    from oddville_env.core.errors import IllegalMoveError, NotationError, OddVilleError, RecordError, SettingError
    from oddville_env.core.game_type import Outcome
    from oddville_env.oddville.cards import CardError, CardSet, base_cards, load_cards
    from oddville_env.oddville.game import Game
    from oddville_env.oddville.moves import Move

__version__ = "0.1.0"

_HOMES = {
    **dict.fromkeys(("CardError", "CardSet", "base_cards", "load_cards"), "oddville.cards"),
    **dict.fromkeys(
        ("IllegalMoveError", "NotationError", "OddVilleError", "RecordError", "SettingError"), "core.errors"
    ),
    "Game": "oddville.game",
    "Move": "oddville.moves",
    "Outcome": "core.game_type",
    "oddville_v0": "",
}

__all__ = [
    "CardError",
    "CardSet",
    "Game",
    "IllegalMoveError",
    "Move",
    "NotationError",
    "OddVilleError",
    "Outcome",
    "RecordError",
    "SettingError",
    "base_cards",
    "load_cards",
    "oddville_v0",
]

_registration.register()


def __getattr__(name: str) -> Any:
    """Import what is asked for, when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not _HOMES[name]:
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
