"""A position in plain text of at most 100 columns: the picture for terminals and logs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddville_env.oddville import describe
from oddville_env.oddville.cards import NOTHING, Bonus, CardSet, Counts, Resource, Side, Suit

WIDTH = 100
MARGIN = 4
INSIDE = 7
ACROSS = INSIDE + 1
DOWN = 3 + 1  # lines of writing and a border
BAND = (WIDTH - MARGIN - 1) // ACROSS

CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The corner where borders meet, by the sum of their arms: 1 up, 2 right, 4 down, 8 left."""

COUNT_SIGNS = "MRBLDasrc"
"""A sign for each thing that a value counts, in the order of their numbers; suits wear theirs everywhere."""

BONUS_SIGNS = describe.LETTERS + "*=>$"
"""A sign for each bonus, in the order of their numbers."""

LEGEND = (
    "In the city: card, suit, @seat; value; +bonus, shield.   W wood  C clay  S stone  X crystal",
    "Values count  M mask  R rooster  B bells  L lily  D diamond  a adjacent  s shields  r row  c column",
    "Bonuses  * any  = double (where a worker is)  > transform (move a worker)  $ coin",
)
CARD_HEADING = f"{'card':>7} {'suit':<8}{'value':<30}{'cost':<6}{'bonus':<10}{'streets':<8}shield"

Cell = tuple[int, int]


class Tile(NamedTuple):
    """A card of the city: its lines of writing and the sides that have a street."""

    words: Sequence[str]
    streets: NDArray[np.bool_]


def draw_text(position: Mapping[str, Any], cards: CardSet, size: tuple[int, int] | None = None) -> str:
    """The position in plain text, complete enough to play from; of a size (columns, lines) as much as fits.

    Where there is no room for all of it: the header, the city around the card placed last and a line for each seat,
    then what else there is room for.
    """
    head, all_seats = header(position), [_seat(position, seat, cards) for seat in range(position["players"])]
    whole = joined((head, _city(position, cards), *details(position, cards), *all_seats))
    if size is None or (whole.count("\n") <= size[1] and size[0] >= WIDTH):
        return whole
    columns, lines = size
    short = [line for line, *_ in all_seats]
    city = _fitted_city(position, cards, columns, lines - len(head) - len(short) - 2)
    rest = lines - len(head) - len(short) - len(city) - 2
    legend, board, row, piles = details(position, cards)
    chosen: list[Sequence[str]] = []
    for part in (board, row, piles, legend):
        if len(part) + 1 <= rest:
            chosen.append(part)
            rest -= len(part) + 1
    more = sum(map(len, all_seats)) - len(short)
    last = [line for seat in all_seats for line in seat] if more <= rest else short
    return joined([line[:columns] for line in part] for part in (head, city, *chosen, last) if part)


def joined(parts: Iterable[Iterable[str]]) -> str:
    """Parts of the text, each a few lines, with an empty line between them."""
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def details(position: Mapping[str, Any], cards: CardSet) -> list[Sequence[str]]:
    """A legend of the signs, the board, the row and the piles."""
    tops = (
        f"  {guild:<8}{pile['size']}  {_character(pile['top'], cards) if pile['size'] else 'none left'}"
        for guild, pile in position["piles"].items()
    )
    return [LEGEND, _board(position, cards), _row(position, cards), ["Characters", *tops]]


def header(position: Mapping[str, Any]) -> list[str]:
    """The round, the seat to move and its prompt."""
    title = f"OddVille  round {position['round']} of at most {position['max_rounds']}  {describe.headline(position)}"
    pending = f"pending: {', '.join(position['pending'])}" if position["pending"] else ""
    remarks = (describe.prompt(position), pending, describe.happened(position), describe.notice(position))
    return [title, *filter(None, remarks)]


def _city(position: Mapping[str, Any], cards: CardSet) -> list[str]:
    """The cards in a grid; a city too wide for the page is cut into bands of columns."""
    city = tiles(position, cards)
    columns, lines = extent(city)
    bands = [columns[start : start + BAND] for start in range(0, len(columns), BAND)]
    return [line for band in bands for line in grid(band, lines, city)]


def tiles(position: Mapping[str, Any], cards: CardSet) -> dict[Cell, Tile]:
    """Every card of the city by its cell, in the order of building."""
    built = {(placed["column"], placed["line"]): _building(placed, cards) for placed in position["city"]}
    return {(0, 0): _square(position, cards), **built}


def extent(city: Iterable[Cell]) -> tuple[range, range]:
    """The columns and lines from the first card to the last."""
    columns, lines = zip(*city, strict=True)
    return range(min(columns), max(columns) + 1), range(max(lines) + 1)


def _building(placed: Mapping[str, Any], cards: CardSet) -> Tile:
    card = placed["card"]
    base, per, counts = int(cards.base[card]), int(cards.per[card]), int(cards.counts[card])
    value = f"{base}" if counts == NOTHING else f"{base}+{per}{COUNT_SIGNS[Counts(counts)]}"
    name = f"{card:<3}{COUNT_SIGNS[Suit(int(cards.suit[card]))]} @{placed['owner']}"
    grant = f"+{BONUS_SIGNS[Bonus(int(cards.bonus[card]))]}{f's{cards.shield[card]}':>5}"
    return Tile((name, value, grant), cards.streets[card])


def _square(position: Mapping[str, Any], cards: CardSet) -> Tile:
    """The Main Square: points, bonus and shield, then the four fields with the seats on them."""
    seats = ["." if seat is None else seat for seat in position["square"].values()]
    wood, clay, stone, crystal = (f"{letter}{seat}" for letter, seat in zip(describe.LETTERS, seats, strict=True))
    shield = f"s{cards.square_shield}" if cards.square_shield else ""
    name = f"Sq{cards.square_points:>2}+{BONUS_SIGNS[Bonus(cards.square_bonus)]}"
    return Tile((name, f"{wood} {clay}", f"{stone} {crystal}{shield}"), cards.square_streets)


def grid(columns: range, lines: range, city: Mapping[Cell, Tile]) -> list[str]:
    """[B3] A part of the city as lines of text, with the numbers of its columns and lines; streets cross borders."""
    signs: dict[Cell, str] = {}
    arms: dict[Cell, int] = defaultdict(int)
    for (column, line), tile in city.items():
        left, top, right, bottom = column * ACROSS, line * DOWN, (column + 1) * ACROSS, (line + 1) * DOWN
        inside, below = range(left + 1, right), range(top + 1, bottom)
        for side, y in ((Side.N, top), (Side.S, bottom)):
            signs |= {(x, y): "║" if tile.streets[side] and x == left + ACROSS // 2 else "─" for x in inside}
        for side, x in ((Side.W, left), (Side.E, right)):
            signs |= {(x, y): "═" if tile.streets[side] and y == top + DOWN // 2 else "│" for y in below}
        for y, words in zip(below, tile.words, strict=True):
            signs |= {(x, y): sign for x, sign in zip(inside, words, strict=False)}
        for corner, its_arms in (((left, top), 6), ((right, top), 12), ((left, bottom), 3), ((right, bottom), 9)):
            arms[corner] |= its_arms
    signs |= {corner: CORNERS[each] for corner, each in arms.items()}
    across, middle = range(columns.start * ACROSS, columns.stop * ACROSS + 1), DOWN // 2
    drawn = [" " * MARGIN + "".join(f"{column:^{ACROSS}}" for column in columns)]
    for y in range(lines.start * DOWN, lines.stop * DOWN + 1):
        number = y // DOWN if y % DOWN == middle else ""
        drawn.append(f"{number:>{MARGIN - 1}} " + "".join(signs.get((x, y), " ") for x in across))
    return drawn


def _board(position: Mapping[str, Any], cards: CardSet) -> list[str]:
    """[S3] A line for each resource, a column for each slot; the upper slot is the last."""
    prices = cards.slots[position["players"]]
    heading = f"{'Price of the slots':<20}" + "".join(f"{price:<4}" for price in prices) + "(the last holds any number)"
    lines = [heading]
    for kind in Resource:
        workers = (" ".join(f"@{seat}" for seat in seats) or "." for seats in position["board"][kind.word])
        lines.append(f"{describe.LETTERS[kind]} {kind.word:<18}" + "".join(f"{seats:<4}" for seats in workers))
    return lines


def _row(position: Mapping[str, Any], cards: CardSet) -> list[str]:
    """[W4] The buildings for sale, with the price for each worker card."""
    numbers = range(1, len(cards.worker_coins) + 1)
    heading = f"{CARD_HEADING}  price with{_columns(numbers)}"
    offers = [
        f"{place:>3} {_card(cards, card)}{'':>15}{_columns(describe.row_prices(cards, place - 1))}"
        for place, card in enumerate(position["row"], 1)
    ]
    shown = [f"{number}: ${cards.worker_coins[number - 1]} {_takes(cards, number)}" for number in numbers]
    return [f"Row (deck {position['deck']})", heading, *offers, "Worker cards  " + "   ".join(shown)]


def _columns(numbers: Iterable[int]) -> str:
    return "".join(f"{number:>3}" for number in numbers)


def _takes(cards: CardSet, number: int) -> str:
    return "".join(describe.LETTERS[kind] for kind in Resource if cards.worker_resources[number - 1, kind]) or "-"


def _card(cards: CardSet, card: int) -> str:
    """A building in columns, under `CARD_HEADING`."""
    suit, bonus = Suit(int(cards.suit[card])).word, Bonus(int(cards.bonus[card])).word
    return (
        f"{card:>3} {suit:<8}{describe.formula(cards, card):<30}{describe.cost(cards, card):<6}"
        f"{bonus:<10}{describe.streets(cards, card):<8}{cards.shield[card]:<3}"
    )


def _character(word: str, cards: CardSet) -> str:
    figure = describe.named(word)
    return f"{describe.title(figure)} ({cards.points[figure]}): {describe.POWERS[figure]}"


def _seat(position: Mapping[str, Any], seat: int, cards: CardSet) -> list[str]:
    """The belongings of a seat in one line, held buildings and characters below."""
    area = position["seats"][seat]
    belongings = (
        f"@{seat} {describe.SEAT_NAMES[seat]:<7} {position['scores'][seat]:>2} points   coins {area['coins']}   "
        f"supply {area['supply']}   in the city {describe.settled(position, seat)}   "
        f"hand {' '.join(map(str, area['hand']))}"
    )
    held = [f"  {place} {_card(cards, card)}" for place, card in enumerate(area["held"], 1)]
    people = [f"    {_character(word, cards)}" for word in area["characters"]]
    return ["   ".join([belongings, *describe.roles(position, seat)]), *held, *people]


def _fitted_city(position: Mapping[str, Any], cards: CardSet, columns: int, lines: int) -> list[str]:
    """As much of the city as fits, the card placed last within it; nothing where not even one line of cards fits."""
    city = tiles(position, cards)
    last_column, last_line = list(city)[-1]
    across, down = extent(city)
    wide, high = (columns - MARGIN - 1) // ACROSS, (lines - 2) // DOWN
    if wide < 1 or high < 1:
        return []
    return grid(_window(across, wide, last_column), _window(down, high, last_line), city)


def _window(whole: range, size: int, seen: int) -> range:
    """A part of a range, of at most so many numbers, with one of them near its middle."""
    start = min(max(seen - size // 2, whole.start), max(whole.stop - size, whole.start))
    return range(start, min(start + size, whole.stop))
