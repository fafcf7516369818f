"""What a card comes to: the buildings it speaks of (C), its truth (W4) and the first of P2-P5 that applies."""

from collections import Counter
from dataclasses import dataclass

from .deck import ALL_LOTS, TOKENS, Card
from .worlds import Board, Case, what_is_left

MOST_TOKENS_ON_A_LOT = 3  # P4


@dataclass(frozen=True)
class Verdict:
    """[P1] `contradicting`, `confirming`, `five`, `three` or `change`, and for a change the board after it."""

    name: str
    after: Board | None = None


def speaks_of(card: Card, own: str | None) -> list[str]:
    """[C1, C2] The buildings of a card, with a choice of own building (none for type A)."""
    return [building for building in (card.building, own) if building is not None]


def truth(card: Card, own: str | None) -> list[Case]:
    """[W4] The cases in which the card is true."""
    if card.type == "C":
        assert card.building is not None, "S2"
        assert own is not None, "C2"
        return [{card.building: frozenset([here]), own: frozenset([there])} for here, there in sorted(card.pairs)]
    (building,) = speaks_of(card, own)
    return [{building: card.lots}]


def judge(board: Board, card: Card, own: str | None) -> Verdict:
    """[P1] The first that applies."""
    unknown = [building for building in speaks_of(card, own) if building not in board]
    under = board | {building: ALL_LOTS for building in unknown}
    left = what_is_left(under, truth(card, own))
    if left is None:
        return Verdict("contradicting")  # P2
    if not unknown and left == board:
        return Verdict("confirming")  # P2
    if any(len(left[building]) > TOKENS for building in unknown):
        return Verdict("five")  # P3
    if is_blocked(board, left, unknown):
        return Verdict("three")
    return Verdict("change", left)  # P5


def is_blocked(board: Board, left: Board, unknown: list[str]) -> bool:
    """[P4] Whether a lot would have too many tokens: all that lie there before the play, and the new ones."""
    before = Counter(lot for lots in board.values() if len(lots) > 1 for lot in lots)
    new = Counter(lot for building in unknown if len(left[building]) > 1 for lot in left[building])
    return any(before[lot] + new[lot] > MOST_TOKENS_ON_A_LOT for lot in new)


def tokens(board: Board, building: str) -> int:
    """[S1, P7] The tokens that a building has: five beside the board, or one on each lot, or none if it stands."""
    if building not in board:
        return TOKENS
    return len(board[building]) if len(board[building]) > 1 else 0
