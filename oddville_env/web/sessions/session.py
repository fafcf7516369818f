"""A game on the server: the game itself, who sits where, and what may be done in it. It does no input and output."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from oddville_env.core.errors import OddVilleError
from oddville_env.core.game_type import GameType
from oddville_env.core.scene import Scene
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.eyes import ALL, PUBLIC, is_private, position_for
from oddville_env.web.sessions.keys import Keys, Pass

HUMAN = "human"
PACE = 0.7  # seconds between two moves of agents


@dataclass
class Chair:
    """A seat's place: a person (agent None) or an agent sits there; nobody in a replay."""

    agent: str | None = None
    person: str | None = None
    failure: str = ""
    left: bool = False
    since: float = field(default_factory=monotonic)

    @property
    def is_human(self) -> bool:
        """A person's."""
        return self.agent is None


def told_settings(game_type: GameType, game: Any) -> dict[str, Any]:
    """The settings of a game that its record holds, beside the number of players."""
    record = game.record()
    return {option.name: record[option.name] for option in game_type.options if not option.data}


class Session:
    """A game being played, or a replay, which has no chairs. data: the settings that its record does not hold."""

    def __init__(
        self, ident: str, game_type: GameType, game: Any, chairs: Sequence[Chair], keys: Keys, data: Mapping[str, Any]
    ) -> None:
        self.id, self.game_type, self.game, self.keys = ident, game_type, game, keys
        self.told_settings = told_settings(game_type, game)
        self.settings = game_type.settings(game.players, **self.told_settings, **data)
        self.scene: Scene | None = game_type.scene() if game_type.scene else None
        self.chairs = list(chairs)
        self.is_replay = not chairs
        self.paused, self.pace = False, PACE
        self.seed = 0
        self.private = is_private(game)
        self.generation = 0
        self.entries: list[dict[str, Any]] = []
        self._retell()

    def _retell(self) -> None:
        """The list of moves from the game's beginning."""
        words = [move.word for move in self.game.moves]
        game = self.game.copy()
        for _ in words:
            game.pop()
        for word in words:
            position = position_for(game, PUBLIC, self.private)
            seat = game.to_move
            game.push(word)
            self._note(game, position, seat, word)

    def _note(self, game: Any, position: dict[str, Any], seat: int, word: str) -> None:
        text = self.scene.move(word, position)["text"] if self.scene else word
        number = len(self.entries) + 1
        self.entries.append(
            {"move": number, "seat": seat, "word": word, "text": text, "scores": list(map(int, game.scores))}
        )

    @property
    def moves(self) -> int:
        """How many moves were played."""
        return len(self.entries)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.game.players)

    @property
    def people(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.is_human]

    def at(self, move: int) -> Any:
        """The game as it was after so many moves; raises RefusalError."""
        if not 0 <= move <= self.moves:
            raise RefusalError("no_such_move", f"the game has {self.moves} moves, there is no move {move}")
        game = self.game.copy()
        for _ in range(self.moves - move):
            game.pop()
        return game

    def seats_of(self, entry: Pass) -> list[int]:
        """The seats that a key may play now."""
        if entry.role == "host":
            return self.people
        return [seat for seat in self.people if seat == entry.seat]

    def eyes_of(self, entry: Pass) -> int:
        """Whose eyes a key looks with: a seat's, PUBLIC, or ALL where no person plays."""
        mine = self.seats_of(entry)
        if not self.people:
            return ALL
        if not mine:
            return PUBLIC
        return self.game.to_move if self.game.to_move in mine else mine[0]

    def plays_alone(self, entry: Pass) -> bool:
        """Nobody but this key plays: it may take back, and ask what agents think."""
        return len(self.seats_of(entry)) == len(self.people)

    def play(self, entry: Pass, word: str, at: int) -> None:
        """Play a move of a person; raises RefusalError."""
        if at != self.moves:
            raise RefusalError("stale", f"the game has gone on: {self.moves} moves were played, not {at}")
        if self.game.to_move is None or self.game.to_move not in self.seats_of(entry):
            raise RefusalError("not_your_turn", "it is not your turn")
        self.push(word)

    def push(self, move: str | int) -> None:
        """Play a move of whoever is to move; raises RefusalError, and then changes nothing."""
        seat, position = self.game.to_move, position_for(self.game, PUBLIC, self.private)
        try:
            self.game.push(move)
        except OddVilleError as error:
            raise RefusalError("illegal", str(error)) from None
        word = move if isinstance(move, str) else self.game_type.words(self.game.box.layout)[move]
        self._note(self.game, position, seat, word)
        self._go_on()

    def may_undo(self, entry: Pass) -> bool:
        """There is an own decision to go back to, and nobody else's game is disturbed."""
        return self._last_decision(entry) is not None

    def _last_decision(self, entry: Pass) -> int | None:
        mine = self.seats_of(entry)
        if not mine or not self.plays_alone(entry):
            return None
        own = [number for number, entry in enumerate(self.entries) if entry["seat"] in mine]
        return own[-1] if own else None

    def undo(self, entry: Pass) -> None:
        """Take back to the last own decision; raises RefusalError."""
        number = self._last_decision(entry)
        if number is None:
            raise RefusalError("not_allowed", "there is no move of yours to take back, or others play too")
        for _ in range(self.moves - number):
            self.game.pop()
        del self.entries[number:]
        self._go_on()

    def seat(self, entry: Pass, seat: int, agent: str | None) -> None:
        """An agent takes a seat, or gives it back to a person; raises RefusalError."""
        if not (entry.role == "host" or (entry.role == "seat" and entry.seat == seat)) or self.is_replay:
            raise RefusalError("not_allowed", "only the host, or who sits there, may say who plays a seat")
        if seat >= self.players:
            raise RefusalError("not_allowed", f"there is no seat {seat}")
        self.chairs[seat] = Chair(agent, self.chairs[seat].person)
        self._go_on()

    def leave(self, entry: Pass) -> None:
        """A person stands up."""
        for seat in self.seats_of(entry):
            self.chairs[seat].left = True

    def fail(self, seat: int, sentence: str) -> None:
        """The agent of a seat can play no more."""
        self.chairs[seat].failure = sentence
        self.chairs[seat].since = monotonic()

    def _go_on(self) -> None:
        """Whatever was being thought about the last position is of no use any more."""
        self.generation += 1
        if self.game.to_move is not None and self.chairs:
            self.chairs[self.game.to_move].since = monotonic()

    @property
    def next_agent(self) -> int | None:
        """The seat of the agent that is to move, if it can."""
        seat = self.game.to_move
        if seat is None or not self.chairs or self.chairs[seat].is_human or self.chairs[seat].failure:
            return None
        return int(seat)
