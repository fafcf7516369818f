"""The market: the row and its deck, the resources board, the piles of characters."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.elements import Fragment, at, below, beside, bold, box, disc, group, symbol, text
from oddville_env.core.svg.page import GAP, HEADING, INNER, PAD, SMALL, panel
from oddville_env.core.svg.palette import GOLD_EDGE, INK, KERB, MUTED, PAPER, RIM, WHITE
from oddville_env.oddville import describe
from oddville_env.oddville.cards import CardSet, Resource, Suit
from oddville_env.oddville.svg import symbols, tiles
from oddville_env.oddville.svg.symbols import SUIT_COLOURS

CARD = 88.0
CARD_GAP = 7.0
POSITION = 30.0
TAG_GAP = 2.0
TAG = 34.0
DECK = 52.0
LINE = 36.0
BOARD = 212.0
ICON = 36.0
SLOT = 30.0
SLOT_GAP = 5.0
UPPER = 70.0


def market(position: Mapping[str, Any], cards: CardSet) -> Fragment:
    """[S4 W4] The three side by side, equally high; the piles, one a guild, have the width that is left."""
    row = [_offer(cards, place, card) for place, card in enumerate(position["row"])]
    offers, slots = beside([*row, _deck(position["deck"])], CARD_GAP), _board(position, cards)
    width = INNER - offers.width - slots.width - 2 * GAP - 6 * PAD
    piles = [_pile(Suit[guild.upper()], pile, cards, width) for guild, pile in position["piles"].items()]
    figures = below(piles, 4)
    height = max(offers.height, slots.height, figures.height) + HEADING + 2 * PAD
    panels = (
        panel("Row", "below each building its price with worker card 1, 2, 3, 4", offers, height),
        panel("Resources", "and prices", slots, height),
        panel("Characters", "the top of each pile", figures, height),
    )
    return beside(panels, GAP)


def _offer(cards: CardSet, place: int, card: int) -> Fragment:
    middle, below_card = CARD / 2, CARD + POSITION / 2 - 1
    number = bold(middle, below_card, place + 1, 12, fill=WHITE, text_anchor="middle")
    face = at(0, 0, tiles.building(cards, card), CARD / tiles.TILE) + disc(middle, below_card, 10, fill=INK) + number
    prices = describe.row_prices(cards, place)
    width = (CARD - TAG_GAP * (len(prices) - 1)) / len(prices)
    tags = [_tag(worker, price, width) for worker, price in enumerate(prices, 1)]
    return below([Fragment(face, CARD, CARD + POSITION), beside(tags, TAG_GAP)], 0)


def _tag(worker: int, price: int, width: float) -> Fragment:
    paper = box(0.5, 0.5, width - 1, TAG - 1, 3, fill=PAPER, stroke=RIM)
    number = text(width / 2, 9.5, worker, 9, fill=MUTED, text_anchor="middle")
    return Fragment(paper + number + bold(width / 2, 23, price, 13, fill=GOLD_EDGE, text_anchor="middle"), width, TAG)


def _deck(size: int) -> Fragment:
    middle = DECK / 2 + 3
    number = bold(middle, 66, size, 14, text_anchor="middle")
    name = text(middle, CARD + POSITION / 2 - 1, "deck", 11, fill=MUTED, text_anchor="middle")
    return Fragment(tiles.deck() + number + name, DECK, CARD)


def _board(position: Mapping[str, Any], cards: CardSet) -> Fragment:
    """[S3] Prices above the slots, cheapest first; the upper slot is last and wide."""
    prices = cards.slots[position["players"]]
    spans = _spans(len(prices))
    middles = [left + wide / 2 for left, wide in spans]
    coins = [symbol(middle, 9, 17, symbols.coin(price)) for middle, price in zip(middles, prices, strict=True)]
    lines = [_resource(kind, position["board"][kind.word], spans) for kind in Resource]
    return below([Fragment("".join(coins), BOARD, 20), *lines], 0)


def _spans(slots: int) -> list[tuple[float, float]]:
    """(left edge, width) of each slot."""
    pitch = min(SLOT + SLOT_GAP, (BOARD - ICON - UPPER) / max(slots - 1, 1))
    lefts = [ICON + pitch * slot for slot in range(slots)]
    return [(left, pitch - SLOT_GAP) for left in lefts[:-1]] + [(lefts[-1], BOARD - lefts[-1])]


def _resource(kind: Resource, slots: Sequence[Sequence[int]], spans: Sequence[tuple[float, float]]) -> Fragment:
    places = [
        at(left, 2, box(0, 0, wide, SLOT, 6, fill=PAPER, stroke=KERB) + _workers(seats, wide))
        for (left, wide), seats in zip(spans, slots, strict=True)
    ]
    return Fragment(symbol(14, 17, 27, symbols.resource(kind)) + "".join(places), BOARD, LINE - 2)


def _workers(seats: Sequence[int], width: float) -> str:
    """Workers in a slot; a crowd stands in two lines."""
    lines = 1 if len(seats) <= 4 else 2
    across = max(-(-len(seats) // lines), 1)
    pitch = min(20.0, (width - 4) / across)
    left = (width - pitch * across) / 2
    size = min(1.2 * pitch, 22.0 / lines**0.5)
    return "".join(
        symbol(left + pitch * (index % across + 0.5), SLOT * (index // across + 0.5) / lines, size, symbols.pawn(seat))
        for index, seat in enumerate(seats)
    )


def _pile(guild: Suit, pile: Mapping[str, Any], cards: CardSet, width: float) -> Fragment:
    sign = symbol(15, 19, 20, symbols.suit(guild))
    if pile["top"] is None:
        return Fragment(group(sign, opacity=0.4) + text(ICON, 19, "none left", SMALL, fill=MUTED), width, LINE)
    shades = SUIT_COLOURS[guild]
    card = box(0.5, 3.5, 30, 30, 5, fill=shades.pale, stroke=shades.full)
    size = disc(5, 31, 7, fill=INK) + bold(5, 31, pile["size"], 9.5, fill=WHITE, text_anchor="middle")
    top = tiles.character(cards, describe.named(pile["top"]), width - ICON)
    return Fragment(card + sign + size + at(ICON, 4, top), width, LINE)
