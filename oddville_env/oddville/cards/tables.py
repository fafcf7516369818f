"""The five tables of a card set: how fields are read and written, their columns in the order of the files, and what
holds for whole tables. Readers tell by ValueError what they expected.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from oddville_env.oddville.cards import words
from oddville_env.oddville.cards.sheet import Column, Sheet, SheetForm, quoted
from oddville_env.oddville.cards.words import NOTHING, Bonus, Character, Counts, Resource, Side, Suit

GUILDS = Suit.words()[: Suit.DIAMOND]
SHOWN_ROWS = 8
LARGEST = 20  # far above any printed number, and every sum of V1 and E2 still fits 16 bits


def number(low: int = 0, high: int = LARGEST) -> Column:
    """Whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,3}", text) and low <= int(text) <= high:
            return int(text)
        raise ValueError(f"expected a whole number from {low} to {high}, found {quoted(text)}")

    return Column(read)


def word(noun: str, choices: Sequence[str]) -> Column:
    """One of the choices, in small or capital letters: its index among them."""
    index = {known.lower(): i for i, known in enumerate(choices)}
    expected = f"expected {', '.join(choices[:-1])} or {choices[-1]}"

    def read(text: str) -> int:
        if not text:
            raise ValueError(f"no {noun}, {expected}")
        if text.lower() not in index:
            raise ValueError(f"unknown {noun} {quoted(text)}, {expected}")
        return index[text.lower()]

    return Column(read, choices.__getitem__)


def or_nothing(column: Column) -> Column:
    """The same for a field that may stay empty."""
    return Column(
        lambda text: column.read(text) if text else NOTHING,
        lambda value: "" if value == NOTHING else column.write(value),
    )


def some(noun: str, choices: Sequence[str], parts: Callable[[str], Sequence[str]], between: str) -> Column:
    """At least one of the choices, each at most once: for every word whether it is there."""
    one = word(noun, choices)

    def read(text: str) -> tuple[bool, ...]:
        found = [one.read(part) for part in parts(text) or [""]]
        for i in found:
            if found.count(i) > 1:
                raise ValueError(f"{noun} {choices[i]} appears more than once")
        return tuple(i in found for i in range(len(choices)))

    return Column(read, lambda flags: between.join(choices[i] for i in range(len(choices)) if flags[i]))


RESOURCE = word("resource", Resource.words())
STREETS = some("street", [side.name for side in Side], lambda text: "".join(text.split()), "")


def read_cost(text: str) -> tuple[int, ...]:
    """[B1] The number of workers that a building takes off each resource; in all at least one, at most a seat's."""
    taken = [RESOURCE.read(part) for part in text.split() or [""]]
    if len(taken) > words.WORKERS:
        raise ValueError(f"expected at most {words.WORKERS} resources, found {len(taken)}")
    return tuple(taken.count(i) for i in Resource)


def read_positions(text: str) -> tuple[int, ...]:
    """[W4, W5] A worker card's price for each position of the row; one of them is 0."""
    prices = tuple(number().read(part) for part in text.split() or [""])
    if len(prices) != words.ROW:
        raise ValueError(f"expected {words.ROW} prices, one for each position of the row, found {len(prices)}")
    if 0 not in prices:
        raise ValueError("expected a position of price 0, so that there is always a legal move (W5), found none")
    return prices


def read_slots(text: str) -> tuple[int, ...]:
    """[S3] The prices of a resource's slots, cheapest first; the last, marked by `*`, is the upper slot."""
    parts = text.split() or [""]
    prices = tuple(number().read(part.removesuffix("*")) for part in parts)
    if [part.endswith("*") for part in parts] != [False] * (len(parts) - 1) + [True]:
        raise ValueError(f"expected one * to mark the last price, the upper slot's, found {quoted(text)}")
    if not 2 <= len(prices) <= words.MOST_SLOTS:
        raise ValueError(f"expected 2 to {words.MOST_SLOTS} slots, the upper one included, found {len(prices)}")
    if list(prices) != sorted(prices):
        raise ValueError(f"expected prices from cheapest to dearest, found {quoted(text)}")
    return prices


def write_numbers(numbers: Iterable[Any]) -> str:
    """Numbers with spaces between them."""
    return " ".join(map(str, numbers))


def each_once(names: Mapping[int, str]) -> Callable[[Sheet], None]:
    """A check that the first column holds each of the named numbers in exactly one row."""

    def check(sheet: Sheet) -> None:
        key = sheet.table.key
        lines: dict[int, int] = {}
        for row in sheet.rows:
            value = row.values.get(key)
            if value in lines:
                sheet.blame(row.line, key, f"{names[value]} stands in line {lines[value]} already")
            elif value is not None:
                lines[value] = row.line
        missing = [name for value, name in names.items() if value not in lines]
        if missing and all(key in row.values for row in sheet.rows):
            more = f" and {len(missing) - SHOWN_ROWS} more" if len(missing) > SHOWN_ROWS else ""
            found = f"expected {len(names)} rows, one for each {key}, found none for"
            sheet.blame(None, key, f"{found} {', '.join(missing[:SHOWN_ROWS])}{more}")

    return check


def one_row(sheet: Sheet) -> None:
    """There is one square."""
    if not sheet.rows:
        sheet.blame(None, None, "expected one row below the header, found none")
    for row in sheet.rows[1:]:
        sheet.blame(row.line, None, "expected one row below the header, found another")


def whole_formula(sheet: Sheet) -> None:
    """[V1] `per` and `counts` belong together."""
    for row in sheet.rows:
        per, counts = row.values.get("per"), row.values.get("counts")
        if per == 0 and counts not in (None, NOTHING):
            sheet.blame(row.line, "per", f"0 for each {Counts(counts).word}, expected a number above 0 or empty counts")
        if per and counts == NOTHING:
            sheet.blame(row.line, "counts", f"empty, expected what is worth {per} each")


def even_guilds(sheet: Sheet) -> None:
    """[S4] Every guild has three characters; a wrong character or guild is reported instead."""
    if sorted(row.values.get("character", words.NOBODY) for row in sheet.rows) != list(Character):
        return
    sizes = Counter(row.values.get("guild") for row in sheet.rows)
    for guild, name in enumerate(GUILDS):
        if None not in sizes and sizes[guild] != words.IN_GUILD:
            sheet.blame(None, "guild", f"expected {words.IN_GUILD} characters of {name}, found {sizes[guild]}")


def numbered(numbers: range) -> dict[int, str]:
    """The numbers under their own names."""
    return {number: str(number) for number in numbers}


TABLES = (
    SheetForm(
        "buildings.csv",
        {
            "id": number(high=words.BUILDINGS - 1),
            "suit": word("suit", Suit.words()),
            "base": number(),
            "per": number(),
            "counts": or_nothing(word("count", Counts.words())),
            "shield": number(),
            "cost": Column(read_cost, lambda cost: " ".join(each.word for each in Resource for _ in range(cost[each]))),
            "bonus": word("bonus", Bonus.words()),
            "streets": STREETS,
        },
        (each_once(numbered(range(words.BUILDINGS))), whole_formula),
    ),
    SheetForm(
        "workers.csv",
        {
            "worker": number(1, words.WORKER_CARDS),
            "coins": number(),
            "resources": some("resource", Resource.words(), str.split, " "),
            "prices": Column(read_positions, write_numbers),
        },
        (each_once(numbered(range(1, words.WORKER_CARDS + 1))),),
        "worker_",
    ),
    SheetForm(
        "characters.csv",
        {"character": word("character", Character.words()), "guild": word("guild", GUILDS), "points": number()},
        (each_once(dict(enumerate(Character.words()))), even_guilds),
    ),
    SheetForm(
        "board.csv",
        {
            "players": number(words.PLAYERS[0], words.PLAYERS[-1]),
            "slots": Column(read_slots, lambda prices: f"{write_numbers(prices)}*"),
        },
        (each_once(numbered(words.PLAYERS)),),
    ),
    SheetForm(
        "square.csv",
        {"points": number(), "bonus": word("bonus", Bonus.words()), "shield": number(), "streets": STREETS},
        (one_row,),
        "square_",
    ),
)
