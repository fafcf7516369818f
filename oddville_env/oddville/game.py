"""The record of a game, and a game for people: moves by their words, taking back, the position, drawings."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Self

import numpy as np

from oddville_env.core.checked import LIST, OBJECT, check_seed, game_seeds, truth, whole, whole_number
from oddville_env.core.errors import RecordError, SettingError
from oddville_env.core.game.game_type import Outcome
from oddville_env.core.parts.played_game import PlayedGame
from oddville_env.core.parts.records import MOVES, RESULTS, RecordFormat, game_of_record
from oddville_env.oddville import invariants
from oddville_env.oddville.cards import base_cards
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Character, Suit
from oddville_env.oddville.deal import Deal, check_deal, deal_of, redealt, shuffled
from oddville_env.oddville.moves import NOTATION, Move, words
from oddville_env.oddville.position import SeatScore, score_sheet
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import DEFAULT_TABLE, GUILDS, IN_GUILD, Phase
from oddville_env.oddville.settings import MAX_ROUNDS, Cards, make_box

RECORD = RecordFormat(
    "oddville-record", 1,
    {"players": whole(), "table": LIST, "max_rounds": whole(), "first": whole(), "deck": LIST, "piles": OBJECT,
     "reshuffles": LIST, "moves": MOVES, **RESULTS, "trigger": whole().or_none(), "truncated": truth()},
    dealt=("players", "table", "max_rounds", "first", "deck", "piles", "reshuffles"),
    compared=("reshuffles", "scores", "ranks", "trigger", "truncated"),
)  # fmt: skip
"""The trigger is null too where there is none."""
MOST_RESHUFFLES = 23  # no more buildings than these can be built (P5)
NOTES = np.dtype((np.record, [("noted", "i2", GUILDS), ("number", "i2"), ("piles", "i1", (MOST_RESHUFFLES, IN_GUILD))]))
"""[G2] The new piles of a game, top first, how many there are, and how many of each guild have been noted."""


def record_of(
    box: Box, deal: Deal, reshuffles: Iterable[Sequence[str]], actions: Iterable[int], outcome: Outcome | None
) -> dict[str, Any]:
    """The record of a game with this deal, by its new piles and the ids of all moves; outcome: how it ended, if so."""
    assert deal.deck is not None
    assert deal.piles is not None
    spelled = words(box.layout)
    scores, ranks, trigger, truncated, _ = outcome or Outcome((), ())
    return {
        **RECORD.head,
        "players": box.players,
        "table": list(box.table),
        "max_rounds": box.max_rounds,
        "first": deal.first,
        "deck": list(deal.deck),
        "piles": {guild: list(pile) for guild, pile in deal.piles.items()},
        "reshuffles": [list(pile) for pile in reshuffles],
        "moves": [spelled[action] for action in actions],
        "scores": list(scores) or None,
        "ranks": list(ranks) or None,
        "trigger": trigger,
        "truncated": truncated,
    }


def record_lines(
    box: Box, seeds: np.ndarray, moves: Iterable[Sequence[int]], notes: np.ndarray, ends: Iterable[Outcome | None]
) -> list[str]:
    """Records as JSON texts of games dealt from seeds (uint64 [B]), with what was noted of their chance (NOTES [B])."""
    deals = {seed: deal_of(box, shuffled(box, seed, Deal())[0]) for seed in set(seeds)}
    piles = ([words_of_pile(tuple(pile)) for pile in note.piles[: note.number].tolist()] for note in notes)
    played = zip(seeds, piles, moves, ends, strict=True)
    return [json.dumps(record_of(box, deals[seed], new, actions, end)) for seed, new, actions, end in played]


@cache
def words_of_pile(characters: tuple[int, ...]) -> tuple[str, ...]:
    """The words of a pile's characters; what lies beyond the pile is NOTHING."""
    return tuple(Character(each).word for each in characters if each != NOTHING)


class Game(PlayedGame[Move]):
    """A game of OddVille.

    Everything random can be given, to enter a game that was played on a real table; the rest follows from the seed.

    Args:
        players: The number of players: 2, 3 or 4.
        seed: The seed of all chance; None draws one.
        deck: All 64 card ids, top first.
        piles: The characters of each guild, top first.
        first: The first seat.
        reshuffles: Each new pile of rule G2, top first, in order.
        table: [columns, lines] of the table; columns are odd (B8).
        max_rounds: The limit of rounds (E4).
        cards: A card set, its folder, or None for the base set.
        moves: Moves to begin with.

    Raises:
        SettingError: For a wrong setting.
        CardError: For a broken card set.
        IllegalMoveError: For one of the moves; NotationError likewise.
    """

    game_name = "oddville"
    notation = NOTATION

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
        self.box, self.seed = make_box(players, table, max_rounds, cards), check_seed(seed)
        given = check_deal(self.box, deck, piles, first, reshuffles)
        self._begin_dealt(shuffled(self.box, game_seeds(self.seed)[0], given), cards, given, moves)

    def _begin(self, state: np.ndarray) -> None:
        super()._begin(state)
        self._data, self._given = self.box.cards, Deal()
        self._reshuffles: tuple[tuple[str, ...], ...] = ()
        self._dealt: Deal | None = None

    def _lay_table(self) -> None:
        """[S1-S6] Lay the table for a shuffled state, and note what was dealt."""
        self._dealt = deal_of(self.box, self.state[0])
        super()._lay_table()

    @classmethod
    def from_record(cls, game_record: Mapping[str, Any] | str, cards: Cards = None) -> "Game":
        """Returns the game of a record or its line of JSON, replayed; raises RecordError for the first difference."""
        game: Game = game_of_record(RECORD, game_record, cls, Game._check_reshuffles, cards=cards)
        return game

    def _check_reshuffles(self, game_record: Mapping[str, Any], number: int) -> None:
        """[G2] A record that is replayed lists every new pile so far."""
        if len(self._reshuffles) > (listed := len(game_record["reshuffles"])):
            raise RecordError(f"move {number}: a reshuffle follows, but the record lists {listed} only")

    def _fix_deal(self) -> None:
        if self._dealt is not None:
            self._given = self._dealt._replace(reshuffles=self._reshuffles)

    @property
    def phase(self) -> Phase:
        """[T6] The phase of the game."""
        return Phase(self.state[0].phase)

    @property
    def round(self) -> int:
        """The round, counted from 1; 0 during the setup. It grows when the first seat's turn comes again."""
        return int(self.state[0].rounds)

    @property
    def reshuffles(self) -> list[tuple[str, ...]]:
        """[G2] All new piles so far, top first."""
        return list(self._reshuffles)

    def _snapshot(self) -> tuple[Any, ...]:
        return *super()._snapshot(), self._reshuffles

    def _restore(self, snapshot: tuple[Any, ...]) -> None:
        super()._restore(snapshot)
        self._reshuffles = snapshot[-1]

    def _step(self, action: int) -> None:
        before = self._history[-1][0]
        self._give_reshuffle()
        super()._step(action)
        self._note_reshuffle(before)

    def _give_reshuffle(self) -> None:
        """[G2] The next given pile is used where it is of an empty pile's guild and names all that will come back."""
        self.state["next_pile"] = NOTHING
        if len(self._reshuffles) < len(self._given.reshuffles):
            game = self.state[0]
            pile = [Character[name.upper()].value for name in self._given.reshuffles[len(self._reshuffles)]]
            guild = int(self.box.cards.guild[pile[0]])
            out = [c for c in Character if self.box.cards.guild[c] == guild and game.owner[c] != NOTHING]
            if game.pile_size[guild] == 0 and sorted(pile) == out:
                game.next_pile[: len(pile)] = pile

    def _note_reshuffle(self, before: np.ndarray) -> None:
        """[G2] A record lists every new pile; where one was given, it must be that one. before: the state [1]."""
        self.state["next_pile"] = NOTHING
        for guild in (self.state["reshuffles"][0] != before["reshuffles"][0]).nonzero()[0].tolist():
            pile = np.full(IN_GUILD, NOTHING)
            batch.write_new_pile(self.box.record, self.state, 0, guild, pile)
            self._reshuffles += (words_of_pile(tuple(pile.tolist())),)
            number = len(self._reshuffles)
            if number <= len(self._given.reshuffles) and self._given.reshuffles[number - 1] != self._reshuffles[-1]:
                given = ", ".join(self._given.reshuffles[number - 1])
                self.pop()
                raise SettingError(
                    f"reshuffle {number} is given as {given}, but it is of {Suit(guild).word} and brings back "
                    + ", ".join(Character(c).word for c in sorted(pile.tolist()) if c != NOTHING)
                )

    def score_sheet(self) -> list[SeatScore]:
        """Every seat's points by their sources."""
        return score_sheet(self.box, self.state)

    def record(self) -> dict[str, Any]:
        """The game as RULES.md's record format has it; before its end scores, ranks and trigger are null.

        Raises RecordError for a game that began in the middle.
        """
        if self._dealt is None:
            raise RecordError("a game that began in the middle has no record")
        return record_of(self.box, self._dealt, self._reshuffles, self._moves, self.outcome)

    def problems(self) -> list[str]:
        """The faults of the state, a sentence each; none unless it was written into."""
        return invariants.problems(self.box, self.state)

    def sample_unseen(self, seat: int | None, rng: np.random.Generator) -> Self:
        """[K1-K3] A copy in which all that a seat cannot know is resampled, with all chance to come.

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
            other._fix_deal()
        return other

    def __repr__(self) -> str:
        """The expression that builds a game with this history; chance to come is the same where it came from a seed."""
        given: dict[str, object] = {
            "deck": self._given.deck and list(self._given.deck),
            "piles": self._given.piles and {guild: list(pile) for guild, pile in self._given.piles.items()},
            "first": self._given.first,
            "reshuffles": [list(pile) for pile in self._given.reshuffles] or None,
            "table": list(self.box.table) if tuple(self.box.table) != DEFAULT_TABLE else None,
            "cards": None if self._data is None or self.box.cards == base_cards() else self._data,
            "max_rounds": self.box.max_rounds if self.box.max_rounds != MAX_ROUNDS else None,
        }
        return self._written(given)
