"""A position in plain text of at most 100 columns: the picture for terminals and logs."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import LOTS, NOTHING, CardType

COLUMNS = 4
WIDTH = 22
DEPTH = 5
LETTERS = 20


def draw_text(position: Mapping[str, Any], deck: Deck) -> str:
    """The position in plain text, complete enough to play from."""
    parts = [
        _header(position),
        _town(position, deck),
        *(_seat(position, seat, deck) for seat in range(position["players"])),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def _header(position: Mapping[str, Any]) -> list[str]:
    mover = "over" if position["to_move"] is None else f"seat {position['to_move']} to move, {position['phase']}"
    common = position["common"] if isinstance(position["common"], int) else len(position["common"])
    supply = ", ".join(position["supply"]) or "none"
    return [f"Old Town  turn {position['turn']}  {mover}  common stack {common}", f"supply: {supply}"]


def _town(position: Mapping[str, Any], deck: Deck) -> list[str]:
    """The lots row by row: what stands there in capitals, else the tokens that lie there."""
    lines = ["+".join(["", *["-" * WIDTH] * COLUMNS, ""])]
    for row in range(LOTS // COLUMNS):
        cells = [_cell(position, row * COLUMNS + column + 1, deck) for column in range(COLUMNS)]
        lines += ["|".join(["", *(f" {cell[line]:<{WIDTH - 1}}" for cell in cells), ""]) for line in range(DEPTH)]
        lines.append(lines[0])
    return lines


def _cell(position: Mapping[str, Any], lot: int, deck: Deck) -> list[str]:
    there = [(building, position["buildings"][building.key]) for building in deck.buildings]
    standing = [building.name.upper() for building, lots in there if lots == [lot]]
    tokens = [building.name for building, lots in there if lots and lot in lots and len(lots) > 1]
    names = standing or tokens[: DEPTH - 1]
    more = len(tokens) - (DEPTH - 1)
    if more > 0:
        names[-1] = f"and {more + 1} more"
    return [f"{lot}", *(f"  {name[:LETTERS]}" for name in names), *[""] * DEPTH][:DEPTH]


def _seat(position: Mapping[str, Any], seat: int, deck: Deck) -> list[str]:
    told = position["seats"][seat]
    mine = ", ".join(told["mine"]) or "nothing"
    lines = [f"seat {seat}  {told['score']} points  owns {mine}"]
    if isinstance(told["hand"], int):
        return [*lines, f"  {told['hand']} cards"]
    return [*lines, *(f"  {card:>2}  {clue(deck, card)}" for card in told["hand"])]


def clue(deck: Deck, number: int) -> str:
    """What a card says, as a sentence."""
    card = deck.cards[number - 1]
    if card.type == CardType.C:
        return f"The {deck.buildings[card.building].name} and my building: {card.text}."
    who = "My building" if card.building == NOTHING else f"The {deck.buildings[card.building].name}"
    return f"{who} stood on lot {one_of(card.lots)}."


def one_of(lots: Sequence[int]) -> str:
    """Lots, counted from 0, as a sentence says them: `4, 8, 12 or 16`."""
    names = [str(lot + 1) for lot in lots]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
