"""Views: what the seat to move may see of a game, and a sampled game to search in.

An agent gets a view and answers with a move. A view holds copies: of the mask and the box, and of the state with
everything hidden in a fixed order. Its game to search in has hidden things resampled. This prevents mistakes, not
cheating: code in the same process can read its memory. Tournaments run untrusted agents in a sandbox.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.errors import IllegalMoveError
from oddville_env.core.game.game_type import NOBODY, GameType

Chance = Callable[[], np.random.Generator]
"""A function that makes an agent's own generator on first use."""


class View:
    """One game as the seat to move may see it. Raises IllegalMoveError when the game is over.

    game_type: the game. seat: the seat to move. mask: the legal moves, bool [A].
    """

    def __init__(
        self,
        game_type: GameType,
        box: Any,
        games: np.ndarray,
        index: int,
        mask: np.ndarray,
        chance: Chance = np.random.default_rng,
    ) -> None:
        self.game_type, self._box = game_type, box
        self.seat = int(games[index].to_move)
        if self.seat == NOBODY:
            raise IllegalMoveError("the game is over: no seat is to move")
        self.mask = mask.copy()
        self.chance = chance
        self._games, self._index = games, index

    @cached_property
    def box(self) -> Any:
        """The box of the game: a copy, not the referee's own."""
        return self._box.for_agents()

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self._box.players)

    @cached_property
    def rng(self) -> np.random.Generator:
        """The agent's own generator, the same all through the game."""
        return self.chance()

    @cached_property
    def state(self) -> np.ndarray:
        """The state [1] with everything hidden in a fixed order: states that look alike to the seat are equal."""
        state = copied(self._games[self._index : self._index + 1])
        self.game_type.entries.canonicalize_hidden(self._box.record, state, 0, self.seat)
        return state

    def observation(self, encoding: str | None = None) -> np.ndarray:
        """Returns the observation of the seat, [N], in the default encoding or a named one. Raises SettingError."""
        encoder = self.game_type.encoder(self._box, encoding)
        observation: np.ndarray = encoder.observation(self._box.record, self.state, 0, self.seat)
        return observation

    def afterstates(self, encoding: str | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Returns the ids of the legal moves, int64 [L], and what the seat sees after each of them, [L, N].

        Hidden things are resampled before the moves, equally for states that look alike to the seat. So a card that a
        move reveals is a possible one, and leaks nothing. Raises SettingError for an unknown encoding.
        """
        encoder = self.game_type.encoder(self._box, encoding)
        _, ids, observations = _afterstates(self._box, encoder, self.state, self.mask[None])
        return ids, observations

    def position(self) -> dict[str, Any]:
        """Returns the position as the seat sees it, in the format of the game's law."""
        return self.game_type.position(self._box, self.state, 0, self.seat)

    def text(self) -> str:
        """Returns the position in plain text, as the seat sees it."""
        return self.game_type.draw_text(self.position(), self._box)

    def game(self) -> Any:
        """Returns a game to search in, in which everything hidden has been resampled, with all chance to come."""
        return self.game_type.game.from_state(self.box, self.state).sample_unseen(self.seat, self.rng)

    def batch(self) -> "BatchView":
        """Returns the view of a batch that has this game alone."""
        game = self._games[self._index : self._index + 1]
        return BatchView(self.game_type, self._box, game, np.zeros(1, np.int64), self.mask[None])

    @property
    def actions(self) -> np.ndarray:
        """The ids of the legal moves, int64, ascending."""
        return np.flatnonzero(self.mask)

    def word(self, action: int) -> str:
        """The word of an id."""
        return self.game_type.words(self._box.layout)[action]


class BatchView:
    """Some of many games, as their seats to move may see them.

    tables: which of the games, int64 [T]. masks: the legal moves of all games, bool [B, A], right at the tables; an
    array of the agents', while moves are checked against `legal`, of the same shape. seats: the seat to move in each
    of the T games, int8.
    """

    def __init__(
        self,
        game_type: GameType,
        box: Any,
        games: np.ndarray,
        tables: np.ndarray,
        masks: np.ndarray,
        legal: np.ndarray | None = None,
    ) -> None:
        self.game_type, self._box = game_type, box
        self.tables = tables
        self._games, self._masks, self._legal = games, masks, masks if legal is None else legal

    @cached_property
    def box(self) -> Any:
        """The box of the games: a copy, not the referee's own."""
        return self._box.for_agents()

    @cached_property
    def masks(self) -> np.ndarray:
        """The legal moves, bool [B, A]: at the view's tables as they are now, without what other agents wrote there."""
        if self._legal is not self._masks:
            self._masks[self.tables] = self._legal[self.tables]
        return self._masks

    @property
    def legal(self) -> np.ndarray:
        """The legal moves at the view's tables, bool [T, A]: a copy, to check answers against."""
        legal: np.ndarray = self._legal[self.tables]
        return legal

    @cached_property
    def states(self) -> np.ndarray:
        """The states [T], each with all that its seat to move cannot know in a fixed order."""
        states = np.empty(len(self.tables), self._games.dtype)
        self.game_type.entries.canonical_copies(self._box.record, self._games, self.tables, states)
        return states

    @cached_property
    def seats(self) -> np.ndarray:
        """The seat to move in each of the games: int8 [T]."""
        seats: np.ndarray = self.states["to_move"]
        return seats

    def observations(self, encoding: str | None = None) -> np.ndarray:
        """Returns the seats' observations, [T, N], in the default encoding or a named one. Raises SettingError."""
        encoder = self.game_type.encoder(self._box, encoding)
        out = np.empty((len(self.tables), encoder.size), encoder.dtype)
        memory = np.zeros(len(out), encoder.loops.memory)
        encoder.loops.observe(self._box.record, self.states, self.seats, memory, out, 0, len(out))
        return out.reshape(len(out), *encoder.shape)

    def afterstates(self, encoding: str | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each game what `View.afterstates` gives, one after the other: starts int64 [T + 1], ids and observations.

        Raises SettingError.
        """
        encoder = self.game_type.encoder(self._box, encoding)
        return _afterstates(self._box, encoder, self.states, self.legal)

    def at(self, tables: np.ndarray) -> "BatchView":
        """The view of some of its games: tables int64 [T]."""
        return BatchView(self.game_type, self._box, self._games, tables, self._masks, self._legal)

    def one(self, index: int, chance: Chance = np.random.default_rng) -> View:
        """The view of number `index` of these games alone."""
        table = int(self.tables[index])
        return View(self.game_type, self._box, self._games, table, self._legal[table], chance)


def _afterstates(
    box: Any, encoder: Any, states: np.ndarray, legal: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The indices where each state's moves begin, int64 [T + 1], their ids and observations; legal bool [T, A]."""
    starts = np.concatenate([[0], np.cumsum(legal.sum(axis=1))])
    ids = np.empty(starts[-1], np.int64)
    observations = np.empty((len(ids), encoder.size), encoder.dtype)
    scratch, memory = np.empty(2, states.dtype), np.zeros(2, encoder.loops.memory)
    mask = np.empty(legal.shape[1], np.bool_)
    encoder.loops.afterstates(box.record, states, legal, starts, scratch, memory, mask, ids, observations)
    return starts, ids, observations.reshape(len(ids), *encoder.shape)
