"""The record of a game, and a game for people: moves by their words, taking back, the position as a seat sees it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from oddville_env.core.checked import LIST, check_seed, game_seeds, text, truth, whole, whole_number
from oddville_env.core.errors import RecordError, SettingError
from oddville_env.core.game.game_type import Outcome
from oddville_env.core.parts.played_game import PlayedGame
from oddville_env.core.parts.records import MOVES, RESULTS, RecordFormat, game_of_record
from oddville_env.oldtown import invariants
from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.deal import Deal, check_deal, deal_of, shuffled
from oddville_env.oldtown.moves import NOTATION, Move, words
from oddville_env.oldtown.position import SeatScore, read_position, score_sheet
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import Phase
from oddville_env.oldtown.settings import Cards, make_box

DEALT = {
    "players": whole(), "first": whole(), "lone_confirm": truth(), "hands": LIST, "common": LIST, "own": LIST
}  # fmt: skip
ENDED = {**RESULTS, "end": text().or_none()}
RECORD = RecordFormat("oldtown-record", 1, {**DEALT, "moves": MOVES, **ENDED}, tuple(DEALT), tuple(ENDED))

NOTES = np.dtype((np.record, [("nothing", "?")]))
"""[K2] No chance is left once a game is dealt."""


def record_of(box: Box, deal: Deal, actions: Iterable[int], outcome: Outcome | None) -> dict[str, Any]:
    """The record of a game with this deal, by the ids of all moves; outcome: how it ended, if it did."""
    assert deal.hands is not None
    assert deal.common is not None
    assert deal.own is not None
    spelled = words(box.layout)
    return {
        **RECORD.head,
        "players": box.players,
        "first": deal.first,
        "lone_confirm": box.lone_confirm,
        "hands": [list(hand) for hand in deal.hands],
        "common": list(deal.common),
        "own": [list(stack) for stack in deal.own],
        "moves": [spelled[action] for action in actions],
        "scores": list(outcome.scores) if outcome else None,
        "ranks": list(outcome.ranks) if outcome else None,
        "end": outcome.end if outcome else None,
    }


def record_lines(
    box: Box, seeds: np.ndarray, moves: Iterable[Sequence[int]], notes: np.ndarray, ends: Iterable[Outcome | None]
) -> list[str]:
    """Records as JSON texts of games dealt from seeds (uint64 [B]); all their chance lies in the deal."""
    deals = {seed: deal_of(box, shuffled(box, seed, Deal())[0]) for seed in set(seeds)}
    played = zip(seeds, moves, ends, strict=True)
    return [json.dumps(record_of(box, deals[seed], actions, end)) for seed, actions, end in played]


class OldTown(PlayedGame[Move]):
    """A game of Old Town.

    Everything random can be given, to enter a game that was played on a real table; the rest follows from the seed.

    Args:
        players: The number of players: 2, 3 or 4.
        seed: The seed of all chance; None draws one.
        first: The first seat.
        hands: Four cards for each seat.
        common: The common stack, top first.
        own: Each seat's own stack, top first; with two players.
        lone_confirm: Allow a confirming card to be played alone (P6).
        deck: A deck, its file, or None for the base deck.
        moves: Moves to begin with.

    Raises:
        SettingError: For a wrong setting.
        DeckError: For a broken deck.
        IllegalMoveError: For one of the moves; NotationError likewise.
    """

    game_name = "oldtown"
    notation = NOTATION

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
        self.box, self.seed = make_box(players, lone_confirm, deck), check_seed(seed)
        given = check_deal(self.box, hands, common, own, first)
        self._begin_dealt(shuffled(self.box, game_seeds(self.seed)[0], given), deck, given, moves)

    def _begin(self, state: np.ndarray) -> None:
        super()._begin(state)
        self._data, self._given, self._is_dealt = self.box.deck, Deal(), False

    def _lay_table(self) -> None:
        super()._lay_table()
        self._is_dealt = True

    def _fix_deal(self) -> None:
        self._given = deal_of(self.box, self.state[0])

    @classmethod
    def from_record(cls, game_record: Mapping[str, Any] | str, deck: Cards = None) -> "OldTown":
        """Returns the game of a record or its line of JSON, replayed; raises RecordError for the first difference."""
        game: OldTown = game_of_record(RECORD, game_record, cls, deck=deck)
        return game

    @classmethod
    def from_position(cls, full: Mapping[str, Any], deck: Cards = None) -> "OldTown":
        """A game that begins in a full position (`view` null).

        Raises SettingError for what a seat sees, for a field that is not of its kind, and for a position that cannot
        come up in a game.
        """
        game = cls.from_state(*read_position(full, deck))
        if found := game.problems():
            raise SettingError(f"this position cannot come up: {found[0]}")
        return game

    @property
    def phase(self) -> Phase:
        """[T5] The phase of the game."""
        return Phase(self.state[0].phase)

    def score_sheet(self) -> list[SeatScore]:
        """Every seat's points by their sources."""
        return score_sheet(self.box, self.state)

    def record(self) -> dict[str, Any]:
        """The game as OLDTOWN.md's record format has it; before its end scores, ranks and end are null.

        Raises RecordError for a game that began in the middle.
        """
        if not self._is_dealt:
            raise RecordError("a game that began in the middle has no record")
        return record_of(self.box, deal_of(self.box, self.state[0]), self._moves, self.outcome)

    def problems(self) -> list[str]:
        """The faults of the state, a sentence each; none unless it was written into."""
        return invariants.problems(self.box, self.state)

    def sample_unseen(self, seat: int | None, rng: np.random.Generator) -> Self:
        """[K1-K3] A copy in which all that a seat cannot know is resampled, with all chance to come.

        seat None: what all seats know together stays. The copy tells the seat the same history with other hidden cards:
        its record replays to the same view of the seat. Its moves so far cannot be taken back. Raises SettingError for
        no such seat, and for a game that began in the middle, whose history is unknown.
        """
        looking = NOBODY if seat is None else whole_number("seat", seat, 0, self.players - 1)
        if not self.state[0].from_deal:
            raise SettingError("a game that began in a position cannot be resampled")
        other = self.copy()
        batch.sample_unseen(self.box.record, other.state, 0, looking, np.uint64(rng.integers(2**63)))
        batch.legal(self.box.record, other.state, 0, other.mask)
        other._history = []
        other._fix_deal()
        return other

    def __repr__(self) -> str:
        """The expression that builds a game with this history."""
        given = {
            **self._given._asdict(),
            "lone_confirm": self.box.lone_confirm or None,
            "deck": None if self._data is None or self.box.deck == base_deck() else self._data,
        }
        return self._written(given)
