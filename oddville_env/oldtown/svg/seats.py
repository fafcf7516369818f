"""The seats: what each owns and holds, hands open where the view allows it."""

from collections.abc import Mapping
from typing import Any

from oddville_env.core.svg.elements import Fragment, at, below, beside, bold, extent, symbol, text
from oddville_env.core.svg.page import PAD
from oddville_env.core.svg.palette import MUTED, SEAT_NAMES
from oddville_env.core.svg.seats import areas, badges, width_of, within
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.svg.clues import hidden_hand, open_hand
from oddville_env.oldtown.svg.symbols import hat, points, tile

OWN = 74.0
HOUSE = 0.62
WIDE = 360.0  # of a seat's content that has room for two columns of cards
FIXED = 330.0  # the height of a content that never changes


def seats(position: Mapping[str, Any], deck: Deck, fixed: bool) -> Fragment:
    """All seats side by side, equally wide and high; fixed: as high all through a game."""
    players, width = range(position["players"]), width_of(position["players"])
    contents = [_content(position, seat, deck, width - 2 * PAD) for seat in players]
    if fixed:
        contents = [within(content, FIXED) for content in contents]
    return areas(contents, [_heading(position, seat, width) for seat in players], position["to_move"])


def _heading(position: Mapping[str, Any], seat: int, width: float) -> str:
    name = SEAT_NAMES[seat]
    return (
        symbol(PAD + 13, 18, 27, hat(seat))
        + bold(PAD + 33, 18.5, name, 14)
        + at(PAD + 45 + extent(name, 14), 9, badges(describe.roles(position, seat)))
        + symbol(width - PAD - 8, 18, 18, points())
        + bold(width - PAD - 22, 18.5, position["seats"][seat]["score"], 16, text_anchor="end")
    )


def _content(position: Mapping[str, Any], seat: int, deck: Deck, width: float) -> Fragment:
    area = position["seats"][seat]
    own = _own(area, deck, width)
    if isinstance(area["hand"], int):
        return below([own, hidden_hand(area["hand"], width)], 10)
    shown = position["shown"] if position["to_move"] == seat else None
    return below([own, open_hand(deck, area["hand"], shown, width, 2 if width > WIDE else 1)], 10)


def _own(area: Mapping[str, Any], deck: Deck, width: float) -> Fragment:
    """[B1] The own buildings, and how many cards the own stack has."""
    houses = [_house(deck, deck.index(key)) for key in area["mine"]]
    drawn = beside(houses, 14).body if houses else text(0, OWN / 2, "owns no building now", 11.5, fill=MUTED)
    stack = describe.size(area["own"])
    label = text(width, OWN / 2, f"own stack {stack}", 11.5, fill=MUTED, text_anchor="end") if stack else ""
    return Fragment(drawn + label, width, OWN)


def _house(deck: Deck, building: int) -> Fragment:
    name = deck.buildings[building].name
    width = max(100 * HOUSE, extent(name, 10.5))
    house = at((width - 100 * HOUSE) / 2, 6, tile(deck, building), HOUSE)
    return Fragment(house + text(width / 2, OWN - 7, name, 10.5, text_anchor="middle"), width, OWN)
