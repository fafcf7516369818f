"""The sign of every building, drawn around (0, 0) in a box from -10 to 10 in one colour upon a ground."""

from collections.abc import Callable
from math import cos, pi, sin

from oddville_env.core.svg.elements import bold, box, disc, group, path

Emblem = Callable[[str, str], str]
"""(colour, ground) -> the drawing."""


def emblem(key: str, name: str, colour: str, ground: str) -> str:
    """A building's sign; one that another deck has brought along shows its first letter."""
    if key in EMBLEMS:
        return EMBLEMS[key](colour, ground)
    return bold(0, 0, name[:1].upper(), 17, fill=colour, text_anchor="middle")


def _wheel(colour: str, ground: str) -> str:
    turns = [pi * number / 4 for number in range(4)]
    spokes = " ".join(f"M{-8 * cos(t):.2f} {-8 * sin(t):.2f} L{8 * cos(t):.2f} {8 * sin(t):.2f}" for t in turns)
    rim = disc(0, 0, 8.2, fill="none", stroke=colour, stroke_width=2.6)
    return rim + path(spokes, stroke=colour, stroke_width=1.7) + disc(0, 0, 2.6, fill=colour)


def _coffin(colour: str, ground: str) -> str:
    lid = path("M-3.2 -10 H3.2 L6.6 -4.6 L3.6 10 H-3.6 L-6.6 -4.6 Z", fill=colour)
    return lid + path("M0 -7 V3 M-3 -4 H3", stroke=ground, stroke_width=1.8)


def _horseshoe(colour: str, ground: str) -> str:
    iron = "M-7.6 9.4 V6.6 H-6.4 Q-9 3 -8.4 -1.6 Q-7 -9.4 0 -9.4 Q7 -9.4 8.4 -1.6 Q9 3 6.4 6.6 H7.6 V9.4 H3 V6.6"
    hollow = "Q5.4 2.6 5 -1 Q4 -5.6 0 -5.6 Q-4 -5.6 -5 -1 Q-5.4 2.6 -3 6.6 V9.4 Z"
    nails = ((-6.7, -1.4), (-4.6, -5.6), (4.6, -5.6), (6.7, -1.4))
    return path(f"{iron} {hollow}", fill=colour) + "".join(disc(x, y, 0.9, fill=ground) for x, y in nails)


def _bell(colour: str, ground: str) -> str:
    handle = path("M-2.4 -6 V-9 H2.4 V-6", fill="none", stroke=colour, stroke_width=1.8)
    body = path("M-9 6 Q-6.4 3.6 -6.2 -0.4 Q-6 -6.6 0 -6.6 Q6 -6.6 6.2 -0.4 Q6.4 3.6 9 6 Z", fill=colour)
    return handle + body + disc(0, 7.8, 2.2, fill=colour)


def _star(colour: str, ground: str) -> str:
    turns = [-pi / 2 + 2 * pi * number / 5 for number in range(5)]
    tips = [(8.4 * cos(turn), 8.4 * sin(turn)) for turn in turns]
    dents = [(3.9 * cos(turn + pi / 5), 3.9 * sin(turn + pi / 5)) for turn in turns]
    points = [f"{x:.2f} {y:.2f}" for pair in zip(tips, dents, strict=True) for x, y in pair]
    knobs = "".join(disc(round(x, 2), round(y, 2), 1.5, fill=colour) for x, y in tips)
    return path(f"M{' L'.join(points)} Z", fill=colour) + knobs + disc(0, 0, 1.9, fill=ground)


def _mortar(colour: str, ground: str) -> str:
    pestle = path("M1 -2 L6.6 -9", stroke=colour, stroke_width=3.2, stroke_linecap="round")
    return pestle + path("M-9 -3 H9 V-0.4 H7.8 Q7 5.4 3 6.8 V7.4 H5 V9.6 H-5 V7.4 H-3 V6.8 Q-7 5.4 -7.8 -0.4 H-9 Z",
                         fill=colour)  # fmt: skip


def _shirt(colour: str, ground: str) -> str:
    cloth = "M-4 -8.4 L-10 -4.6 L-7.4 0.6 L-5 -0.8 V9.4 H5 V-0.8 L7.4 0.6 L10 -4.6 L4 -8.4 Q0 -5 -4 -8.4 Z"
    return path(cloth, fill=colour) + "".join(disc(0, y, 0.9, fill=ground) for y in (-1.6, 2.2, 6))


def _cross(colour: str, ground: str) -> str:
    return path("M-2 -10 H2 V-5 H7.4 V-1 H2 V10 H-2 V-1 H-7.4 V-5 H-2 Z", fill=colour)


def _newspaper(colour: str, ground: str) -> str:
    sheet = path("M-9 -7 L-2 -9.4 V8 L-9 9.6 Z M-1 -9.4 L9 -7 V9.6 L-1 8 Z", fill=colour)
    lines = "M-7.6 -3.6 L-3.4 -5 M-7.6 0 L-3.4 -1 M-7.6 3.4 L-3.4 2.4 M-7.6 6.6 L-3.4 5.8 M1 2 L7.4 3.4 M1 5.4 L7.4 6.6"
    return sheet + path(lines, stroke=ground, stroke_width=1.3) + path("M1 -6.6 L7.4 -5 V0.6 L1 -0.8 Z", fill=ground)


def _mug(colour: str, ground: str) -> str:
    foam = "".join(disc(x, y, r, fill=colour) for x, y, r in ((-5, -5.8, 3), (-1, -7.2, 3.2), (3, -5.8, 3)))
    handle = path("M4.6 -2 H8.4 V6 H4.6", fill="none", stroke=colour, stroke_width=2.2, stroke_linejoin="round")
    staves = path("M-4 -1 V6.6 M-0.6 -1 V6.6 M2.8 -1 V6.6", stroke=ground, stroke_width=1.4)
    return foam + handle + box(-6.8, -5, 12, 14.4, 1.6, fill=colour) + staves


def _spade(colour: str, ground: str) -> str:
    leaf = "M0 -10 Q3 -5 7.4 -1.4 Q9.6 1 8 4 Q5.6 7 1.4 4.4 Q1.6 8 4 9.6 H-4 Q-1.6 8 -1.4 4.4"
    return path(f"{leaf} Q-5.6 7 -8 4 Q-9.6 1 -7.4 -1.4 Q-3 -5 0 -10 Z", fill=colour)


def _bag(colour: str, ground: str) -> str:
    handle = path("M-4 -5 Q-4 -9 0 -9 Q4 -9 4 -5", fill="none", stroke=colour, stroke_width=2)
    plus = path("M0 -1.6 V6.4 M-4 2.4 H4", stroke=ground, stroke_width=2.4)
    return handle + path("M-7 -5 H7 L9.6 9 H-9.6 Z", fill=colour) + plus


def _scales(colour: str, ground: str) -> str:
    stand = path("M0 -9 V8 M-8 -6.4 H8", stroke=colour, stroke_width=1.9, stroke_linecap="round")
    cords = "M-7 -6.4 L-9.6 1 M-7 -6.4 L-4.4 1 M7 -6.4 L4.4 1 M7 -6.4 L9.6 1"
    pans = path("M-10 1 H-4 Q-4.4 4.4 -7 4.4 Q-9.6 4.4 -10 1 Z M4 1 H10 Q9.6 4.4 7 4.4 Q4.4 4.4 4 1 Z", fill=colour)
    return stand + path(cords, stroke=colour, stroke_width=0.9) + pans + box(-4.6, 7.6, 9.2, 2.2, 1, fill=colour)


def _bars(colour: str, ground: str) -> str:
    frame = box(-8.4, -8.4, 16.8, 16.8, 1.5, fill="none", stroke=colour, stroke_width=2.6)
    return frame + path("M-4.2 -8 V8 M0 -8 V8 M4.2 -8 V8", stroke=colour, stroke_width=2)


def _coin(colour: str, ground: str) -> str:
    return disc(0, 0, 9.2, fill=colour) + bold(0, 0.2, "$", 15, fill=ground, text_anchor="middle")


def _key(colour: str, ground: str) -> str:
    ring = disc(0, -5, 3.6, fill="none", stroke=colour, stroke_width=2.6)
    return ring + path("M0 -1.4 V9.4 M0 5 H4.4 M0 8.4 H4.4", stroke=colour, stroke_width=2.4)


def _anvil(colour: str, ground: str) -> str:
    body = "M-10 -5 H-4.6 V-6.6 H9 V-3 Q4 -1.6 3.2 1.6 Q3.4 4.4 6.4 5 V8.4 H-5.4 V5 Q-2 4.4 -2 1.6 Q-2.4 -1 -5 -1.4"
    return path(f"{body} Q-9 -2 -10 -5 Z", fill=colour)


def _pole(colour: str, ground: str) -> str:
    shaft = box(-3.4, -6.4, 6.8, 12.8, fill=colour)
    stripes = path("M-3.4 -2 L3.4 -5.6 M-3.4 2.2 L3.4 -1.4 M-3.4 6.2 L3.4 2.6", stroke=ground, stroke_width=1.7)
    caps = box(-4.8, -8.4, 9.6, 2.6, 1, fill=colour) + box(-4.8, 5.8, 9.6, 2.6, 1, fill=colour)
    return group(shaft, stripes, caps, disc(0, -9, 1.9, fill=colour))


EMBLEMS: dict[str, Emblem] = {
    "stage_coach_office": _wheel,
    "undertaker": _coffin,
    "stable": _horseshoe,
    "school": _bell,
    "sheriff": _star,
    "drugstore": _mortar,
    "laundry": _shirt,
    "church": _cross,
    "printers": _newspaper,
    "saloon": _mug,
    "casino": _spade,
    "doc": _bag,
    "judge": _scales,
    "prison": _bars,
    "bank": _coin,
    "hotel": _key,
    "smith": _anvil,
    "barber": _pole,
}
