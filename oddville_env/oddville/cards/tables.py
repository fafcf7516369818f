"""The five tables of a card set: their columns, in the order of the files, and what holds for whole tables."""

from collections import Counter
from collections.abc import Callable, Mapping

from oddville_env.oddville.cards.cells import cost, number, or_nothing, positions, resources, slots, streets, word
from oddville_env.oddville.cards.sheet import Sheet, SheetForm
from oddville_env.oddville.cards.words import (
    BUILDINGS,
    IN_GUILD,
    NOBODY,
    NOTHING,
    PLAYERS,
    WORKER_CARDS,
    Bonus,
    Character,
    Counts,
    Suit,
)

GUILDS = Suit.words()[: Suit.DIAMOND]
SHOWN_ROWS = 8


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
    if sorted(row.values.get("character", NOBODY) for row in sheet.rows) != list(Character):
        return
    sizes = Counter(row.values.get("guild") for row in sheet.rows)
    for guild, name in enumerate(GUILDS):
        if None not in sizes and sizes[guild] != IN_GUILD:
            sheet.blame(None, "guild", f"expected {IN_GUILD} characters of {name}, found {sizes[guild]}")


def numbered(numbers: range) -> dict[int, str]:
    """The numbers under their own names."""
    return {number: str(number) for number in numbers}


TABLES = (
    SheetForm(
        "buildings.csv",
        {
            "id": number(high=BUILDINGS - 1),
            "suit": word("suit", Suit.words()),
            "base": number(),
            "per": number(),
            "counts": or_nothing(word("count", Counts.words())),
            "shield": number(),
            "cost": cost,
            "bonus": word("bonus", Bonus.words()),
            "streets": streets,
        },
        (each_once(numbered(range(BUILDINGS))), whole_formula),
    ),
    SheetForm(
        "workers.csv",
        {
            "worker": number(1, WORKER_CARDS),
            "coins": number(),
            "resources": resources,
            "prices": positions,
        },
        (each_once(numbered(range(1, WORKER_CARDS + 1))),),
    ),
    SheetForm(
        "characters.csv",
        {
            "character": word("character", Character.words()),
            "guild": word("guild", GUILDS),
            "points": number(),
        },
        (each_once(dict(enumerate(Character.words()))), even_guilds),
    ),
    SheetForm(
        "board.csv",
        {
            "players": number(PLAYERS[0], PLAYERS[-1]),
            "slots": slots,
        },
        (each_once(numbered(PLAYERS)),),
    ),
    SheetForm(
        "square.csv",
        {
            "points": number(),
            "bonus": word("bonus", Bonus.words()),
            "shield": number(),
            "streets": streets,
        },
        (one_row,),
    ),
)
