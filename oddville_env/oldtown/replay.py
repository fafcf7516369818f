"""A record replayed: the game that it tells, compared with what it says of its end."""

from collections.abc import Callable, Mapping
from typing import Any

from oddville_env.core.errors import RecordError, SettingError
from oddville_env.core.parts.records import compare, push_all
from oddville_env.oldtown.record import RECORD
from oddville_env.oldtown.settings import Cards


def replayed(make_game: Callable[..., Any], game_record: Mapping[str, Any] | str, deck: Cards = None) -> Any:
    """The game of a record, made by the class for games and compared with what the record says of its end.

    Raises RecordError.
    """
    given = RECORD.read(game_record)
    settings = {name: given[name] for name in ("players", "first", "lone_confirm", "hands", "common", "own")}
    try:
        game = make_game(seed=0, deck=deck, **settings)
    except SettingError as error:
        raise RecordError(f"the record has no deal that can be played: {error}") from None
    push_all(game, given["moves"])
    compare(given, game, RECORD.results)
    return game
