"""Worlds (W): found by trying one lot after the other.

A board is a dictionary from each building on it to its set (W1). A card's truth is a list of cases: in each case some
buildings are bound to some lots, and the card is true in a world if one of its cases is (W4).
"""

from .deck import Lots

Board = dict[str, Lots]
World = dict[str, int]
Case = dict[str, Lots]

NO_CARD: list[Case] = [{}]  # true in every world


def find_world(sets: Board) -> World | None:
    """[W2] Some way to give every building a lot out of its set, no two the same; None if there is no way."""
    if not sets:
        return {}
    tightest = min(sets, key=lambda building: len(sets[building]))
    for lot in sets[tightest]:
        rest = {building: lots - {lot} for building, lots in sets.items() if building != tightest}
        if len(frozenset().union(*rest.values())) < len(rest):
            continue  # more buildings than lots
        world = find_world(rest)
        if world is not None:
            return world | {tightest: lot}
    return None


def what_is_left(board: Board, cases: list[Case]) -> Board | None:
    """[W5] The lots where each building is in at least one world in which a case is true; None without worlds."""
    left: dict[str, set[int]] = {building: set() for building in board}
    for case in cases:
        bound = {building: lots & case.get(building, lots) for building, lots in board.items()}
        if find_world(bound) is None:
            continue
        for building, lots in bound.items():
            for lot in lots - left[building]:
                world = find_world(bound | {building: frozenset([lot])})
                for other, place in (world or {}).items():
                    left[other].add(place)
    if board and not all(left.values()):
        return None
    return {building: frozenset(lots) for building, lots in left.items()}


def closed(board: Board) -> Board:
    """[W3] The board without the tokens that are in no world."""
    left = what_is_left(board, NO_CARD)
    assert left is not None, "W2: there always is a world"
    return left
