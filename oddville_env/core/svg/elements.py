"""A tiny pen: SVG elements as strings, and fragments of known size that are laid beside and below each other."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from oddville_env.core.svg.palette import INK, MUTED, Shades

CAPITAL = 0.36
"""Half the height of a capital letter, in font sizes: text is placed by its middle."""

SYMBOL = 20  # the side of a shape's box

FONT = "DejaVu Sans, Verdana, sans-serif"
NARROW = frozenset("fijlrtI .,:;'!()")
WIDE = frozenset("mwMW%@")


class Fragment(NamedTuple):
    """A part of a picture, with its upper left corner at (0, 0)."""

    body: str
    width: float
    height: float


def element(name: str, *children: str, **attributes: object) -> str:
    """One element; `stroke_width` becomes `stroke-width`, numbers are written short."""
    written = "".join([_attribute(key, value) for key, value in attributes.items()])
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


@lru_cache(2**14, typed=True)
def _attribute(key: str, value: object) -> str:
    """Pictures say the same again and again: remembered, a picture takes half the time."""
    return f" {key.replace('_', '-')}={quoteattr(_short(value))}"


def _short(value: object) -> str:
    """Of equal numbers equal texts, so no -0."""
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def group(*children: str, **attributes: object) -> str:
    """Children drawn as one."""
    return element("g", *children, **attributes)


def part(name: str, *children: str, **attributes: object) -> str:
    """Children that a page knows by a name: `data-part`."""
    return group(*children, data_part=name, **attributes)


def hint(words: str) -> str:
    """The text that a browser shows when the pointer rests on the group."""
    return element("title", escape(words))


def at(x: float, y: float, body: str, scale: float = 1.0) -> str:
    """The body moved to (x, y) and enlarged."""
    enlarged = "" if scale == 1.0 else f" scale({_short(float(scale))})"
    return group(body, transform=f"translate({_short(float(x))} {_short(float(y))}){enlarged}")


def text(x: float, y: float, words: object, size: float = 12.0, **attributes: object) -> str:
    """Words whose middle height is y; x is their left end unless `text_anchor` says otherwise."""
    style: dict[str, object] = {"font_size": size, "fill": INK} | attributes
    return element("text", escape(str(words)), x=x, y=y + CAPITAL * size, **style)


def titled(x: float, y: float, words: str, remark: str) -> str:
    """A heading with a quiet remark running on behind it."""
    quiet = element("tspan", escape(remark), font_size=10.5, font_weight="normal", fill=MUTED, dx=8)
    return element("text", escape(words), quiet, x=x, y=y + CAPITAL * 13, font_size=13, font_weight="bold", fill=INK)


def bold(x: float, y: float, words: object, size: float = 12.0, **attributes: object) -> str:
    """Words in bold."""
    return text(x, y, words, size, font_weight="bold", **attributes)


def extent(words: str, size: float) -> float:
    """About how wide words come out, rather too wide than too narrow: fonts differ."""
    return size * sum(0.36 if letter in NARROW else 0.98 if letter in WIDE else 0.64 for letter in words)


def box(x: float, y: float, width: float, height: float, radius: float = 0.0, **attributes: object) -> str:
    """A rectangle with round corners."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, **attributes)


def disc(x: float, y: float, radius: float, **attributes: object) -> str:
    """A circle."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def path(line: str, **attributes: object) -> str:
    """A path."""
    return element("path", d=line, **attributes)


@cache
def shapes(sheet: Path) -> Mapping[str, str]:
    """The symbols of an SVG file by their ids, each as one line."""
    found = re.findall(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', sheet.read_text(encoding="utf-8"), re.DOTALL)
    return {name: "".join(line.strip() for line in body.splitlines()) for name, body in found}


def coloured(shape: str, shades: Shades) -> str:
    """A shape in these colours, which its file names `var(--pale)`, `var(--full)` and `var(--ink)`."""
    return re.sub(r"var\(--(\w+)\)", lambda name: str(getattr(shades, name[1])), shape)


def symbol(x: float, y: float, size: float, shape: str) -> str:
    """A shape that is drawn around (0, 0) in a box from -10 to 10, with its middle at (x, y)."""
    return at(x, y, shape, size / SYMBOL)


def beside(fragments: Iterable[Fragment], gap: float) -> Fragment:
    """Fragments from left to right."""
    return _laid(list(fragments), gap, across=True)


def below(fragments: Iterable[Fragment], gap: float) -> Fragment:
    """Fragments from top to bottom."""
    return _laid(list(fragments), gap, across=False)


def _laid(fragments: Sequence[Fragment], gap: float, across: bool) -> Fragment:
    bodies, end, thick = [], 0.0, 0.0
    for fragment in fragments:
        bodies.append(at(end, 0, fragment.body) if across else at(0, end, fragment.body))
        end += (fragment.width if across else fragment.height) + gap
        thick = max(thick, fragment.height if across else fragment.width)
    length = max(end - gap, 0.0)
    return Fragment("".join(bodies), length, thick) if across else Fragment("".join(bodies), thick, length)
