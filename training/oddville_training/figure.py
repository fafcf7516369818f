"""The style of figures: SVG that is the same bytes for the same data, readable on light and dark pages."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

WIDTH = 7.6  # inches, of every picture
INK = "#010203"  # stands for the colour of the page's text, wherever the picture is shown
COLOURS = ("#1B7FC0", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")  # after Okabe and Ito: colour-blind safe
LIGHT, DARK = ("#1f2328", "#ffffff"), ("#e6edf3", "#0d1117")  # ink and paper
LUMINANCE, MIDDLE = (0.2126, 0.7152, 0.0722), 0.215  # of red, green, blue; where dark letters begin to read better
LONGEST, END = 22, 12  # letters of a name in a picture, and how many of them are its last ones where it is cut

STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.edgecolor": "none",
    "figure.facecolor": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.left": False,
}
FONTS = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
PAGES = [f".picture{{color:{ink};background:{paper}}}" for ink, paper in (LIGHT, DARK)]
SHEET = f"<style>{PAGES[0]}@media(prefers-color-scheme:dark){{{PAGES[1]}}}</style>"


class SvgFigure:
    """A picture in the making: its axes, those of all panels, and its SVG when the block has ended."""

    axes: Axes
    panels: list[Axes]
    svg: str


@contextmanager
def drawing(name: str, height: float, panels: int = 1) -> Iterator[SvgFigure]:
    """Axes to draw on, `height` inches high; the picture's name keeps its ids apart from those of others on a page.

    panels: beside each other, with one scale upward; `axes` are those of the first.
    """
    made = SvgFigure()
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, height))
        made.panels = list(figure.subplots(1, panels, sharey=True, squeeze=False)[0])
        made.axes = made.panels[0]
        yield made
        file = io.StringIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # the reader's fonts draw the letters, not ours
            FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None, "Creator": None})  # savefig draws twice
    svg = file.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r"<[^>]+>", lambda tag: _retold(tag[0], name), svg)
    made.svg = svg.replace(">", f">\n {SHEET}", 1)


def _retold(tag: str, name: str) -> str:
    """A tag of the SVG in the page's ink and fonts, with ids of its own; texts between tags are left alone."""
    tag = tag.replace("<svg ", '<svg class="picture" role="img" ').replace(INK, "currentColor")
    tag = re.sub(r"font-family: [^;]+;", f"font-family: {FONTS};", tag)
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", tag)


def label(name: str) -> str:
    """A name as a picture can show it: letters that can be printed, not too many."""
    clean = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
    return clean if len(clean) <= LONGEST else f"{clean[: LONGEST - END - 1]}…{clean[-END:]}"


def ink_on(colour: Any) -> str:
    """The colour of letters that can be read on a ground of any colour that matplotlib knows."""
    light = sum(weight * part**2.2 for weight, part in zip(LUMINANCE, to_rgb(colour), strict=True))
    return LIGHT[0] if light > MIDDLE else LIGHT[1]
