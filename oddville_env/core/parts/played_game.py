"""The base of games for people: moves, positions, agents' advice, the view in a notebook."""

import difflib
import os
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from oddville_env.core.checked import whole_number
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.errors import GameError, IllegalMoveError, named
from oddville_env.core.game.game_type import NOBODY, GameType, Outcome, game_type
from oddville_env.core.game.view import Chance, View
from oddville_env.core.parts.moves import LegalMoves, Notation, several_moves
from oddville_env.core.system.extras import find_agents, find_page, needs_extra

HEIGHT = 760  # of the frame, in pixels: the page's table without scrolling, as wide as a notebook is
ELSEWHERE = ("JUPYTERHUB_API_URL", "COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE")
"""Environment variables of notebook services on other computers, whose pages the reader's browser cannot reach."""


class NotebookView:
    """What `show` hands out: notebooks take the frame before the picture, and a terminal the text."""

    def __init__(self, title: str, picture: str, text: str, address: str | None = None, table: str = "") -> None:
        """table: HTML below the picture, in place of a frame."""
        self._title, self._picture, self._text, self._table = title, picture, text, table
        self.address = address
        """Where the page shows the game, None where there is no page."""

    def _repr_html_(self) -> str | None:
        if self._table:
            source = f"data:image/svg+xml;base64,{b64encode(self._picture.encode()).decode()}"
            return f'<img src="{source}" alt="{escape(self._title)}" style="max-width: 100%">\n{self._table}'
        if self.address is None:
            return None
        where, title = escape(self.address), escape(self._title)
        return f'<iframe src="{where}" title="{title}" width="100%" height="{HEIGHT}" style="border: 0"></iframe>'

    def _repr_svg_(self) -> str:
        return self._picture

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """All forms at once; the front end chooses."""
        forms = {"text/html": self._repr_html_(), "image/svg+xml": self._picture, "text/plain": self._text}
        return {kind: form for kind, form in forms.items() if form is not None}

    def __repr__(self) -> str:
        return self._text


def address_of(game: Any, view: int | None) -> str | None:
    """Where the page shows a game as a seat sees it; None outside notebooks, without the extra `web`, for a game of
    which there is no record, and where the system has no room or no place for its page."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if hasattr(shell, "kernel") and not any(name in os.environ for name in ELSEWHERE):
        with suppress(GameError, OSError), needs_extra("the page needs", "web"):
            address: str = find_page("server").address_of(game, view)
            return address
    return None


Move = TypeVar("Move")
"""The game's own moves: values with a `word`."""


class PlayedGame(Generic[Move]):
    """A game in some state, with the moves that led there.

    box: what is fixed for it · state: [1] record of the box · mask: the legal moves, bool [A] · seed: what its chance
    came from.
    """

    game_name: ClassVar[str]
    """The name of its `GameType`."""
    notation: ClassVar[Notation]
    """How its moves are written."""
    box: Any
    seed: int
    _data: Any
    """The cards that the game was asked to be played with."""
    _given: Any
    """What was given of its deal."""

    def _begin(self, state: np.ndarray) -> None:
        """A game without moves, in a state of its own."""
        self.state = state
        self.mask = np.zeros(self.box.layout.size, np.bool_)
        self._history: list[Any] = []
        self._moves: list[int] = []

    def _begin_dealt(self, state: np.ndarray, data: Any, given: Any, moves: object) -> None:
        """Lay the table for a shuffled state and play the moves that the game is to begin with."""
        self._begin(state)
        self._data, self._given = data, given
        self._lay_table()
        for move in several_moves(moves):
            self.push(move)

    @classmethod
    def _of(cls, box: Any, state: np.ndarray) -> Self:
        """A game in a copy of a state; nothing was given of its deal."""
        game = object.__new__(cls)
        game.box, game.seed = box, 0
        game._begin(copied(state))
        return game

    @classmethod
    def from_deal(cls, box: Any, dealt: np.ndarray, actions: Iterable[int]) -> Self:
        """The game that began in a dealt state ([1] record of the box) and went on with these ids."""
        game = cls._of(box, dealt)
        game._lay_table()
        for action in actions:
            game.push(action)
        game._fix_deal()
        return game

    @classmethod
    def from_state(cls, box: Any, state: np.ndarray) -> Self:
        """A game that begins in the middle, in a state ([1] record of the box), with no moves to tell or take back."""
        game = cls._of(box, state)
        game.game_type.entries.legal(box.record, game.state, 0, game.mask)
        return game

    def _lay_table(self) -> None:
        """Lay the table for a shuffled state."""
        self.game_type.entries.lay_table(self.box.record, self.state, 0, self.mask)

    def _fix_deal(self) -> None:
        """Name all that was dealt so far as given: the repr then builds the game anew without its seed."""

    @property
    def game_type(self) -> GameType:
        """The game as agents and environments take it."""
        return game_type(self.game_name)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.box.players)

    @property
    def phase(self) -> Any:
        """The phase, one of the law's."""
        raise NotImplementedError

    @property
    def to_move(self) -> int | None:
        """The seat that speaks now; None when the game is over."""
        seat = int(self.state["to_move"][0])
        return None if seat == NOBODY else seat

    @property
    def is_over(self) -> bool:
        """No move is left."""
        return self.to_move is None

    @property
    def legal_moves(self) -> LegalMoves[Move]:
        """The legal moves of the position as it stands when they are asked for."""
        return LegalMoves(self.mask, self._move, self.action)

    @property
    def moves(self) -> list[Move]:
        """All moves so far."""
        return [self._move(action) for action in self._moves]

    def _move(self, action: int) -> Move:
        move: Move = self.notation.move_of(self.box.layout, action)
        return move

    def action(self, move: str | Move | int) -> int | None:
        """The id of a word or a Move, None where this game has none; raises NotationError."""
        return self.notation.action_of(self.box.layout, move)

    def push(self, move: str | Move | int) -> None:
        """Play a move: its word, a Move or its id. Raises NotationError, IllegalMoveError, and then changes nothing."""
        action = self.action(move)
        if action is None or not self.mask[action]:
            raise IllegalMoveError(self._why_not(move))
        self._history.append(self._snapshot())
        self._moves.append(action)
        self._step(action)

    def _step(self, action: int) -> None:
        self.game_type.entries.step(self.box.record, self.state, 0, action, self.mask)

    def pop(self) -> Move:
        """Take the last move back and return it; raises IllegalMoveError where there is none."""
        if not self._history:
            raise IllegalMoveError("there is no move to undo")
        self._restore(self._history.pop())
        return self._move(self._moves.pop())

    def take_back(self, number: int) -> None:
        """Take moves back until so many are left."""
        while len(self._moves) > number:
            self.pop()

    def _snapshot(self) -> tuple[Any, ...]:
        """What `_restore` puts back."""
        return copied(self.state), self.mask.copy()

    def _restore(self, snapshot: tuple[Any, ...]) -> None:
        self.state.view(np.uint8)[:] = snapshot[0].view(np.uint8)
        self.mask[:] = snapshot[1]

    def _why_not(self, move: str | Move | int) -> str:
        name = named(move if isinstance(move, int) else str(move))
        if self.is_over:
            return f"the game is over, {name} cannot be played"
        legal = self.legal_moves.words()
        near = difflib.get_close_matches(name, legal, n=5, cutoff=0.0)
        phase = f"phase {self.phase.word}, seat {self.to_move} to move"
        return f"{name} is not legal now ({phase}); the nearest of {len(legal)} legal moves: {', '.join(near)}"

    @property
    def scores(self) -> tuple[int, ...]:
        """Every seat's score as if the game ended now."""
        scores: tuple[int, ...] = self.game_type.loops.standing(self.box, self.state)[0]
        return scores

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game: scores, ranks and cause; None while it is not over."""
        return self.game_type.outcome(self.box, self.state, 0)

    def position(self, view: int | None = None) -> dict[str, Any]:
        """Returns the position in the law's format, as a seat sees it; with no view, all of it. Raises SettingError."""
        seat = None if view is None else whole_number("view", view, 0, self.players - 1)
        return self.game_type.position(self.box, self.state, 0, seat)

    def observe(self, seat: int, encoding: str | None = None) -> Mapping[str, np.ndarray]:
        """Returns the observation of a seat by pieces, name -> array, in the default encoding or a named one.

        Raises SettingError.
        """
        encoder = self.game_type.encoder(self.box, encoding)
        seat = whole_number("seat", seat, 0, self.players - 1)
        views: Mapping[str, np.ndarray] = encoder.views(encoder.observation(self.box.record, self.state, 0, seat))
        return views

    def view(self, chance: Chance = np.random.default_rng) -> View:
        """Returns the `View` of the seat to move, as agents get it. Raises IllegalMoveError at the end."""
        return View(self.game_type, self.box, self.state, 0, self.mask, chance)

    def ask(self, agent: Any, seed: int = 0) -> Move:
        """Returns the move of an agent here; needs the agents' package.

        Args:
            agent: A spec of an agent, or an Agent.
            seed: The seed of the agent's own chance.

        Raises:
            AgentError: For a wrong agent.
            IllegalMoveError: When the game is over.
        """
        return self._move(find_agents().ask(agent, self.view(), seed))

    def opinion(self, agent: Any, seed: int = 0) -> Any:
        """Returns an agent's `Analysis`: candidate moves with every seat's win probability. Raises AgentError."""
        return find_agents().analyse(self, agent, seed)

    def show(self, view: int | None = None, compare: Sequence[Any] | None = None) -> NotebookView:
        """Returns the game for a notebook, as a seat sees it; with no view, all of it.

        A frame shows the page, with all moves so far and agents' advice; moves played there do not change this game.
        Without the extra `web`, or in a notebook of another computer, it is a picture.

        Args:
            view: The seat; None for all.
            compare: Agents, whose candidate moves stand in a table below a picture in place of the page.

        Raises:
            SettingError: For a wrong argument.
            AgentError: For a wrong agent.
        """
        title, picture, text = self.game_type.title, self.svg(view), self.text(view)
        if compare is not None:
            found = find_agents("judge").compare(self, compare, view)
            return NotebookView(title, picture, f"{text}\n\n{found.text}", table=found.html)
        seat = None if view is None else int(view)  # numpy's whole numbers are saved nowhere
        return NotebookView(title, picture, text, address_of(self, seat))

    def copy(self) -> Self:
        """An independent game in the same state, with its history."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.state, other.mask = copied(self.state), self.mask.copy()
        other._history, other._moves = self._history.copy(), self._moves.copy()
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.box == other.box and self.state.tobytes() == other.state.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def _written(self, given: Mapping[str, object]) -> str:
        """The expression that builds the game anew: players, seed, given orders and moves."""
        moves = [str(move) for move in self.moves] or None
        settings = {"players": self.players, "seed": self.seed, **given, "moves": moves}
        written = [f"{name}={value!r}" for name, value in settings.items() if value is not None]
        return f"{type(self).__name__}({', '.join(written)})"

    def text(self, view: int | None = None) -> str:
        """Returns the position in plain text, as a seat sees it; with no view, all of it. Raises SettingError."""
        return self.game_type.draw_text(self.position(view), self.box)

    def svg(self, view: int | None = None) -> str:
        """Returns the table as an SVG picture, as a seat sees it; with no view, all of it. Raises SettingError."""
        return self.game_type.draw(self.position(view), self.box)

    def __str__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg()


def replayed(game: PlayedGame[Any]) -> Iterator[str]:
    """Take a game back to its deal and replay it; yields the word of each move before it is played."""
    words = [move.word for move in game.moves]
    game.take_back(0)
    for word in words:
        yield word
        game.push(word)
