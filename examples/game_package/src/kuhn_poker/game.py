"""The game as an object: moves by their words, positions as a seat sees them, records."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from oddville_env.core.checked import LIST, check_seed, game_seeds, whole, whole_number
from oddville_env.core.errors import NotationError, RecordError, shown
from oddville_env.core.game.game_type import NOBODY, Outcome
from oddville_env.core.parts.played_game import PlayedGame
from oddville_env.core.parts.records import MOVES, RESULTS, RecordFormat, compare, push_all

from . import entries
from .rules import CARD_NAMES, PLAYERS, STATE, WORDS, chips_of
from .settings import Box, Settings, box_of

RECORD = RecordFormat(
    "kuhn-record",
    1,
    {"players": whole(), "cards": LIST, "moves": MOVES, **RESULTS},
)


class Move(NamedTuple):
    """A move, by its word."""

    word: str

    def __str__(self) -> str:
        return self.word


class Phase(NamedTuple):
    """The only phase."""

    word: str = "betting"


def outcome_of(box: Box, games: np.ndarray, index: int) -> Outcome | None:
    """Return how a game ended, None before the end."""
    if games[index].to_move != NOBODY:
        return None
    chips = tuple(int(chips_of(games[index], seat)) for seat in range(PLAYERS))
    return Outcome(chips, tuple(1 if won > 0 else 2 for won in chips))


def position(box: Box, games: np.ndarray, index: int, seat: int | None) -> dict[str, Any]:
    """Return the position as a seat sees it; without a seat, all of it."""
    game = games[index]
    cards = [CARD_NAMES[card] if seat in (None, at) else None for at, card in enumerate(game.card[:PLAYERS])]
    return {"cards": cards, "moves": [WORDS[move] for move in game.moves[: game.moved]], "to_move": int(game.to_move)}


class Kuhn(PlayedGame[Move]):
    """A game of Kuhn poker. Raises SettingError."""

    game_name = "kuhn"

    def __init__(self, players: int = PLAYERS, seed: int | None = None) -> None:
        self.box, self.seed = box_of(Settings(players)), check_seed(seed)
        self._begin(np.zeros(1, STATE))
        entries.shuffle(self.box.record, self.state, 0, game_seeds(self.seed)[0])
        self._lay_table()

    @property
    def phase(self) -> Phase:
        """The only phase."""
        return Phase()

    def _move(self, action: int) -> Move:
        return Move(WORDS[action])

    def action(self, move: str | Move | int) -> int | None:
        """Return the id of a word, a Move or an id. Raises NotationError."""
        if isinstance(move, int | np.integer):
            return int(move) if 0 <= move < len(WORDS) else None
        if str(move) not in WORDS:
            raise NotationError(f"a move is one of {', '.join(WORDS)}, not {shown(move)}")
        return WORDS.index(str(move))

    def sample_unseen(self, seat: int | None, rng: np.random.Generator) -> Self:
        """Return a copy in which what a seat cannot know is dealt anew. Raises SettingError."""
        other, looking = self.copy(), NOBODY if seat is None else whole_number("seat", seat, 0, PLAYERS - 1)
        entries.sample_unseen(self.box.record, other.state, 0, looking, np.uint64(rng.integers(2**63)))
        other._history = []
        return other

    def record(self) -> dict[str, Any]:
        """Return the deal, all moves and the result."""
        ended = self.outcome
        return {
            **RECORD.head,
            "players": PLAYERS,
            "cards": self.state[0].card.tolist(),
            "moves": [str(move) for move in self.moves],
            "scores": list(ended.scores) if ended else None,
            "ranks": list(ended.ranks) if ended else None,
        }

    @classmethod
    def from_record(cls, game_record: Mapping[str, Any] | str) -> Self:
        """Return the game of a record, replayed. Raises RecordError."""
        record = RECORD.read(game_record)
        if sorted(record["cards"], key=str) != [0, 1, 2]:
            raise RecordError(f"field cards: expected 0, 1 and 2 in some order, not {shown(record['cards'])}")
        state = np.zeros(1, STATE)
        state["card"] = record["cards"]
        game = cls.from_deal(box_of(Settings()), state, ())
        push_all(game, record["moves"])
        compare(record, game, ("scores", "ranks"))
        return game

    def score_sheet(self) -> list[dict[str, int]]:
        """Return the sources of every seat's points: its chips."""
        return [{"chips": chips} for chips in (self.outcome.scores if self.outcome else (0,) * PLAYERS)]

    def __repr__(self) -> str:
        return self._written({})
