"""Colours that mean something, for the colour-blind: each is far from the others for every eye, or has a shape.

Without a browser: vision without one kind of cones after Machado, Oliveira and Fernandes (2009), distances in CIELAB.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from oddville_env.core.game.game_type import game_type
from oddville_env.core.svg.palette import SEAT_COLOURS
from oddville_env.oddville.svg.palette import RESOURCE_COLOURS, SUIT_COLOURS
from oddville_env.oldtown.cards import base_deck

STYLE = Path(__file__).parents[2] / "oddville_env" / "web" / "static" / "style"
EYES = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""What of linear red, green and blue reaches an eye, at full severity."""
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
APART = 20.0
"""A distance in CIELAB at which two patches are told apart at a glance."""

DRAWN = {
    "seats of OddVille": ("oddville", [f"pawn-{seat}" for seat in range(4)]),
    "seats of Old Town": ("oldtown", [f"hat-{seat}" for seat in range(4)]),
    "guilds": ("oddville", [f"suit-{suit.word}" for suit in SUIT_COLOURS]),
    "resources": ("oddville", [f"resource-{resource.word}" for resource in RESOURCE_COLOURS]),
    "bonuses": (
        "oddville",
        [f"bonus-{word}" for word in ("wood", "clay", "stone", "crystal", "any", "coin", "double")],
    ),
    "tokens": ("oldtown", [f"token-{building.key}" for building in base_deck().buildings]),
    "houses": ("oldtown", [f"house-{building.key}" for building in base_deck().buildings]),
}
"""Things that are told apart by their drawings: the game, the drawings' names."""


def seen(colour: str, eye: str) -> np.ndarray:
    """A colour `#rrggbb` in CIELAB, as an eye sees it."""
    channels = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    white = TO_XYZ.sum(axis=1)
    x, y, z = np.cbrt(TO_XYZ @ np.clip(np.asarray(EYES[eye]) @ linear, 0, 1) / white)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def near(colours: Mapping[str, str], eye: str) -> set[tuple[str, str]]:
    """The pairs that this eye may take for one another."""
    pairs = combinations(colours.items(), 2)
    return {(one, other) for (one, a), (other, b) in pairs if np.linalg.norm(seen(a, eye) - seen(b, eye)) < APART}


def uncoloured(game: str, names: Iterable[str]) -> dict[str, str]:
    """The drawings without their colours: what is left is shape."""
    kind = game_type(game)
    scene, box = kind.scene(), kind.box(kind.settings(4))  # type: ignore[misc]
    return {name: re.sub(r"#[0-9A-Fa-f]{6}", "", scene.draw(box, name).svg) for name in names}


@pytest.mark.parametrize("group", DRAWN)
def test_coloured_things_differ_in_shape_or_letter_too(group: str) -> None:
    drawn = uncoloured(*DRAWN[group])
    same = {(one, other) for one, other in combinations(drawn, 2) if drawn[one] == drawn[other]}
    assert same == set()


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("group", ["seats of OddVille", "seats of Old Town"])
def test_seats_of_similar_colour_differ_in_number(eye: str, group: str) -> None:
    """Blue and purple are near without red or green cones; pictures that were published keep their colours."""
    drawn = list(uncoloured(*DRAWN[group]).values())
    seats = {str(seat): shades.full for seat, shades in enumerate(SEAT_COLOURS)}
    confused = near(seats, eye)
    assert confused <= {("0", "1")}
    assert all(drawn[int(one)] != drawn[int(other)] for one, other in confused)


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("scheme", ["palette", "dark"])
def test_rings_of_touchable_and_touched_things_differ_for_all_eyes(eye: str, scheme: str) -> None:
    """Of rings; what was touched has a tick, or a dashed edge within a picture."""
    written = dict(re.findall(r"--(mark|glow|ink): (#\w{6})", (STYLE / "palette.css").read_text()))
    if scheme == "dark":
        dark = (STYLE / "base.css").read_text().split("@media (prefers-color-scheme: dark)")[1].split("\n  }")[0]
        written |= dict(re.findall(r"--(mark|glow|ink): (#\w{6})", dark))
    assert near({name: written[name] for name in ("mark", "glow")}, eye) == set()


def test_touched_things_in_pictures_have_a_dashed_edge() -> None:
    styles = " ".join(sheet.read_text() for sheet in STYLE.glob("*.css"))
    for chosen in (".cell.chosen rect", ".token.chosen .token-row", "circle.field.chosen"):
        (rule,) = re.findall(re.escape(chosen) + r" \{([^}]*)\}", styles)
        assert "stroke-dasharray" in rule, chosen
