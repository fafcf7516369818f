"""A game under way with its list of moves and its undo. The page and the terminal share it; no input or output."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from oddville_env.core.errors import GameError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.scene import Scene
from oddville_env.web.sessions.access import PUBLIC, is_private, position_for

LISTED = ("coin", "card", "character", "token", "building")  # events that the list of moves tells
SAMPLES = 5  # deals that must agree with what happened, for a move that revealed nothing


class SessionGame:
    """A game, at any move, and the list of its moves; data: the settings that its record does not hold."""

    def __init__(self, game_type: GameType, game: Any, data: Mapping[str, Any]) -> None:
        self.game_type, self.game, self.data = game_type, game, dict(data)
        record = game.record()
        self.game_settings = {option.name: record[option.name] for option in game_type.options if not option.data}
        self.settings = game_type.settings(game.players, **self.game_settings, **self.data)
        self.scene: Scene | None = game_type.scene() if game_type.scene else None
        self.private = is_private(game)
        self.entries: list[dict[str, Any]] = []
        self._revealing: dict[int, bool] = {}
        replayed = game.copy()
        replayed.take_back(0)
        for move in game.moves:
            self._play(replayed, move.word)

    @property
    def moves(self) -> int:
        """The number of moves played."""
        return len(self.entries)

    def at(self, move: int) -> Any:
        """A copy of the game as it was after `move` moves."""
        game = self.game.copy()
        game.take_back(move)
        return game

    def push(self, move: str | int) -> None:
        """Play a move, given as a word or an id; raises GameError where it is not legal, and nothing changes."""
        self._play(self.game, move)

    def _play(self, game: Any, move: str | int) -> None:
        before = position_for(game, PUBLIC, self.private)
        game.push(move)
        word = move if isinstance(move, str) else self.game_type.words(game.box.layout)[move]
        self.entries.append(self._entry(word, before, game))

    def _entry(self, word: str, before: Mapping[str, Any], game: Any) -> dict[str, Any]:
        """A line of the list of moves, as every seat may read it."""
        text, events = word, []
        if self.scene:
            happened = self.scene.events(before, position_for(game, PUBLIC, self.private), word)
            text = self.scene.move(word, before)["text"]
            listed = filter(_is_listed, happened)
            events = [{name: event[name] for name in event if name != "drawing"} for event in listed]
        seat, scores = before["to_move"], list(map(int, game.scores))
        return {"move": self.moves + 1, "seat": seat, "word": word, "text": text, "scores": scores, "events": events}

    def reveals(self, move: int) -> bool:
        """Whether the move after `move` moves told a seat something that it could not foresee [K]."""
        if move not in self._revealing:
            seats = self.game.players if self.private else 1
            self._revealing[move] = reveals(self.at(move), self.entries[move]["word"], self.at(move + 1), seats)
        return self._revealing[move]

    def take_back(self, move: int, deal_anew: bool) -> bool:
        """Go back to the position after `move` moves; deal_anew: what the seat to move cannot know there [K3].

        Returns whether it was dealt anew, where that was asked for; a rare position allows no other deal.
        """
        game, dealt = self.at(move), deal_anew
        if deal_anew:
            try:
                game = dealt_anew(game, game.to_move, **self.data)
            except GameError:
                dealt = False
        self.game = game
        del self.entries[move:]
        self._revealing = {number: told for number, told in self._revealing.items() if number < move}
        return dealt


def _is_listed(event: Mapping[str, Any]) -> bool:
    """Whether the list of moves tells an event: not that cards move up in a row or among held ones."""
    areas = [event["from"].split(":")[0], event["to"].split(":")[0]]
    return event["event"] in LISTED and areas[1] != "row" and areas != ["held", "held"]


def reveals(before: Any, word: str, after: Any, seats: int) -> bool:
    """Whether a seat knows more after a move than it could foresee from the word [K].

    The unknown things of each seat are dealt anew SAMPLES times; the move reveals something where the results differ.
    seats: the number of seats to ask; 1 where all seats know the same.
    """
    rng = np.random.default_rng()
    for seat in range(seats):
        seen = after.position(view=seat)
        for _ in range(SAMPLES):
            trial = before.sample_unseen(seat, rng)
            try:
                trial.push(word)
            except GameError:
                return True
            if trial.position(view=seat) != seen:
                return True
    return False


def dealt_anew(game: Any, seat: int, **data: Any) -> Any:
    """[K3] A game with the same history, whose moves can be taken back, with another deal of all that a seat cannot
    know: for taking back a move that has revealed something.

    data: what its record does not hold. Raises GameError for a game that cannot be dealt anew.
    """
    sample = game.sample_unseen(seat, np.random.default_rng())
    return type(game).from_record(sample.record(), **data)
