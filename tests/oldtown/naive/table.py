"""The table: what lies where (S, B), and the small deeds that every word is made of (P7, B3, D)."""

from dataclasses import dataclass, field
from typing import Any

from .deck import MOST_STANDING, Deck
from .judge import Verdict, judge, tokens
from .worlds import Board


@dataclass
class Seat:
    """What a seat has: `hand` is kept sorted, `own` is its own stack, top first (S3), `mine` its buildings (B1)."""

    hand: list[int]
    own: list[int]
    mine: list[str] = field(default_factory=list)
    score: int = 0


class Table:
    """Everything that a game consists of, and who has what."""

    def __init__(self, deck: Deck, record: dict[str, Any]) -> None:
        """[S1, S3, S4] Set up the table; `moves` and the result of the record are not looked at."""
        self.deck = deck
        self.players: int = record["players"]
        self.first: int = record["first"]
        self.lone_confirm: bool = record["lone_confirm"]
        self.seats = [
            Seat(hand=sorted(hand), own=list(own)) for hand, own in zip(record["hands"], record["own"], strict=True)
        ]
        self.common: list[int] = list(record["common"])
        self.board: Board = {}
        self.supply: list[str] = list(self.deck.buildings)
        self.played: list[int] = []
        self.moves: list[str] = []
        self.turn = 0
        self.phase = "setup"
        self.to_move: int | None = self.first
        self.shown: int | None = None
        self.draws = 0
        self.passes = 0
        self.end: str | None = None
        self.verdicts: dict[tuple[int, str | None], Verdict] = {}

    # Who is who

    def _mover(self) -> Seat:
        assert self.to_move is not None, "in phase over nobody is to move"
        return self.seats[self.to_move]

    def _after(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % self.players

    # The board (W, P, B3)

    def _standing(self) -> list[str]:
        """[W1] The buildings with one lot."""
        return [building for building, lots in self.board.items() if len(lots) == 1]

    def _is_complete(self) -> bool:
        """[E1] Whether the last building that can stand does."""
        return len(self._standing()) == MOST_STANDING

    def _verdict(self, number: int, own: str | None) -> Verdict:
        """[P1] What the card comes to; kept until the board changes."""
        if (number, own) not in self.verdicts:
            self.verdicts[number, own] = judge(self.board, self.deck.cards[number], own)
        return self.verdicts[number, own]

    def _change_board(self, board: Board) -> None:
        """[P5, P7, B3] The seat to move scores every token that goes; what stands leaves its owner or the supply."""
        for building in self.deck.buildings:
            self._mover().score += tokens(self.board, building) - tokens(board, building)
        self.board = board
        self.verdicts = {}
        for standing in self._standing():
            for tiles in (self.supply, *(seat.mine for seat in self.seats)):
                if standing in tiles:
                    tiles.remove(standing)

    # Cards (P8, D)

    def _put_out(self, number: int) -> None:
        """[P8] A card played or shown leaves the hand and the game."""
        self._mover().hand.remove(number)
        self.played.append(number)

    def _stacks(self) -> dict[str, list[int]]:
        """[D2, D3] The stacks with cards that the seat to move may draw from."""
        stacks = {"common": self.common, "own": self._mover().own}
        return {name: stack for name, stack in stacks.items() if stack}

    def _draw(self, name: str) -> None:
        """[D1] The top card of a stack comes to the hand."""
        seat = self._mover()
        seat.hand = sorted([*seat.hand, self._stacks()[name].pop(0)])
