"""A record replayed: the game that it tells, compared with what it says of its end."""

from collections.abc import Callable, Mapping
from typing import Any

from oddville_env.core.errors import RecordError, SettingError, shown
from oddville_env.oddville import record
from oddville_env.oddville.settings import Cards


def replayed(make_game: Callable[..., Any], game_record: Mapping[str, Any] | str, cards: Cards = None) -> Any:
    """The game of a record, made by the class for games and compared with what the record says of its end.

    Raises RecordError.
    """
    given = record.parse_line(game_record) if isinstance(game_record, str) else record.check(game_record)
    settings = {
        name: given[name] for name in ("players", "table", "max_rounds", "first", "deck", "piles", "reshuffles")
    }
    try:
        game = make_game(seed=0, cards=cards, **settings)
    except SettingError as error:
        raise RecordError(f"the record has no deal that can be played: {error}") from None
    for number, word in enumerate(given["moves"], 1):
        try:
            game.push(word)
        except ValueError as error:
            raise RecordError(f"move {number}: {error}") from None
        if len(game.reshuffles) > len(given["reshuffles"]):
            listed = len(given["reshuffles"])
            raise RecordError(f"move {number}: a reshuffle follows, but the record lists {listed} only")
    _compare(given, game)
    return game


def _compare(given: Mapping[str, Any], game: Any) -> None:
    """Scores, ranks, trigger, the cut and the reshuffles are as the game has them."""
    played = game.record()
    if not game.is_over and given["scores"] is not None:
        raise RecordError(
            f"the game is not over after move {len(given['moves'])}, the record's last: it may have been cut off"
        )
    for name in ("reshuffles", "scores", "ranks", "trigger", "truncated"):
        if given[name] != played[name]:
            raise RecordError(f"{name}: the record says {shown(given[name])}, the game has {shown(played[name])}")
