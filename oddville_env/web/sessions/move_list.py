"""The moves of a game in words and with what they brought, as everybody may read them."""

from collections.abc import Mapping
from typing import Any

from oddville_env.core.game.scene import Scene
from oddville_env.web.sessions.viewers import PUBLIC, position_for

Entry = dict[str, Any]
LISTED = ("coin", "card", "character", "token", "building")


def entry_of(
    scene: Scene | None, number: int, word: str, before: Mapping[str, Any], after: Mapping[str, Any], game: Any
) -> Entry:
    """The list's entry of a move. before, after: positions as all saw them; game: as it was after the move."""
    text, events = word, []
    if scene:
        text, happened = scene.move(word, before)["text"], scene.events(before, after, word)
        events = [
            {name: value for name, value in each.items() if name != "drawing"} for each in happened if _is_listed(each)
        ]
    seat, scores = before["to_move"], list(map(int, game.scores))
    return {"move": number, "seat": seat, "word": word, "text": text, "scores": scores, "events": events}


def _is_listed(event: Mapping[str, Any]) -> bool:
    """Is it worth telling? Not that cards move up in the row or among held ones."""
    places = [event["from"].split(":")[0], event["to"].split(":")[0]]
    return event["event"] in LISTED and places[1] != "row" and places != ["held", "held"]


def entries_of(scene: Scene | None, played: Any, private: bool) -> list[Entry]:
    """The list of a game from its beginning."""
    words, game = [move.word for move in played.moves], played.copy()
    for _ in words:
        game.pop()
    entries, before = [], position_for(game, PUBLIC, private)
    for number, word in enumerate(words, 1):
        game.push(word)
        after = position_for(game, PUBLIC, private)
        entries.append(entry_of(scene, number, word, before, after, game))
        before = after
    return entries
