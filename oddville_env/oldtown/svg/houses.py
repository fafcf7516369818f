"""The buildings as they stand: fronts on a ground at y = 86, 100 wide, each with its sign."""

from collections.abc import Callable, Sequence

from oddville_env.core.svg.elements import at, box, disc, group, path
from oddville_env.core.svg.palette import Shades
from oddville_env.oldtown.svg.emblems import emblem
from oddville_env.oldtown.svg.palette import GLASS, NIGHT, TIMBER

WIDE, GROUND = 100.0, 86.0
MIDDLE = WIDE / 2

Front = Callable[[Shades, str], str]
"""(colours, sign drawn around (0, 0)) -> the house."""


def house(key: str, name: str, shades: Shades) -> str:
    """A building's front; one that another deck has brought along is a plain one."""
    sign = disc(0, 0, 12, fill=shades.full) + at(0, 0, emblem(key, name, shades.ink, shades.full), 0.78)
    return group(FRONTS.get(key, _plain)(shades, sign), stroke_linejoin="round")


def _wall(line: str, shades: Shades) -> str:
    return path(line, fill=shades.pale, stroke=shades.full, stroke_width=2)


def _planks(left: float, right: float, tops: Sequence[float], shades: Shades) -> str:
    lines = " ".join(f"M{left:g} {y:g} H{right:g}" for y in tops)
    return path(lines, stroke=shades.full, stroke_width=0.8, opacity=0.35)


def _roof(line: str, shades: Shades) -> str:
    return path(line, fill=shades.full, stroke=shades.full, stroke_width=2)


def _door(x: float, width: float = 16, height: float = 26) -> str:
    return box(x - width / 2, GROUND - height, width, height, 1, fill=NIGHT) + disc(
        x + width / 2 - 3.4, GROUND - height / 2, 1.3, fill=GLASS
    )


def _window(x: float, y: float, width: float = 14, height: float = 14) -> str:
    left, top = x - width / 2, y - height / 2
    cross = f"M{x:g} {top:g} v{height:g} M{left:g} {y:g} h{width:g}"
    pane = box(left, top, width, height, fill=GLASS, stroke=TIMBER, stroke_width=1.8)
    return pane + path(cross, stroke=TIMBER, stroke_width=1.2)


def _porch(left: float, right: float, y: float, shades: Shades) -> str:
    posts = f"M{left + 3:g} {y:g} V{GROUND:g} M{right - 3:g} {y:g} V{GROUND:g}"
    roof = _roof(f"M{left:g} {y:g} L{left + 5:g} {y - 7:g} H{right - 5:g} L{right:g} {y:g} Z", shades)
    return path(posts, stroke=TIMBER, stroke_width=3) + roof


def _columns(xs: Sequence[float], top: float, shades: Shades) -> str:
    shafts = "".join(box(x - 3, top, 6, GROUND - top, fill="#FFFFFF", stroke=shades.full) for x in xs)
    caps = "".join(box(x - 4.6, top - 1, 9.2, 3.4, fill=shades.full) for x in xs)
    return shafts + caps


def _plain(shades: Shades, sign: str) -> str:
    front = _wall(f"M14 {GROUND} V16 H86 V{GROUND} Z", shades) + _roof("M10 10 H90 V17 H10 Z", shades)
    return front + at(MIDDLE, 35, sign) + _door(MIDDLE) + _window(27, 64) + _window(73, 64)


def _stage_coach_office(shades: Shades, sign: str) -> str:
    front = _wall(f"M6 {GROUND} V30 H22 V20 H34 V10 H66 V20 H78 V30 H94 V{GROUND} Z", shades)
    gate = path(f"M58 {GROUND} V58 Q58 46 72 46 Q86 46 86 58 V{GROUND} Z", fill=NIGHT)
    doors = path(f"M72 46 V{GROUND} M58 62 H86", stroke=TIMBER, stroke_width=2)
    boards = _planks(8, 92, (38, 46, 54, 62, 70, 78), shades)
    return front + boards + gate + doors + at(MIDDLE, 28, sign) + _door(22, 14) + _window(42, 64, 12, 14)


def _undertaker(shades: Shades, sign: str) -> str:
    front = _wall(f"M16 {GROUND} V40 L50 12 L84 40 V{GROUND} Z", shades)
    eaves = path("M10 44 L50 9 L90 44", fill="none", stroke=shades.full, stroke_width=6)
    coffin = path("M-5 -20 H5 L10 -11 L5 13 H-5 L-10 -11 Z", fill=TIMBER, stroke=NIGHT, stroke_width=1.5)
    lid = path("M0 -14 V2 M-4.6 -9 H4.6", stroke=NIGHT, stroke_width=2)
    return front + eaves + at(MIDDLE, 38, sign) + _door(MIDDLE, 16, 28) + at(78, 73, coffin + lid) + _window(29, 65)


def _stable(shades: Shades, sign: str) -> str:
    front = _wall(f"M10 {GROUND} V44 L24 22 L50 10 L76 22 L90 44 V{GROUND} Z", shades)
    eaves = path("M6 48 L22 20 L50 7 L78 20 L94 48", fill="none", stroke=shades.full, stroke_width=6)
    gate = box(31, 50, 38, 36, fill=shades.full) + path(
        "M31 50 L50 86 M50 50 L31 86 M50 50 L69 86 M69 50 L50 86 M50 50 V86", stroke=shades.pale, stroke_width=2
    )
    return front + eaves + gate + at(MIDDLE, 32, sign) + _window(20, 64, 11, 13) + _window(80, 64, 11, 13)


def _school(shades: Shades, sign: str) -> str:
    tower = _wall("M40 34 V14 H60 V34 Z", shades) + _roof("M36 15 L50 2 L64 15 Z", shades)
    bell = path("M45.5 27 Q46 19 50 19 Q54 19 54.5 27 Z", fill=NIGHT)
    flag = path("M62 4 V-8", stroke=TIMBER, stroke_width=2) + path("M63 -8 L76 -4.6 L63 -1 Z", fill=shades.full)
    front = _wall(f"M8 {GROUND} V50 L50 26 L92 50 V{GROUND} Z", shades)
    eaves = path("M3 53 L50 25 L97 53", fill="none", stroke=shades.full, stroke_width=5)
    return (
        at(0, 2, tower + bell + flag)
        + front
        + eaves
        + at(MIDDLE, 46, sign)
        + _door(MIDDLE, 15, 23)
        + "".join(_window(x, 70, 12, 15) for x in (20, 34, 66, 80))
    )


def _sheriff(shades: Shades, sign: str) -> str:
    front = _wall(f"M12 {GROUND} V12 H88 V{GROUND} Z", shades) + _planks(13, 87, (20, 28, 36, 44), shades)
    cornice = _roof("M9 7 H91 V13 H9 Z", shades)
    barred = _window(72, 68, 16, 16) + path("M68 60 V76 M76 60 V76", stroke=NIGHT, stroke_width=2)
    return front + cornice + at(MIDDLE, 30, sign) + _door(34, 17, 28) + barred + _porch(4, 96, 55, shades)


def _drugstore(shades: Shades, sign: str) -> str:
    front = _wall(f"M12 {GROUND} V30 Q12 22 22 22 Q50 -8 78 22 Q88 22 88 30 V{GROUND} Z", shades)
    shelf = box(44, 54, 38, 24, fill=GLASS, stroke=TIMBER, stroke_width=2)
    bottles = "".join(
        path(f"M{x} 76 v-9 h2 v-4 h4 v4 h2 v9 Z", fill=colour)
        for x, colour in ((48, "#24897A"), (58, "#C23B2A"), (68, "#7286C4"))
    )
    stripes = path("M42 45 H84 L88 54 H38 Z", fill=shades.full) + path(
        "M52 45 L50 54 M63 45 V54 M74 45 L76 54", stroke="#FFFFFF", stroke_width=3
    )
    return front + at(MIDDLE, 24, sign) + _door(25, 15, 30) + shelf + bottles + stripes


def _laundry(shades: Shades, sign: str) -> str:
    front = _wall(f"M14 {GROUND} V36 H86 V{GROUND} Z", shades) + _roof("M10 30 H90 V38 H10 Z", shades)
    line = path("M14 30 V6 M86 30 V6 M14 10 Q50 18 86 10", fill="none", stroke=TIMBER, stroke_width=2)
    cloth = path("M22 12 h12 v13 h-12 Z M66 13 h12 v13 h-12 Z", fill="#FFFFFF", stroke=shades.full, stroke_width=1.4)
    shirt = at(50, 22, emblem("laundry", "", shades.full, "#FFFFFF"), 0.85)
    tub = path("M66 86 V76 H86 V86 Z", fill=TIMBER) + path("M64 76 Q76 66 88 76 Z", fill="#FFFFFF", stroke=TIMBER)
    return line + cloth + shirt + front + at(MIDDLE, 52, sign) + _door(34, 15, 24) + tub


def _church(shades: Shades, sign: str) -> str:
    nave = _wall(f"M42 {GROUND} V52 L68 36 L94 52 V{GROUND} Z", shades)
    eaves = path("M40 54 L68 34 L97 54", fill="none", stroke=shades.full, stroke_width=4)
    tower = _wall(f"M14 {GROUND} V30 H42 V{GROUND} Z", shades) + _roof("M10 31 L28 2 L46 31 Z", shades)
    cross = path("M28 3 V-12 M22.6 -7.4 H33.4", stroke=shades.full, stroke_width=3)
    door = path(f"M21 {GROUND} V68 Q21 60 28 60 Q35 60 35 68 V{GROUND} Z", fill=NIGHT)
    panes = "".join(
        path(f"M{x} 78 V66 Q{x} 60 {x + 5} 60 Q{x + 10} 60 {x + 10} 66 V78 Z", fill=GLASS, stroke=TIMBER)
        for x in (50, 63, 76)
    )
    return nave + eaves + at(0, 4, cross) + tower + door + panes + at(28, 45, sign, 0.85)


def _printers(shades: Shades, sign: str) -> str:
    front = _wall(f"M12 {GROUND} V22 L26 10 H74 L88 22 V{GROUND} Z", shades)
    boards = _planks(14, 86, (52, 60, 68, 76), shades)
    pane = box(44, 56, 36, 22, fill=GLASS, stroke=TIMBER, stroke_width=2)
    sheets = "".join(
        box(x, 59, 8, 12, fill="#FFFFFF", stroke=shades.full) + path(f"M{x + 2} 63 h4 M{x + 2} 66 h4", stroke=NIGHT)
        for x in (47, 58, 69)
    )
    return front + boards + at(MIDDLE, 28, sign) + _roof("M8 44 H92 V49 H8 Z", shades) + _door(27, 16) + pane + sheets


def _saloon(shades: Shades, sign: str) -> str:
    front = _wall(f"M8 {GROUND} V16 H24 L32 6 H68 L76 16 H92 V{GROUND} Z", shades)
    balcony = _roof("M4 51 H96 V55 H4 Z", shades) + path(
        "M8 40 V51 M20 40 V51 M32 40 V51 M44 40 V51 M56 40 V51 M68 40 V51 M80 40 V51 M92 40 V51 M6 41 H94",
        stroke=TIMBER,
        stroke_width=1.8,
    )
    inside = box(38, 58, 24, 28, fill=NIGHT)
    swing = path("M38 64 Q44 60 49.2 66 V80 H38 Z M62 64 Q56 60 50.8 66 V80 H62 Z", fill=shades.full)
    slats = path("M40 70 h7 M40 74 h7 M53 70 h7 M53 74 h7", stroke=shades.pale, stroke_width=1.4)
    panes = _window(20, 30, 11, 14) + _window(80, 30, 11, 14) + _window(22, 69) + _window(78, 69)
    return front + panes + at(MIDDLE, 24, sign) + balcony + inside + swing + slats


def _casino(shades: Shades, sign: str) -> str:
    front = _wall(f"M10 {GROUND} V28 H22 Q26 4 50 4 Q74 4 78 28 H90 V{GROUND} Z", shades)
    lamps = "".join(disc(x, 44, 2.4, fill="#F3C53C") for x in range(14, 90, 9))
    board = _roof("M6 40 H94 V48 H6 Z", shades)
    card = box(-8, -11, 16, 22, 2, fill="#FFFFFF", stroke=NIGHT)
    left = at(24, 68, card + at(0, 0, emblem("casino", "", NIGHT, "#FFFFFF"), 0.55))
    heart = path("M0 6 Q-7 0 -5 -4 Q-2 -7 0 -3 Q2 -7 5 -4 Q7 0 0 6 Z", fill="#C23B2A")
    return front + board + lamps + at(MIDDLE, 22, sign) + _door(MIDDLE, 20, 30) + left + at(76, 68, card + heart)


def _doc(shades: Shades, sign: str) -> str:
    front = _wall(f"M14 {GROUND} V44 H86 V{GROUND} Z", shades) + _roof("M6 45 L30 16 H70 L94 45 Z", shades)
    chimney = box(72, 10, 9, 16, fill=TIMBER)
    board = box(61, 55, 20, 18, 2, fill="#FFFFFF", stroke=TIMBER, stroke_width=1.5)
    plus = path("M71 58 V70 M65 64 H77", stroke="#C23B2A", stroke_width=3.6)
    ringed = disc(0, 0, 13.5, fill=shades.pale) + sign
    return chimney + front + at(MIDDLE, 31, ringed) + _door(44, 15) + board + plus + _window(25, 66, 12, 14)


def _judge(shades: Shades, sign: str) -> str:
    front = _wall(f"M12 {GROUND} V40 H88 V{GROUND} Z", shades)
    gable = path("M6 42 L50 10 L94 42 Z", fill=shades.pale, stroke=shades.full, stroke_width=4)
    steps = box(6, 81, 88, 5, fill=shades.full)
    columns = _columns((20, 36, 64, 80), 45, shades)
    return front + _door(MIDDLE, 18, 34) + gable + columns + steps + at(MIDDLE, 30, sign, 0.8)


def _prison(shades: Shades, sign: str) -> str:
    front = _wall(f"M10 {GROUND} V18 H20 V10 H32 V18 H44 V10 H56 V18 H68 V10 H80 V18 H90 V{GROUND} Z", shades)
    beds, joints = "M10 30 H90 M10 44 H90 M10 58 H90 M10 72 H90", "M26 18 V30 M74 18 V30 M18 30 V44 M82 30 V44"
    cells = "".join(
        box(x - 8, 54, 16, 18, fill=NIGHT) + path(f"M{x - 4} 54 v18 M{x} 54 v18 M{x + 4} 54 v18", stroke=GLASS)
        for x in (25, 75)
    )
    masonry = path(f"{beds} {joints}", stroke=shades.full, stroke_width=1, opacity=0.5)
    return front + masonry + at(MIDDLE, 35, sign) + cells + _door(MIDDLE, 18, 28)


def _bank(shades: Shades, sign: str) -> str:
    front = _wall(f"M12 {GROUND} V24 H88 V{GROUND} Z", shades) + _roof("M8 40 H92 V45 H8 Z", shades)
    crown = _roof("M6 16 H94 V24 H6 Z", shades) + path(
        "M26 16 Q50 -8 74 16 Z", fill=shades.pale, stroke=shades.full, stroke_width=3
    )
    vault = disc(MIDDLE, 66, 13, fill=NIGHT) + disc(MIDDLE, 66, 9.6, fill="none", stroke=GLASS, stroke_width=2)
    wheel = path("M50 60 V72 M44 66 H56", stroke=GLASS, stroke_width=2)
    return front + crown + vault + wheel + _columns((22, 78), 46, shades) + at(MIDDLE, 32, sign, 0.62)


def _hotel(shades: Shades, sign: str) -> str:
    front = _wall(f"M10 {GROUND} V6 H90 V{GROUND} Z", shades) + _roof("M6 1 H94 V8 H6 Z", shades)
    rooms = "".join(_window(x, y, 11, 13) for y in (22, 46) for x in (22, 78))
    upper = "".join(_window(x, 46, 11, 13) for x in (40.5, 59.5))
    balcony = _roof("M4 57 H96 V61 H4 Z", shades)
    lower = _window(24, 72, 16, 13) + _window(76, 72, 16, 13)
    return front + rooms + upper + at(MIDDLE, 22, sign) + balcony + lower + _door(MIDDLE, 18, 23)


def _smith(shades: Shades, sign: str) -> str:
    smoke = "".join(disc(x, y, r, fill="#CFCBC4") for x, y, r in ((77, 2, 5), (83, -6, 4), (78, -13, 3)))
    chimney = box(70, 8, 14, 34, fill=TIMBER, stroke=NIGHT)
    front = _wall(f"M12 {GROUND} V44 H88 V{GROUND} Z", shades) + _roof("M4 46 L34 18 H90 L96 46 Z", shades)
    forge = box(48, 52, 34, 34, fill=NIGHT) + path("M58 86 Q54 74 62 66 Q62 74 68 64 Q76 76 72 86 Z", fill="#E5701F")
    anvil = at(30, 74, emblem("smith", "", NIGHT, shades.pale), 1.15)
    return at(0, 6, smoke) + chimney + front + forge + anvil + at(44, 33, disc(0, 0, 13.5, fill=shades.pale) + sign)


def _barber(shades: Shades, sign: str) -> str:
    front = _wall(f"M16 {GROUND} V24 Q33 24 33 10 H67 Q67 24 84 24 V{GROUND} Z", shades)
    pole = box(-4, -18, 8, 36, fill="#FFFFFF", stroke=NIGHT, stroke_width=1.2)
    stripes = path("M-4 -8 L4 -14 M-4 2 L4 -4 M-4 12 L4 6", stroke="#C23B2A", stroke_width=3.4)
    knob = disc(0, -20, 4.4, fill=shades.full) + disc(0, 19, 4.4, fill=shades.full)
    poles = at(10, 62, pole + stripes + knob) + at(90, 62, pole + stripes + knob)
    ledge = _roof("M12 46 H88 V51 H12 Z", shades)
    return front + at(MIDDLE, 30, sign) + ledge + _door(36, 16, 28) + _window(65, 67, 24, 20) + poles


FRONTS: dict[str, Front] = {
    "stage_coach_office": _stage_coach_office,
    "undertaker": _undertaker,
    "stable": _stable,
    "school": _school,
    "sheriff": _sheriff,
    "drugstore": _drugstore,
    "laundry": _laundry,
    "church": _church,
    "printers": _printers,
    "saloon": _saloon,
    "casino": _casino,
    "doc": _doc,
    "judge": _judge,
    "prison": _prison,
    "bank": _bank,
    "hotel": _hotel,
    "smith": _smith,
    "barber": _barber,
}
