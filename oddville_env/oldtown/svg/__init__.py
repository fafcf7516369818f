"""A position as one picture: plain SVG 1.1 that a browser, a notebook and a rasteriser show alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.elements import Fragment, at, below, beside, bold, box, extent, symbol, text
from oddville_env.core.svg.page import GAP, HEADING, INNER, PAD, areas, badges, panel, picture, width_of, within
from oddville_env.core.svg.palette import MUTED, PANEL, RIM, SEAT_COLOURS, SEAT_NAMES
from oddville_env.core.svg.thoughts import Thought, thoughts_panel
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.svg.clues import hidden_hand, open_hand
from oddville_env.oldtown.svg.symbols import back, hat, points, tile, token
from oddville_env.oldtown.svg.town import TOWN, town

FRAME = 6.0


def draw(
    position: Mapping[str, Any],
    deck: Deck,
    last: Mapping[str, Any] | None = None,
    fixed: bool = False,
    thoughts: Sequence[Thought] = (),
) -> str:
    """The position as an SVG; all positions have the same room, whatever the last one is.

    It shows what the position tells: as a seat sees it, the other hands lie face down. `thoughts` are moves and what
    an agent thinks of them. `fixed` makes all pictures of a game equally high, an even number of pixels, as films want
    it: hands get smaller as they grow.
    """
    minds = [thoughts_panel(thoughts)] if thoughts else []
    page = below([header(position, deck), _middle(position, deck), *minds, seats(position, deck, fixed)], GAP)
    return picture(page, even=fixed)


def _middle(position: Mapping[str, Any], deck: Deck) -> Fragment:
    """The town, and beside it all that lies there."""
    side = TOWN + 2 * FRAME
    frame = box(0.5, 0.5, side - 1, side - 1, 12, fill=PANEL, stroke=RIM)
    left = Fragment(frame + at(FRAME, FRAME, town(deck, position["buildings"]).body), side, side)
    width = INNER - side - GAP
    upper = buildings(position, deck, width)
    right = below([upper, stacks(position, width, side - upper.height - GAP)], GAP)
    return Fragment(left.body + at(side + GAP, 0, right.body), INNER, side)


HEADER = 54.0
SPEECH = 300.0
LINE = 27.4
NAME, STATE = 34.0, 182.0  # where the columns begin


def header(position: Mapping[str, Any], deck: Deck) -> Fragment:
    """The seat to move and its prompt, and the turn; at the end the result."""
    seat = describe.ranking(position)[0] if position["to_move"] is None else position["to_move"]
    ending = f" · {position['end']}" if position["end"] else ""
    body = (
        box(0.5, 0.5, INNER - 1, HEADER - 1, 9, fill=SEAT_COLOURS[seat].pale, stroke=SEAT_COLOURS[seat].full)
        + at(14, 7, tile(deck, deck.index("saloon") if "saloon" in deck.keys else 0), 0.45)
        + bold(72, HEADER / 2, "Old Town", 24)
        + symbol(SPEECH - 30, HEADER / 2, 40, hat(seat))
        + bold(SPEECH, 18, describe.headline(position), 16)
        + text(SPEECH, 38, describe.prompt(position) + ending, 12)
        + bold(INNER - 16, 18, f"Turn {position['turn']}", 16, text_anchor="end")
        + text(INNER - 16, 38, f"{len(position['played'])} cards played", 11, fill=MUTED, text_anchor="end")
    )
    return Fragment(body, INNER, HEADER)


def buildings(position: Mapping[str, Any], deck: Deck, width: float) -> Fragment:
    """A line for each building: its token, its name, where it may be, and whose it is."""
    lines = below([_building(position, deck, number, width - 2 * PAD) for number in range(len(deck.keys))], 0)
    return panel("Buildings", "and whose they are", lines, lines.height + HEADING + 2 * PAD)


def _building(position: Mapping[str, Any], deck: Deck, number: int, width: float) -> Fragment:
    key, middle = deck.keys[number], LINE / 2
    lots = position["buildings"][key]
    body = symbol(12, middle, 23, token(deck, number)) + bold(NAME, middle, deck.buildings[number].name, 12)
    if lots is None:
        body += text(STATE, middle, "unknown", 11.5, fill=MUTED)
    else:
        may_be = f"may be on {describe.one_of([lot - 1 for lot in lots])}"
        body += text(STATE, middle, f"stands on {lots[0]}" if len(lots) == 1 else may_be, 11.5)
    owner = next((seat for seat, area in enumerate(position["seats"]) if key in area["mine"]), None)
    if owner is not None:
        body += symbol(width - 12, middle, 22, hat(owner))
    elif key in position["supply"]:
        body += text(width, middle, "supply", 10.5, fill=MUTED, text_anchor="end")
    return Fragment(body, width, LINE)


def stacks(position: Mapping[str, Any], width: float, height: float) -> Fragment:
    """The common stack, face down."""
    left = describe.size(position["common"])
    sheets = "".join(at(shift, shift, back()) for shift in (0, 3, 6)[: min(left, 3)])
    words = bold(62, 18, f"{left} cards", 14) + text(62, 38, "in the common stack", 11.5, fill=MUTED)
    content = Fragment(sheets + words, width - 2 * PAD, height - HEADING - 2 * PAD)
    return panel("Stack", "all draw from it", content, height)


OWN = 74.0
HOUSE = 0.62
WIDE = 360.0  # of a seat's content that has room for two columns of cards


def seats(position: Mapping[str, Any], deck: Deck, fixed: bool) -> Fragment:
    """All seats side by side, equally wide and high; fixed: as high all through a game."""
    players, width = range(position["players"]), width_of(position["players"])
    contents = [_content(position, seat, deck, width - 2 * PAD) for seat in players]
    if fixed:
        contents = [within(content, 330.0) for content in contents]
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
