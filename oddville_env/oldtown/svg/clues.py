"""Clue cards: what a card says as a sentence, with a little plan of the lots that it speaks of."""

from oddville_env.core.svg import elements
from oddville_env.core.svg.palette import INK, MUTED, PLOT, WHITE
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Card, Deck
from oddville_env.oldtown.cards.words import LOTS, NOTHING
from oddville_env.oldtown.svg.symbols import BUILDING_COLOURS, CARD, TIMBER, back, token

SIDE = 4  # lots in a row
CELL, STREET = 10.0, 3.0  # of a plan
PLAN = SIDE * CELL + STREET
HEIGHT = 58.0
WRITING = 11.0
LINE = 13.5
MARGIN = 8.0


def lot_place(lot: int, cell: float, street: float) -> tuple[float, float]:
    """The upper left corner of a lot, counted from 0, where streets divide the town into quarters."""
    row, column = divmod(lot, SIDE)
    half = SIDE // 2
    return column * cell + street * (column >= half), row * cell + street * (row >= half)


def plan(card: Card) -> str:
    """The lots of the card; of two buildings, lines between the lots that go together."""
    colour = BUILDING_COLOURS[card.building].full if card.building != NOTHING else TIMBER
    lots, within = set(card.lots) or {lot for pair in card.pairs for lot in pair}, WHITE if card.pairs else colour
    places = [lot_place(lot, CELL, STREET) for lot in range(LOTS)]
    cells = [
        elements.box(x + 0.5, y + 0.5, CELL - 1, CELL - 1, 1.5, fill=within if lot in lots else PLOT)
        for lot, (x, y) in enumerate(places)
    ]
    middles = [(x + CELL / 2, y + CELL / 2) for x, y in places]
    lines = " ".join(
        f"M{middles[lot][0]:g} {middles[lot][1]:g} L{middles[other][0]:g} {middles[other][1]:g}"
        for lot, other in card.pairs
        if lot < other
    )
    ways = elements.path(lines, stroke=colour, stroke_width=2.4, stroke_linecap="round") if lines else ""
    knots = "".join(elements.disc(*middles[lot], 2.2, fill=colour) for lot in sorted(lots)) if lines else ""
    return elements.group(*cells, ways, knots)


def clue_card(deck: Deck, number: int, width: float, shown: bool = False) -> elements.Fragment:
    """A card of an open hand: its number, its sentence, its plan; framed where it is shown to the others."""
    card = deck.cards[number - 1]
    shades = BUILDING_COLOURS[card.building] if card.building != NOTHING else None
    edge = {"stroke": INK, "stroke_width": 2} if shown else {"stroke": shades.full if shades else TIMBER}
    paper = elements.box(0.5, 0.5, width - 1, HEIGHT - 1, 6, fill=shades.pale if shades else "#F3EADB", **edge)
    sign = elements.symbol(20, 22, 27, token(deck, card.building) if shades else my_building())
    room = width - 40 - PLAN - 2 * MARGIN
    words = wrapped(describe.clue(deck, number), WRITING, room)
    top = HEIGHT / 2 - LINE * (len(words) - 1) / 2
    lines = [elements.text(40, top + LINE * place, line, WRITING) for place, line in enumerate(words)]
    label = elements.text(20, 47, number, 9.5, fill=MUTED, text_anchor="middle")
    drawn = elements.at(width - PLAN - MARGIN, (HEIGHT - PLAN) / 2, plan(card))
    body = elements.group(elements.hint(f"card {number}"), paper, sign, label, *lines, drawn)
    return elements.Fragment(body, width, HEIGHT)


def my_building() -> str:
    """The sign of a card that speaks of the own building, drawn around (0, 0) in a box from -10 to 10."""
    ring = elements.disc(0, 0, 8.9, fill=WHITE, stroke=TIMBER, stroke_width=1.2, stroke_dasharray="2.2 1.5")
    return ring + elements.bold(0, 0, "my", 7.4, fill=TIMBER, text_anchor="middle")


def wrapped(words: str, size: float, width: float) -> list[str]:
    """Words in lines that are no wider than the width, as far as whole words allow it."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and elements.extent(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def open_hand(deck: Deck, hand: list[int], shown: int | None, width: float, columns: int) -> elements.Fragment:
    """Cards one below the other, in so many columns."""
    gap = 5.0
    wide = (width - gap * (columns - 1)) / columns
    cards = [clue_card(deck, number, wide, number == shown) for number in hand]
    rows = -(-len(cards) // columns) if cards else 0
    parts = [elements.below(cards[start : start + rows], gap) for start in range(0, len(cards), max(rows, 1))]
    return elements.Fragment(elements.beside(parts, gap).body, width, max((part.height for part in parts), default=0.0))


def hidden_hand(size: int, width: float) -> elements.Fragment:
    """So many cards face down, the nearer together the more they are."""
    wide, high = CARD
    pitch = min(wide + 5, (width - wide - 34) / max(size - 1, 1))
    backs = "".join(elements.at(pitch * place, 0, back()) for place in range(size))
    number = elements.bold(max(size - 1, 0) * pitch + wide + 8, high / 2, size, 14)
    return elements.Fragment(backs + number, width, high)
