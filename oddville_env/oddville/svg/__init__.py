"""A position as one picture: plain SVG 1.1 that a browser, a notebook and a rasteriser show alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.elements import (
    Fragment,
    at,
    below,
    beside,
    bold,
    box,
    disc,
    extent,
    group,
    hint,
    symbol,
    text,
)
from oddville_env.core.svg.page import GAP, INNER, PAD, SMALL, areas, badges, picture, width_of, within
from oddville_env.core.svg.palette import INK, KERB, MARK, MEADOW, MUTED, SEAT_COLOURS, WHITE
from oddville_env.core.svg.thoughts import Thought, thoughts_panel
from oddville_env.oddville import describe
from oddville_env.oddville.cards import Bonus, CardSet, Counts, Suit
from oddville_env.oddville.moves import Move
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.state import HELD, MOST_COINS, MOST_HELD
from oddville_env.oddville.svg import symbols, tiles
from oddville_env.oddville.svg.market import market
from oddville_env.oddville.svg.symbols import SUIT_COLOURS


def marks_of(thoughts: Sequence[Thought], seat: int) -> dict[tuple[int, int], str]:
    """A seat's chance to win after building on a cell, as its label: of the builds there the first one's."""
    marks: dict[tuple[int, int], str] = {}
    for thought in thoughts:
        move = Move.parse(thought.word)
        if move.kind == Kind.BUILD and thought.values:
            marks.setdefault(move.parts[1], f"{thought.values[seat]:.0%}")
    return marks


def draw(
    position: Mapping[str, Any],
    cards: CardSet,
    last: Mapping[str, Any] | None = None,
    fixed: bool = False,
    thoughts: Sequence[Thought] = (),
) -> str:
    """The position as an SVG, with room for what a later position, the last one, has built.

    `thoughts` are moves and what an agent thinks of them: cells show the chance to win after a build there. `fixed`
    makes all pictures of a game equally high, an even number of pixels, as films want it: the cards of the city get
    smaller as it grows.
    """
    marks = marks_of(thoughts, position["to_move"]) if thoughts else {}
    table = city(position, cards, marks, INNER, window_of(last, {}) if last else None, fixed)
    minds = [thoughts_panel(thoughts)] if thoughts else []
    areas = seats(position, cards, fixed)
    page = below([header(position), market(position, cards), table, *minds, areas, legend()], GAP)
    return picture(page, even=fixed)


CELL = 100.0
LABELS = 26.0
DEPTH = 700.0

Cell = tuple[int, int]
Window = tuple[range, range]
"""Columns and lines of the table."""


def window_of(position: Mapping[str, Any], marks: Mapping[Cell, str]) -> Window:
    """The columns and lines worth showing: what is taken and a margin of one, as far as the table reaches."""
    columns, lines = position["table"]
    taken = [(0, 0), *((card["column"], card["line"]) for card in position["city"])]
    across = [column + step for column, _ in taken for step in (-1, 1)] + [column for column, _ in marks]
    down = [0, *(line + 1 for _, line in taken), *(line for _, line in marks)]
    half = columns // 2
    return range(max(min(across), -half), min(max(across), half) + 1), range(0, min(max(down), lines - 1) + 1)


def city(
    position: Mapping[str, Any],
    cards: CardSet,
    marks: Mapping[Cell, str],
    width: float,
    window: Window | None = None,
    fixed: bool = False,
) -> Fragment:
    """The cards of the city on a meadow, marks upon it; what is shown of the table is what is worth it, or a window.

    fixed: the meadow is as deep as it will ever be.
    """
    columns, lines = window or window_of(position, marks)
    depth = min(560.0, position["table"][1] * CELL) if fixed else DEPTH
    cell = min(CELL, (width - 2 * LABELS) / len(columns), depth / len(lines))
    side = cell / tiles.TILE

    def place(column: int, line: int, body: str) -> str:
        return at(LABELS + (column - columns.start) * cell, LABELS + line * cell, body, side)

    height = (depth if fixed else len(lines) * cell) + LABELS + 8.0  # a hem
    built = [(card["column"], card["line"], card) for card in position["city"]]
    plots = [place(column, line, tiles.plot()) for line in lines for column in columns]
    tops = [_label(LABELS + (column - columns.start + 0.5) * cell, LABELS / 2, column) for column in columns]
    sides = [_label(LABELS / 2, LABELS + (line + 0.5) * cell, line) for line in lines]
    faces = [place(column, line, tiles.building(cards, card["card"], card["owner"])) for column, line, card in built]
    latest = [place(column, line, tiles.glow()) for column, line, _ in built[-1:]]
    labels = [place(column, line, _mark(label)) for (column, line), label in sorted(marks.items())]
    main = place(0, 0, tiles.square(cards, position["square"]))
    across = LABELS * 2 + len(columns) * cell
    drawn = group(*plots, *tops, *sides, main, *faces, *latest, *labels)
    meadow = box(0, 0, width, height, 9, fill=MEADOW)
    return Fragment(meadow + at((width - across) / 2, 0, drawn), width, height)


def _label(x: float, y: float, number: int) -> str:
    return bold(x, y, number, 12, fill=MUTED, text_anchor="middle")


def _mark(label: str) -> str:
    size = min(24.0, 100.0 / max(len(label), 1))
    pill = box(8, 31, tiles.TILE - 16, 38, 19, fill=MARK)
    return pill + bold(tiles.MIDDLE, tiles.MIDDLE, label, size, fill=WHITE, text_anchor="middle")


HEADER = 54.0
SPEECH = 250.0


CONTENT = 263.0
CARD_GAP = 5.5
GOODS_HEIGHT = 26.0
CHARACTER_HEIGHT = 30.0
CHARACTER_GAP = 4.0
ROOM = 4  # characters that a fixed area has room for; more are drawn smaller


def seats(position: Mapping[str, Any], cards: CardSet, fixed: bool) -> Fragment:
    """All seats side by side, equally wide and high; fixed: as high as they will ever be."""
    players, width = range(position["players"]), width_of(position["players"])
    contents = [_content(position, seat, cards, width - 2 * PAD, fixed) for seat in players]
    return areas(contents, [_heading(position, seat, width) for seat in players], position["to_move"])


def _heading(position: Mapping[str, Any], seat: int, width: float) -> str:
    name = describe.SEAT_NAMES[seat]
    return (
        symbol(PAD + 11, 18, 25, symbols.pawn(seat))
        + bold(PAD + 29, 18.5, name, 14)
        + at(PAD + 42 + extent(name, 14), 9, badges(describe.roles(position, seat)))
        + symbol(width - PAD - 8, 18, 19, symbols.star())
        + bold(width - PAD - 22, 18.5, position["scores"][seat], 16, text_anchor="end")
    )


def _content(position: Mapping[str, Any], seat: int, cards: CardSet, width: float, fixed: bool) -> Fragment:
    """The belongings, and the characters below them or, where there is room, beside them."""
    area = position["seats"][seat]
    roomy = width >= 2 * CONTENT
    wide = CONTENT if roomy else width
    mine = below([_goods(position, seat, wide), _hand(area["hand"], cards, wide), _held(area["held"], cards, wide)], 8)
    rest = width - CONTENT - 2 * GAP if roomy else width
    people = below([character(word, cards, rest) for word in area["characters"]], CHARACTER_GAP)
    if not fixed:
        return beside([mine, people], 2 * GAP) if roomy else below([mine, people], 10)
    if roomy:
        return beside([mine, within(people, mine.height)], 2 * GAP)
    return below([mine, within(people, ROOM * (CHARACTER_HEIGHT + CHARACTER_GAP))], 10)


def _goods(position: Mapping[str, Any], seat: int, width: float) -> Fragment:
    """Coins in their places, workers in supply, workers in the city."""
    area = position["seats"][seat]
    coins = "".join(
        symbol(9 + 20 * place, GOODS_HEIGHT / 2, 18, symbols.coin() if place < area["coins"] else symbols.no_coin())
        for place in range(MOST_COINS)
    )
    supply = symbol(134, GOODS_HEIGHT / 2, 20, symbols.pawn(seat)) + bold(147, GOODS_HEIGHT / 2, area["supply"], 13)
    homes = symbol(204, GOODS_HEIGHT / 2, 22, symbols.houses(INK))
    homes += bold(219, GOODS_HEIGHT / 2, describe.settled(position, seat), 13)
    named = group(hint("supply"), supply) + group(hint("workers in the city"), homes)
    return Fragment(coins + named, width, GOODS_HEIGHT)


def _hand(hand: Sequence[int], cards: CardSet, width: float) -> Fragment:
    numbers = range(1, len(cards.worker_coins) + 1)
    wide = (width - (len(numbers) - 1) * CARD_GAP) / len(numbers)
    faces = [Fragment(tiles.worker(cards, each, wide, each in hand), wide, tiles.WORKER_HEIGHT) for each in numbers]
    return beside(faces, CARD_GAP)


def _held(held: Sequence[int], cards: CardSet, width: float) -> Fragment:
    """[L2] Two places, and room for the card too many."""
    side = (width - MOST_HELD * CARD_GAP) / HELD
    faces = [tiles.building(cards, card) for card in held] + [tiles.plot()] * (MOST_HELD - len(held))
    places = [Fragment(at(0, 0, face, side / tiles.TILE), side, side) for face in faces]
    return Fragment(beside(places, CARD_GAP).body, width, side)


def character(word: str, cards: CardSet, width: float) -> Fragment:
    """A character by its word: the sign of its guild, its name above its power, its points."""
    figure = describe.named(word)
    guild = Suit(int(cards.guild[figure]))
    sign = disc(14, 14, 13.5, fill=SUIT_COLOURS[guild].pale) + symbol(14, 14, 18, symbols.suit(guild))
    return Fragment(sign + at(36, 0, tiles.character(cards, figure, width - 36)), width, CHARACTER_HEIGHT)


BONUS_KEYS = {
    Bonus.ANY: "any resource",
    Bonus.DOUBLE: "resource where you are",
    Bonus.TRANSFORM: "move a worker",
    Bonus.COIN: "a coin",
}
COUNT_KEYS = {
    Counts.ADJACENT: "per adjacent card",
    Counts.SHIELDS: "per adjacent shield",
    Counts.ROW: "per card in its line",
    Counts.COLUMN: "per card in its column",
}


def header(position: Mapping[str, Any]) -> Fragment:
    """The seat to move and its prompt, the pending bonuses, the round; at the end the result."""
    seat = describe.ranking(position)[0] if position["to_move"] is None else position["to_move"]
    remarks = (describe.prompt(position), describe.happened(position), describe.notice(position))
    remark = " · ".join(filter(None, remarks))
    body = (
        box(0.5, 0.5, INNER - 1, HEADER - 1, 9, fill=SEAT_COLOURS[seat].pale, stroke=SEAT_COLOURS[seat].full)
        + symbol(34, HEADER / 2 - 1, 34, symbols.houses(SUIT_COLOURS[Suit.ROOSTER].full))
        + bold(58, HEADER / 2, "OddVille", 24)
        + symbol(SPEECH - 28, HEADER / 2, 38, symbols.pawn(seat))
        + bold(SPEECH, 18, describe.headline(position), 16)
        + text(SPEECH, 38, remark, 12)
        + at(SPEECH + extent(remark, 12) + 8, 26, _pending(position["pending"]).body)
        + bold(INNER - 16, 18, f"Round {position['round']}", 16, text_anchor="end")
        + text(INNER - 16, 38, f"of at most {position['max_rounds']}", 11, fill=MUTED, text_anchor="end")
    )
    return Fragment(body, INNER, HEADER)


def _pending(bonuses: Sequence[str]) -> Fragment:
    """[N6] The bonuses that may still be taken."""
    window = disc(12, 12, 11.5, fill=WHITE, stroke=KERB)
    signs = [symbols.bonus(Bonus[word.upper()]) for word in bonuses]
    return beside([Fragment(window + symbol(12, 12, 16, sign), 24, 24) for sign in signs], 4)


def legend() -> Fragment:
    """A legend of the less plain signs."""
    bonuses = [_key(symbols.bonus(kind), words) for kind, words in BONUS_KEYS.items()]
    counts = [_key(symbols.counted(kind), words) for kind, words in COUNT_KEYS.items()]
    keys = beside([*bonuses, *counts], 12)
    return Fragment(at((INNER - keys.width) / 2, 0, keys.body), INNER, keys.height)


def _key(sign: str, words: str) -> Fragment:
    return Fragment(symbol(9, 9, 15, sign) + text(21, 9, words, SMALL, fill=MUTED), 21 + extent(words, SMALL), 18)
