"""The moves of a game in words, as everybody may read them."""

from typing import Any

from oddville_env.core.game.scene import Scene
from oddville_env.web.sessions.viewers import PUBLIC, position_for

Entry = dict[str, Any]


def entry_of(scene: Scene | None, number: int, position: dict[str, Any], seat: int, word: str, game: Any) -> Entry:
    """What the list says of a move. position: what all saw before it; game: as it was after it."""
    text = scene.move(word, position)["text"] if scene else word
    return {"move": number, "seat": seat, "word": word, "text": text, "scores": list(map(int, game.scores))}


def entries_of(scene: Scene | None, played: Any, private: bool) -> list[Entry]:
    """The list of a game from its beginning."""
    words, game = [move.word for move in played.moves], played.copy()
    for _ in words:
        game.pop()
    entries = []
    for number, word in enumerate(words, 1):
        position, seat = position_for(game, PUBLIC, private), game.to_move
        game.push(word)
        entries.append(entry_of(scene, number, position, seat, word, game))
    return entries
