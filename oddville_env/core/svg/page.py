"""The page: its measures, the frame of a panel, the whole as one SVG, and the areas of the seats side by side."""

from collections.abc import Iterable, Sequence

from oddville_env.core.svg.elements import FONT, Fragment, at, beside, bold, box, element, extent, titled
from oddville_env.core.svg.palette import GLOW, INK, PANEL, PAPER, RIM, SEAT_COLOURS, WHITE

PAGE = 1200.0
EDGE = 16.0
GAP = 12.0
PAD = 12.0
INNER = PAGE - 2 * EDGE
HEADING = 24.0
SMALL = 10.5


def panel(title: str, remark: str, content: Fragment, height: float) -> Fragment:
    """A framed part of the page: a heading, a remark beside it, the content below."""
    width = content.width + 2 * PAD
    frame = box(0.5, 0.5, width - 1, height - 1, 9, fill=PANEL, stroke=RIM)
    return Fragment(frame + titled(PAD, PAD + 6, title, remark) + at(PAD, PAD + HEADING, content.body), width, height)


def picture(content: Fragment, even: bool = False) -> str:
    """The content on paper; even: an even number of pixels high, as films want it."""
    height = content.height + 2 * EDGE
    ground = box(0, 0, PAGE, height, fill=PAPER)
    pixels = 2 * round(height / 2) if even else round(height)
    return sheet(ground + at(EDGE, EDGE, content.body), PAGE, height, pixels)


def sheet(body: str, width: float, height: float, pixels: int) -> str:
    """A whole SVG file of a width and a height, the latter in whole pixels too."""
    size = {"width": round(width), "height": pixels, "viewBox": f"0 0 {width:g} {height:g}"}
    return element("svg", body, xmlns="http://www.w3.org/2000/svg", version="1.1", **size, font_family=FONT)


HEAD = 34.0
BADGES = {"to move": (GLOW, WHITE), "turn": (INK, WHITE), "you": (INK, WHITE), "first": (WHITE, INK)}
"""The roles that a seat may have at the moment, with the colours of the badge and of its ink."""


def width_of(players: int) -> float:
    """The width of each seat's area."""
    return (INNER - GAP * (players - 1)) / players


def areas(contents: Sequence[Fragment], headings: Sequence[str], to_move: int | None) -> Fragment:
    """All seats side by side, equally wide and high; the one to move has a coloured edge."""
    width, height = width_of(len(contents)), max(content.height for content in contents) + HEAD + 2 * PAD
    pairs = zip(headings, contents, strict=True)
    drawn = [_area(seat, seat == to_move, *pair, width, height) for seat, pair in enumerate(pairs)]
    return beside(drawn, GAP)


def _area(seat: int, moves: bool, heading: str, content: Fragment, width: float, height: float) -> Fragment:
    edge = {"stroke": SEAT_COLOURS[seat].full, "stroke_width": 3} if moves else {"stroke": RIM, "stroke_width": 1}
    body = (
        box(1, 1, width - 2, height - 2, 9, fill=PANEL)
        + box(1, 1, width - 2, HEAD, 9, fill=SEAT_COLOURS[seat].pale)
        + box(1, 1, width - 2, height - 2, 9, fill="none", **edge)
        + heading
        + at(PAD, HEAD + PAD, content.body)
    )
    return Fragment(body, width, height)


def badges(roles: Iterable[str]) -> str:
    """A badge for each role that a seat has at the moment, a word of BADGES."""
    return beside([badge(role, *BADGES[role]) for role in roles], 4).body


def badge(words: str, colour: str, ink: str) -> Fragment:
    """Words on a small coloured ground."""
    width = extent(words, 9.5) + 10
    body = box(0, 0, width, 18, 9, fill=colour) + bold(width / 2, 9, words, 9.5, fill=ink, text_anchor="middle")
    return Fragment(body, width, 18)


def within(content: Fragment, height: float) -> Fragment:
    """A content that takes exactly so much of the page, made smaller where it is higher."""
    scale = height / max(content.height, height)
    return Fragment(at(0, 0, content.body, scale), content.width, height)
