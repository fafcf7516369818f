"""A game for people: moves by their words, taking back, the position, the record, drawings."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import IllegalMoveError, RecordError, SettingError, shown
from oddville_env.core.game_type import Outcome, game_type
from oddville_env.core.seeds import check_seed, game_seeds
from oddville_env.core.view import Chance, View
from oddville_env.oddville import invariants, position, record
from oddville_env.oddville.cards import base_cards
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Character, Suit
from oddville_env.oddville.deal import Deal, check_deal, deal_of, shuffled
from oddville_env.oddville.legal_moves import LegalMoves
from oddville_env.oddville.moves import Move, action_of, move_of
from oddville_env.oddville.observation import make_encoder, observe
from oddville_env.oddville.outcome import outcome_of
from oddville_env.oddville.redeal import redealt
from oddville_env.oddville.replay import replayed
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import DEFAULT_TABLE, IN_GUILD, Phase
from oddville_env.oddville.score_sheet import SeatScore, score_sheet
from oddville_env.oddville.settings import MAX_ROUNDS, Cards, make_box

NEAREST = 5  # legal moves that an error names


class Game:
    """A game of OddVille.

    What is random may be given, so that a game played on a real table can be entered: `deck` (all 64 ids, top first),
    `piles` (for each guild its characters, top first), `first` (a seat) and `reshuffles` (each new pile of rule G2, top
    first, in order). What is not given comes from the seed. `cards` is a card set or its folder.

    Raises SettingError for a setting that no game can have, CardError for a broken card set, and what `push` raises for
    one of the `moves`.
    """

    def __init__(
        self,
        players: int = 2,
        seed: int | None = None,
        *,
        deck: Sequence[int] | None = None,
        piles: Mapping[str, Sequence[str]] | None = None,
        first: int | None = None,
        reshuffles: Sequence[Sequence[str]] = (),
        table: Sequence[int] = DEFAULT_TABLE,
        max_rounds: int = MAX_ROUNDS,
        cards: Cards = None,
        moves: Iterable[str | Move] = (),
    ) -> None:
        self.box, self._cards = make_box(players, table, max_rounds, cards), cards
        self.seed = check_seed(seed)
        self._given = check_deal(self.box, deck, piles, first, reshuffles)
        self._begin(shuffled(self.box, game_seeds(self.seed)[0], self._given))
        self._lay_table()
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise SettingError(f"moves must be a list of words, not {shown(moves)}")
        for move in moves:
            self.push(move)

    def _begin(self, state: np.ndarray) -> None:
        """A game without moves, in a state of its own."""
        self.state = state
        self.mask = np.zeros(self.box.layout.size, np.bool_)
        self._history: list[tuple[np.ndarray, np.ndarray, int]] = []
        self._moves: list[int] = []
        self._reshuffles: list[tuple[str, ...]] = []
        self._dealt: Deal | None = None

    def _lay_table(self) -> None:
        """[S1-S6] Lay the table for a shuffled state, and note what was dealt."""
        state = self.state
        self._dealt = deal_of(self.box, state[0])
        batch.lay_table(self.box.record, state, 0, self.mask)

    @classmethod
    def from_record(cls, game_record: Mapping[str, Any] | str, cards: Cards = None) -> "Game":
        """The game that a record (or its line of JSON) tells, replayed; raises RecordError naming what differs."""
        game: Game = replayed(cls, game_record, cards)
        return game

    @classmethod
    def from_deal(cls, box: Box, dealt: np.ndarray, actions: Iterable[int]) -> "Game":
        """The game that began in a dealt state ([1] record of the box) and went on with these ids."""
        game = cls._of(box, dealt)
        game._lay_table()
        for action in actions:
            game.push(action)
        game._fix_orders()
        return game

    @classmethod
    def from_state(cls, box: Box, state: np.ndarray) -> "Game":
        """A game that begins in the middle, in a state ([1] record of the box), with no moves to tell or take back."""
        game = cls._of(box, state)
        batch.legal(box.record, game.state, 0, game.mask)
        return game

    @classmethod
    def _of(cls, box: Box, state: np.ndarray) -> "Game":
        game = object.__new__(cls)
        game.box, game._cards, game.seed, game._given = box, box.cards, 0, Deal()
        game._begin(state.copy())
        return game

    def _fix_orders(self) -> None:
        """What was dealt and reshuffled so far is told as given: the repr then rebuilds the game without its seed."""
        if self._dealt is not None:
            self._given = self._dealt._replace(reshuffles=tuple(self._reshuffles))

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.box.players

    @property
    def phase(self) -> Phase:
        """[T6] What may be said now."""
        return Phase(self.state[0].phase)

    @property
    def to_move(self) -> int | None:
        """The seat that speaks now; None when the game is over."""
        seat = int(self.state[0].to_move)
        return None if seat == NOTHING else seat

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

    @property
    def reshuffles(self) -> list[tuple[str, ...]]:
        """[G2] All new piles so far, top first."""
        return self._reshuffles.copy()

    def action(self, move: str | Move | int) -> int | None:
        """The id of a word or a Move, None where this table has none; raises NotationError."""
        return action_of(self.box.layout, move)

    def push(self, move: str | Move | int) -> None:
        """Play a move: its word, a Move or its id. Raises NotationError, IllegalMoveError, and then changes nothing."""
        action = self.action(move)
        if action is None or not self.mask[action]:
            raise IllegalMoveError(self._why_not(move))
        before = (self.state.copy(), self.mask.copy(), len(self._reshuffles))
        self._give_reshuffle()
        batch.step(self.box.record, self.state, 0, action, self.mask)
        self._history.append(before)
        self._moves.append(action)
        self._note_reshuffle(before[0][0])

    def pop(self) -> Move:
        """Take the last move back and return it; raises IllegalMoveError where there is none."""
        if not self._history:
            raise IllegalMoveError("there is no move to take back")
        self.state[:], self.mask[:], reshuffles = self._history.pop()
        del self._reshuffles[reshuffles:]
        return move_of(self.box.layout, self._moves.pop())

    def _why_not(self, move: str | Move | int) -> str:
        name = shown(move) if isinstance(move, int) else str(move)
        if self.is_over:
            return f"the game is over, {name} cannot be played"
        legal = self.legal_moves.words()
        near = difflib.get_close_matches(name, legal, n=NEAREST, cutoff=0.0)
        phase = f"phase {self.phase.word}, seat {self.to_move} to move"
        return f"{name} is not legal now ({phase}); the nearest of {len(legal)} legal moves: {', '.join(near)}"

    def _give_reshuffle(self) -> None:
        """[G2] The next given pile is used where it is of an empty pile's guild and names all that will come back."""
        game = self.state[0]
        game.next_pile[:] = NOTHING
        if len(self._reshuffles) < len(self._given.reshuffles):
            pile = [Character[name.upper()].value for name in self._given.reshuffles[len(self._reshuffles)]]
            guild = int(self.box.cards.guild[pile[0]])
            out = [c for c in Character if self.box.cards.guild[c] == guild and game.owner[c] != NOTHING]
            if game.pile_size[guild] == 0 and sorted(pile) == out:
                game.next_pile[: len(pile)] = pile

    def _note_reshuffle(self, before: np.record) -> None:
        """[G2] A record lists every new pile; where one was given, it must be that one."""
        game = self.state[0]
        game.next_pile[:] = NOTHING
        for guild in np.flatnonzero(game.reshuffles != before.reshuffles).tolist():
            pile = np.full(IN_GUILD, NOTHING)
            batch.write_new_pile(self.box.record, self.state, 0, guild, pile)
            self._reshuffles.append(record.words_of_pile(tuple(pile.tolist())))
            number = len(self._reshuffles)
            if number <= len(self._given.reshuffles) and self._given.reshuffles[number - 1] != self._reshuffles[-1]:
                given = ", ".join(self._given.reshuffles[number - 1])
                self.pop()
                raise SettingError(
                    f"reshuffle {number} is given as {given}, but it is of {Suit(guild).word} and brings back "
                    + ", ".join(Character(c).word for c in sorted(pile.tolist()) if c != NOTHING)
                )

    @property
    def scores(self) -> tuple[int, ...]:
        """[E2] Every seat's score as if the game ended now."""
        return tuple(position.scores(self.box, self.state))

    def score_sheet(self) -> list[SeatScore]:
        """Where every seat's points come from."""
        return score_sheet(self.box, self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it has not."""
        return outcome_of(self.box, self.state)

    def position(self, view: int | None = None) -> position.Position:
        """The state as RULES.md's position format has it, as a seat sees it: in OddVille all see the same."""
        return position.position(self.box, self.state, 0, view)

    def observe(self, seat: int, encoding: str = "features") -> Mapping[str, np.ndarray]:
        """What a learner in this seat sees, piece by piece: name -> uint8 array. Raises SettingError."""
        encoder = make_encoder(self.box, encoding)
        return encoder.views(observe(self.box, self.state, 0, seat, encoder.encoding, np.empty(encoder.size, np.uint8)))

    def view(self, chance: Chance = np.random.default_rng) -> View:
        """What the seat to move may see and think with: what an agent is given. Raises IllegalMoveError at the end."""
        if self.is_over:
            raise IllegalMoveError("the game is over: nobody is to move")
        return View(game_type("oddville"), self.box, self.state, 0, self.mask, chance)

    def ask(self, agent: Any, seed: int = 0) -> Move:
        """The move that an agent (its spec, or an Agent) would play here; it needs the agents' package.

        seed: of the agent's own chance. Raises AgentError, and IllegalMoveError when the game is over.
        """
        view = self.view()
        return move_of(self.box.layout, import_module("oddville_agents").ask(agent, view, seed))

    def opinion(self, agent: Any, seed: int = 0) -> Any:
        """What an agent thinks of the position: its candidates with every seat's chance to win, an `Analysis`.

        Raises AgentError.
        """
        return import_module("oddville_agents").analyse(self, agent, seed)

    def record(self) -> dict[str, Any]:
        """The game as RULES.md's record format has it; before its end scores, ranks and trigger are null.

        Raises RecordError for a game that began in the middle.
        """
        if self._dealt is None or self._dealt.deck is None or self._dealt.piles is None:
            raise RecordError("a game that began in the middle has no record")
        played = record.played_fields(self.box.layout, self._reshuffles, self._moves)
        return {**record.dealt_fields(self.box, self._dealt), **played, **record.end_fields(self.outcome)}

    def problems(self) -> list[str]:
        """What is impossible in the state, a sentence each: none, unless someone wrote into it."""
        return invariants.problems(self.box, self.state)

    def copy(self) -> "Game":
        """An independent game in the same state, with its history."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.state, other.mask = self.state.copy(), self.mask.copy()
        other._history, other._moves = self._history.copy(), self._moves.copy()
        other._reshuffles = self._reshuffles.copy()
        return other

    def sample_unseen(self, seat: int | None, rng: np.random.Generator) -> "Game":
        """[K1-K3] A copy in which all that a seat cannot know is dealt anew, with all chance to come.

        seat None: what everybody knows together stays; in OddVille all seats know the same.

        The copy tells the same public history with other hidden cards: its record replays to the same position. Its
        moves so far cannot be taken back.
        """
        other = self.copy()
        seed = int(rng.integers(2**63))
        looking = NOBODY if seat is None else whole_number("seat", seat, 0, self.players - 1)
        batch.sample_unseen(self.box.record, other.state, 0, looking, np.uint64(seed))
        other._history = []
        if self._dealt is not None:
            renamed = redealt(self.box, self._dealt, self._reshuffles, self.state[0], other.state[0])
            other._dealt, other._reshuffles = renamed
            other._fix_orders()
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.box == other.box and bool((self.state == other.state).all())

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __repr__(self) -> str:
        """What builds a game with this history anew; the luck to come is the same where the game came from a seed."""
        given: dict[str, object] = {
            "deck": self._given.deck and list(self._given.deck),
            "piles": self._given.piles and {guild: list(pile) for guild, pile in self._given.piles.items()},
            "first": self._given.first,
            "reshuffles": [list(pile) for pile in self._given.reshuffles] or None,
            "table": list(self.box.table) if tuple(self.box.table) != DEFAULT_TABLE else None,
            "cards": None if self._cards is None or self.box.cards == base_cards() else self._cards,
            "max_rounds": self.box.max_rounds if self.box.max_rounds != MAX_ROUNDS else None,
            "moves": [move.word for move in self.moves] or None,
        }
        written = [f"{name}={value!r}" for name, value in given.items() if value is not None]
        return f"Game({', '.join([f'players={self.players}', f'seed={self.seed}', *written])})"

    def __str__(self) -> str:
        from oddville_env.oddville.text import draw_text

        return draw_text(self.position(), self.box.cards)

    def svg(self, marks: Mapping[tuple[int, int], str] | None = None) -> str:
        """The table as an SVG picture; marks are labels for cells (column, line)."""
        from oddville_env.oddville.svg import draw

        return draw(self.position(), self.box.cards, marks=marks or {})

    def _repr_svg_(self) -> str:
        return self.svg()
