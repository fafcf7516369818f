"""The page: its measures, the frame of a panel, and the whole as one SVG."""

from oddville_env.core.svg.elements import FONT, Fragment, at, box, element, titled
from oddville_env.core.svg.palette import PANEL, PAPER, RIM

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
    return element(
        "svg",
        box(0, 0, PAGE, height, fill=PAPER),
        at(EDGE, EDGE, content.body),
        xmlns="http://www.w3.org/2000/svg",
        version="1.1",
        width=round(PAGE),
        height=2 * round(height / 2) if even else round(height),
        viewBox=f"0 0 {PAGE:g} {height:g}",
        font_family=FONT,
    )
