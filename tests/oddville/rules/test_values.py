"""Chapter V: values."""

import pytest

from oddville_env.oddville.cards import CardSet
from support.cases import follows, given, then
from support.scenario import Buildings, Scenario, printed

CARD = 20
HERE = (CARD, 1, 0, 0)
EAST, SOUTH, SOUTH_EAST = (21, 2, 0, 1), (22, 1, 1, 0), (23, 2, 1, 1)
GUILDS = ("mask", "rooster", "bells", "lily")


def counting(counts: str, *, base: int = 0, per: int = 1, **others: object) -> dict[int, dict[str, object]]:
    return {CARD: {"base": base, "per": per, "counts": counts, **others}}


VALUES = {
    "without a formula it is worth its base": ({CARD: {"base": 5}}, [HERE, EAST], 5),
    "it is worth base and per times what it counts": (
        counting("adjacent", base=2, per=3), [HERE, EAST], 2 + 3 * 2,
    ),
    "adjacent counts the square": (counting("adjacent"), [HERE], 1),
    "adjacent counts a neighbour": (counting("adjacent"), [HERE, EAST], 2),
    "adjacent counts all neighbours": (counting("adjacent"), [HERE, EAST, SOUTH], 3),
    "adjacent counts no diagonal neighbour": (counting("adjacent"), [HERE, (21, 0, 1, 1)], 1),
    "adjacent counts nothing further away": (counting("adjacent"), [HERE, EAST, (22, 3, 0, 1)], 2),
    "adjacent counts neighbours without a street between too": (
        {**counting("adjacent", streets="W"), 21: {"streets": "W"}}, [HERE, (22, 0, 1, 1), (21, 1, 1, 1)], 2,
    ),
    "shields counts those of the neighbours only": (
        {**counting("shields", shield=9), 21: {"shield": 2}, 22: {"shield": 3}, 23: {"shield": 7}},
        [HERE, EAST, SOUTH, SOUTH_EAST], 2 + 3,
    ),
    "shields counts the squares too": (printed(counting("shields"), square_shield=4), [HERE], 4),
    "row counts the cards in the same line and the square": (
        counting("row"), [HERE, (21, -1, 0, 1), (22, 1, 1, 1)], 3,
    ),
    "row counts over gaps too": (
        counting("row"), [(21, 1, 0, 1), (CARD, 1, 1, 0), (22, -1, 0, 1), (23, -1, 1, 1), (24, 1, 2, 1)], 2,
    ),
    "column counts the cards in the same column and the square": (
        counting("column"), [(CARD, 0, 1, 0), (21, 0, 2, 1), (22, 1, 1, 1)], 3,
    ),
    "column counts over gaps too": (
        counting("column"), [HERE, (21, 0, 1, 1), (22, 0, 2, 1), (23, 1, 2, 1)], 2,
    ),
    **{
        f"{suit} counts its cards in the city itself included": (
            {**counting(suit, suit=suit), 21: {"suit": suit}, 22: {"suit": "diamond"}, 7: {"suit": suit}},
            [HERE, EAST, (22, 3, 0, 1)], 2,
        )
        for suit in GUILDS
    },
    "diamond counts the diamond cards in the city": (
        {**counting("diamond", base=3, suit="lily"), 22: {"suit": "mask"}},
        [HERE, EAST, (22, 3, 0, 1), (23, 1, 1, 0)], 3 + 2,
    ),
}  # fmt: skip
"""A building that counts something: what is printed on cards, the city, what building 20 of seat 0 is worth."""


@pytest.mark.rule("V1")
@pytest.mark.parametrize(("cards", "city", "points"), VALUES.values(), ids=VALUES)
def test_value_of_a_building(
    scenario: Scenario, cards: Buildings | CardSet, city: list[tuple[int, int, int, int]], points: int
) -> None:
    game = scenario(cards=cards, city=city, seats={0: {"held": [7]}})
    assert [building.points for building in game.score_sheet()[0].buildings if building.card == CARD] == [points]


test_values = follows({
    "V1: a value changes with the city": (
        given({"held": [7], "stock": {"wood": 1}}, cards=counting("adjacent"), city=[HERE]),
        then(scores=[1 + 1, 0]), "build:1:2,0", then(scores=[2, 0]),
    ),
    "V2: the square is worth its points to each seat with a worker on it": (
        given({}, {}, {}, square={"wood": 0, "stone": 2}), then(scores=[4, 0, 4]),
    ),
})  # fmt: skip
