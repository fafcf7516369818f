"""A position in plain text of at most 100 columns: the picture for terminals and logs."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from oddville_env.core.svg.palette import SEAT_NAMES
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import LOTS

PAGE = 100
COLUMNS = 4
WIDTH = 22
DEPTH = 4
LETTERS = 20


def draw_text(position: Mapping[str, Any], deck: Deck, size: tuple[int, int] | None = None) -> str:
    """The position in plain text, complete enough to play from; of a size (columns, lines) as much as fits."""
    seats = [_seat(position, seat, deck) for seat in range(position["players"])]
    head, town = _header(position, deck), draw_town(position["buildings"], deck)
    whole = _joined([head, town, *seats])
    if size is None or (whole.count("\n") <= size[1] and size[0] >= PAGE):
        return whole
    short = _joined([head, town, [seat[0] for seat in seats]])
    return "".join(f"{line[: size[0]]}\n" for line in short.splitlines()[: size[1]])


def _joined(parts: Iterable[Iterable[str]]) -> str:
    """Parts of the text, with an empty line between them."""
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def _header(position: Mapping[str, Any], deck: Deck) -> list[str]:
    ending = f"  {position['end']}" if position["end"] else ""
    supply = ", ".join(deck.buildings[deck.index(key)].name for key in position["supply"]) or "nothing"
    stack = f"common stack {describe.size(position['common'])}  supply: {supply}"
    head = f"Old Town  turn {position['turn']}  {describe.headline(position)}  {describe.prompt(position)}{ending}"
    return [line for each in (head, stack) for line in wrap(each, PAGE, subsequent_indent="  ")]


def draw_town(buildings: Mapping[str, Sequence[int] | None], deck: Deck) -> list[str]:
    """The lots row by row: what stands there in capitals, else the tokens that lie there.

    buildings: of each by its key the lots of its set, from 1; None, or nothing, where it is not on the board.
    """
    lines = ["+".join(["", *["-" * WIDTH] * COLUMNS, ""])]
    for row in range(LOTS // COLUMNS):
        cells = [_cell(buildings, row * COLUMNS + column + 1, deck) for column in range(COLUMNS)]
        lines += ["|".join(["", *(f" {cell[line]:<{WIDTH - 1}}" for cell in cells), ""]) for line in range(DEPTH)]
        lines.append(lines[0])
    return lines


def _cell(buildings: Mapping[str, Sequence[int] | None], lot: int, deck: Deck) -> list[str]:
    there = [(building, list(buildings.get(building.key) or ())) for building in deck.buildings]
    standing = [building.name.upper() for building, lots in there if lots == [lot]]
    tokens = [building.name for building, lots in there if lots and lot in lots and len(lots) > 1]
    names = standing or tokens[: DEPTH - 1]
    more = len(tokens) - (DEPTH - 1)
    if more > 0:
        names[-1] = f"and {more + 1} more"
    return [f"{lot}", *(f"  {name[:LETTERS]}" for name in names), *[""] * DEPTH][:DEPTH]


def _seat(position: Mapping[str, Any], seat: int, deck: Deck) -> list[str]:
    area = position["seats"][seat]
    mine = " and ".join(deck.buildings[deck.index(key)].name for key in area["mine"]) or "nothing"
    stack = f"  own stack {describe.size(area['own'])}" if area["own"] else ""
    roles = "".join(f"  ({role})" for role in describe.roles(position, seat))
    lines = [f"@{seat} {SEAT_NAMES[seat]:<7} {area['score']:>2} points  owns {mine}{stack}{roles}"]
    if isinstance(area["hand"], int):
        return [*lines, f"  {area['hand']} cards face down"]
    return [*lines, *(f"  {card:>2}  {describe.clue(deck, card)}" for card in area["hand"])]
