"""The seats: what each owns and holds, open to whom may see it."""

from collections.abc import Mapping
from typing import Any

from oddville_env.core.svg.elements import Piece, at, below, beside, bold, box, extent, text
from oddville_env.core.svg.page import GAP, INNER, PAD
from oddville_env.core.svg.palette import GLOW, INK, MUTED, PANEL, RIM, SEAT_COLOURS, SEAT_NAMES, WHITE
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.svg.clues import hidden_hand, open_hand
from oddville_env.oldtown.svg.symbols import hat, points, symbol, tile

HEAD = 34.0
OWN = 74.0
HOUSE = 0.62
WIDE = 360.0  # of a seat's content that has room for two columns of cards
FIXED = 330.0  # the height of a content that never changes
BADGES = {"to move": (GLOW, WHITE), "first": (WHITE, INK), "you": (INK, WHITE)}


def seats(position: Mapping[str, Any], deck: Deck, fixed: bool) -> Piece:
    """All seats side by side, equally wide and high; fixed: as high all through a game."""
    players = position["players"]
    width = (INNER - GAP * (players - 1)) / players
    contents = [_content(position, seat, deck, width - 2 * PAD) for seat in range(players)]
    if fixed:
        contents = [_within(content, FIXED) for content in contents]
    height = max(content.height for content in contents) + HEAD + 2 * PAD
    return beside([_area(position, seat, content, width, height) for seat, content in enumerate(contents)], GAP)


def _area(position: Mapping[str, Any], seat: int, content: Piece, width: float, height: float) -> Piece:
    moves = position["to_move"] == seat
    edge = {"stroke": SEAT_COLOURS[seat].full, "stroke_width": 3} if moves else {"stroke": RIM, "stroke_width": 1}
    body = (
        box(1, 1, width - 2, height - 2, 9, fill=PANEL)
        + box(1, 1, width - 2, HEAD, 9, fill=SEAT_COLOURS[seat].pale)
        + box(1, 1, width - 2, height - 2, 9, fill="none", **edge)
        + symbol(PAD + 13, 18, 27, hat(seat))
        + bold(PAD + 33, 18.5, SEAT_NAMES[seat], 14)
        + at(PAD + 45 + extent(SEAT_NAMES[seat], 14), 9, _badges(position, seat).body)
        + symbol(width - PAD - 8, 18, 18, points())
        + bold(width - PAD - 22, 18.5, position["seats"][seat]["score"], 16, text_anchor="end")
        + at(PAD, HEAD + PAD, content.body)
    )
    return Piece(body, width, height)


def _badges(position: Mapping[str, Any], seat: int) -> Piece:
    return beside([_badge(role, *BADGES[role]) for role in describe.roles(position, seat)], 4)


def _badge(words: str, colour: str, ink: str) -> Piece:
    width = extent(words, 9.5) + 10
    body = box(0, 0, width, 18, 9, fill=colour) + bold(width / 2, 9, words, 9.5, fill=ink, text_anchor="middle")
    return Piece(body, width, 18)


def _content(position: Mapping[str, Any], seat: int, deck: Deck, width: float) -> Piece:
    area = position["seats"][seat]
    own = _own(area, deck, width)
    if isinstance(area["hand"], int):
        return below([own, hidden_hand(area["hand"], width)], 10)
    shown = position["shown"] if position["to_move"] == seat else None
    return below([own, open_hand(deck, area["hand"], shown, width, 2 if width > WIDE else 1)], 10)


def _own(area: Mapping[str, Any], deck: Deck, width: float) -> Piece:
    """[B1] The own buildings, and how many cards the own stack has."""
    houses = [_house(deck, deck.index(key)) for key in area["mine"]]
    drawn = beside(houses, 14).body if houses else text(0, OWN / 2, "owns no building now", 11.5, fill=MUTED)
    stack = describe.size(area["own"])
    label = text(width, OWN / 2, f"own stack {stack}", 11.5, fill=MUTED, text_anchor="end") if stack else ""
    return Piece(drawn + label, width, OWN)


def _house(deck: Deck, building: int) -> Piece:
    name = deck.buildings[building].name
    width = max(100 * HOUSE, extent(name, 10.5))
    house = at((width - 100 * HOUSE) / 2, 6, tile(deck, building), HOUSE)
    return Piece(house + text(width / 2, OWN - 7, name, 10.5, text_anchor="middle"), width, OWN)


def _within(content: Piece, height: float) -> Piece:
    """A content that takes exactly so much of the page, made smaller where it is higher."""
    scale = height / max(content.height, height)
    return Piece(at(0, 0, content.body, scale), content.width, height)
