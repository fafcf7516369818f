"""A record replayed: the game that it tells, compared with what it says of its end."""

from collections.abc import Callable, Mapping
from typing import Any

from oddville_env.core.errors import RecordError, SettingError
from oddville_env.core.parts.records import compare, push_all
from oddville_env.oddville.record import RECORD
from oddville_env.oddville.settings import Cards


def replayed(make_game: Callable[..., Any], game_record: Mapping[str, Any] | str, cards: Cards = None) -> Any:
    """The game of a record, made by the class for games and compared with what the record says of its end.

    Raises RecordError.
    """
    given = RECORD.read(game_record)
    settings = {
        name: given[name] for name in ("players", "table", "max_rounds", "first", "deck", "piles", "reshuffles")
    }
    try:
        game = make_game(seed=0, cards=cards, **settings)
    except SettingError as error:
        raise RecordError(f"the record has no deal that can be played: {error}") from None

    def check(number: int) -> None:
        if len(game.reshuffles) > (listed := len(given["reshuffles"])):
            raise RecordError(f"move {number}: a reshuffle follows, but the record lists {listed} only")

    push_all(game, given["moves"], check)
    compare(given, game, ("reshuffles", "scores", "ranks", "trigger", "truncated"))
    return game
