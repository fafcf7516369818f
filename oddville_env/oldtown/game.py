"""A game for people: moves by their words, taking back, the position as a seat sees it, the record."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from oddville_env.core.errors import IllegalMoveError, RecordError, SettingError
from oddville_env.oldtown import invariants, position, record
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.deal import check_deal, dealt, shuffled
from oddville_env.oldtown.legal_moves import LegalMoves
from oddville_env.oldtown.moves import Move, action_of, move_of, words
from oddville_env.oldtown.outcome import Outcome, outcome_of, scores_of
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import Phase
from oddville_env.oldtown.settings import Cards, check_seed, game_seeds, make_box, whole_number

NEAREST = 5  # legal moves that an error names


class OldTown:
    """A game of Old Town.

    What is random may be given, so that a game played on a real table can be entered: `first` (a seat), `hands` (four
    cards for each seat), `common` and `own` (stacks, top first; own ones with two players). What is not given comes
    from the seed. `deck` is a deck or its file.

    Raises SettingError for a setting that no game can have, DeckError for a broken deck, and what `push` raises for one
    of the `moves`.
    """

    def __init__(
        self,
        players: int = 3,
        seed: int | None = None,
        *,
        first: int | None = None,
        hands: Sequence[Sequence[int]] | None = None,
        common: Sequence[int] | None = None,
        own: Sequence[Sequence[int]] | None = None,
        lone_confirm: bool = False,
        deck: Cards = None,
        moves: Iterable[str | Move] = (),
    ) -> None:
        self.box, self._deck = make_box(players, lone_confirm, deck), deck
        self.seed = check_seed(seed)
        self._given = check_deal(self.box, hands, common, own, first)
        self._begin(shuffled(self.box, game_seeds(self.seed)[0], self._given))
        batch.lay_table(self.box.record, self.state, 0, self.mask)
        for move in moves:
            self.push(move)

    def _begin(self, state: np.ndarray) -> None:
        """A game without moves, in a state of its own."""
        self.state = state
        self.mask = np.zeros(self.box.layout.size, np.bool_)
        self._history: list[tuple[np.ndarray, np.ndarray]] = []
        self._moves: list[int] = []

    @classmethod
    def from_record(cls, game_record: Mapping[str, Any] | str, deck: Cards = None) -> "OldTown":
        """The game that a record (or its line of JSON) tells, replayed; raises RecordError naming what differs."""
        return record_game(game_record, deck)

    @classmethod
    def from_state(cls, box: Box, state: np.ndarray) -> "OldTown":
        """A game that begins in the middle, in a state ([1] record of the box), with no moves to tell or take back."""
        game = object.__new__(cls)
        game.box, game._deck, game.seed, game._given = box, box.deck, 0, check_deal(box, None, None, None, None)
        game._begin(state.copy())
        game.state[0].from_deal = False
        batch.legal(box.record, game.state, 0, game.mask)
        return game

    @classmethod
    def from_position(cls, told: Mapping[str, Any], deck: Cards = None) -> "OldTown":
        """A game that begins in a full position (`view` null); raises SettingError for what a seat sees."""
        if told.get("view") is not None:
            raise SettingError("a game can only begin in a full position, whose view is null")
        box = make_box(told["players"], told["lone_confirm"], deck)
        return cls.from_state(box, position.state_of(box, told))

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.box.players

    @property
    def phase(self) -> Phase:
        """[T5] What may be said now."""
        return Phase(self.state[0].phase)

    @property
    def to_move(self) -> int | None:
        """The seat that speaks now; None when the game is over."""
        seat = int(self.state[0].to_move)
        return None if seat == NOBODY else seat

    @property
    def is_over(self) -> bool:
        """No move is left."""
        return self.phase == Phase.OVER

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the position as it stands when they are asked for."""
        return LegalMoves(self.box.layout, self.mask)

    @property
    def moves(self) -> list[Move]:
        """All moves so far."""
        return [move_of(self.box.layout, action) for action in self._moves]

    def action(self, move: str | Move | int) -> int | None:
        """The id of a word or a Move, None where there is none; raises NotationError."""
        return action_of(self.box.layout, move)

    def push(self, move: str | Move | int) -> None:
        """Play a move: its word, a Move or its id. Raises NotationError, IllegalMoveError, and then changes nothing."""
        action = self.action(move)
        if action is None or not self.mask[action]:
            raise IllegalMoveError(self._why_not(move))
        self._history.append((self.state.copy(), self.mask.copy()))
        batch.step(self.box.record, self.state, 0, action, self.mask)
        self._moves.append(action)

    def pop(self) -> Move:
        """Take the last move back and return it; raises IllegalMoveError where there is none."""
        if not self._history:
            raise IllegalMoveError("there is no move to take back")
        self.state[:], self.mask[:] = self._history.pop()
        return move_of(self.box.layout, self._moves.pop())

    def _why_not(self, move: str | Move | int) -> str:
        if self.is_over:
            return f"the game is over, {move!s} cannot be played"
        legal = self.legal_moves.words()
        near = difflib.get_close_matches(str(move), legal, n=NEAREST, cutoff=0.0)
        phase = f"phase {self.phase.word}, seat {self.to_move} to move"
        return f"{move!s} is not legal now ({phase}); the nearest of {len(legal)} legal moves: {', '.join(near)}"

    @property
    def scores(self) -> tuple[int, ...]:
        """[E3] Every seat's points so far."""
        return tuple(scores_of(self.box, self.state))

    @property
    def ranks(self) -> tuple[int, ...] | None:
        """[E4] Every seat's rank, None while the game is not over."""
        return self.outcome.ranks if self.outcome else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it has not."""
        return outcome_of(self.box, self.state)

    def position(self, view: int | None = None) -> position.Position:
        """The position as a seat sees it, in OLDTOWN.md's format; with no view, all of it. Raises SettingError."""
        if view is not None:
            view = whole_number("view", view, 0, self.players - 1)
        return position.position(self.box, self.state, view=view)

    def record(self) -> dict[str, Any]:
        """The game as OLDTOWN.md's record format has it; before its end scores, ranks and end are null.

        Raises RecordError for a game that began in the middle.
        """
        game = self.state[0]
        if not game.from_deal:
            raise RecordError("a game that began in the middle has no record")
        outcome, deal = self.outcome, dealt(self.box, game)
        assert deal.hands is not None
        assert deal.common is not None
        assert deal.own is not None
        return {
            "format": record.FORMAT,
            "version": record.VERSION,
            "players": self.players,
            "first": int(game.first),
            "lone_confirm": self.box.lone_confirm,
            "hands": [list(hand) for hand in deal.hands],
            "common": list(deal.common),
            "own": [list(stack) for stack in deal.own],
            "moves": [words(self.box.layout)[action] for action in self._moves],
            "scores": list(outcome.scores) if outcome else None,
            "ranks": list(outcome.ranks) if outcome else None,
            "end": outcome.end if outcome else None,
        }

    def problems(self) -> list[str]:
        """What is impossible in the state, a sentence each: none, unless someone wrote into it."""
        return invariants.problems(self.box, self.state)

    def copy(self) -> "OldTown":
        """An independent game in the same state, with its history."""
        other = object.__new__(OldTown)
        other.__dict__.update(self.__dict__)
        other.state, other.mask = self.state.copy(), self.mask.copy()
        other._history, other._moves = self._history.copy(), self._moves.copy()
        return other

    def sample_unseen(self, seat: int, rng: np.random.Generator) -> "OldTown":
        """[K1-K3] A copy in which all that a seat cannot know is dealt anew, with all chance to come.

        The copy tells the seat the same history with other hidden cards: its record replays to the same view of the
        seat. Its moves so far cannot be taken back. Raises SettingError for no such seat, and for a game that began in
        the middle, where nobody can say what was seen.
        """
        seat = whole_number("seat", seat, 0, self.players - 1)
        if not self.state[0].from_deal:
            raise SettingError("a game that began in the middle cannot be dealt anew")
        other = self.copy()
        seed = np.uint64(rng.integers(2**63))
        batch.sample_unseen(self.box.record, other.state, 0, seat, seed, other.mask)
        other._history = []
        other._given = dealt(self.box, other.state[0])
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OldTown) and self.box == other.box and bool((self.state == other.state).all())

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        """What builds a game with this history anew."""
        plain = {name: value for name, value in self._given._asdict().items() if value is not None}
        if self.box.lone_confirm:
            plain["lone_confirm"] = True
        if self._deck is not None:
            plain["deck"] = self._deck
        if self._moves:
            plain["moves"] = [move.word for move in self.moves]
        shown = [f"{name}={value!r}" for name, value in plain.items()]
        return f"OldTown({', '.join([f'players={self.players}', f'seed={self.seed}', *shown])})"

    def text(self, view: int | None = None) -> str:
        """The position in plain text, as a seat sees it; with no view, all of it."""
        from oddville_env.oldtown.text import draw_text

        return draw_text(self.position(view), self.box.deck)

    def __str__(self) -> str:
        return self.text()

    def svg(self, view: int | None = None) -> str:
        """The table as an SVG picture, as a seat sees it; with no view, all of it. Raises SettingError."""
        from oddville_env.oldtown.svg import draw

        return draw(self.position(view), self.box.deck)

    def _repr_svg_(self) -> str:
        return self.svg()


def record_game(game_record: Mapping[str, Any] | str, deck: Cards = None) -> OldTown:
    """The game of a record, replayed and compared with what the record says of its end; raises RecordError."""
    told = record.parse_line(game_record) if isinstance(game_record, str) else record.check(game_record)
    settings = {name: told[name] for name in ("players", "first", "lone_confirm", "hands", "common", "own")}
    try:
        game = OldTown(seed=0, deck=deck, **settings)
    except SettingError as error:
        raise RecordError(f"the record has no deal that can be played: {error}") from None
    for number, word in enumerate(told["moves"], 1):
        try:
            game.push(word)
        except ValueError as error:
            raise RecordError(f"move {number}: {error}") from None
    _compare(told, game)
    return game


def _compare(told: Mapping[str, Any], game: OldTown) -> None:
    """Scores, ranks and the end are as the game has them."""
    played = game.record()
    if not game.is_over and told["scores"] is not None:
        raise RecordError(
            f"the game is not over after move {len(told['moves'])}, the record's last: it may have been cut off"
        )
    for name in record.RESULTS:
        if told[name] != played[name]:
            raise RecordError(f"{name}: the record says {told[name]}, the game has {played[name]}")
