"""Chapter V: values, and the rulebooks' worked examples."""

import pytest

from oddville_env import CardSet, Game
from support.cases import follow, follows, given, then
from support.scenario import Buildings, Scenario, printed

CARD = 20
HERE = (CARD, 1, 0, 0)
EAST, SOUTH, SOUTH_EAST = (21, 2, 0, 1), (22, 1, 1, 0), (23, 2, 1, 1)
GUILDS = ("mask", "rooster", "bells", "lily")


def counting(counts: str, *, base: int = 0, per: int = 1, **others: object) -> dict[int, dict[str, object]]:
    return {CARD: {"base": base, "per": per, "counts": counts, **others}}


VALUES = {
    "without a formula it is worth its base": ({CARD: {"base": 5}}, [HERE, EAST], 5),
    "it is worth base and per times what it counts": (counting("adjacent", base=2, per=3), [HERE, EAST], 2 + 3 * 2),
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
    "row counts the cards in the same line and the square": (counting("row"), [HERE, (21, -1, 0, 1), (22, 1, 1, 1)], 3),
    "row counts over gaps too": (
        counting("row"), [(21, 1, 0, 1), (CARD, 1, 1, 0), (22, -1, 0, 1), (23, -1, 1, 1), (24, 1, 2, 1)], 2,
    ),
    "column counts the cards in the same column and the square": (
        counting("column"), [(CARD, 0, 1, 0), (21, 0, 2, 1), (22, 1, 1, 1)], 3,
    ),
    "column counts over gaps too": (counting("column"), [HERE, (21, 0, 1, 1), (22, 0, 2, 1), (23, 1, 2, 1)], 2),
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

BLUE, PURPLE, YELLOW, RED = range(4)

test_examples = follows({
    "X2: yellow pays one coin to recover three cards and reds four played cards return free": [
        (
            given({}, {}, {"coins": 1, "hand": [3]}, {}, active=YELLOW),
            "recover", then({}, {}, {"coins": 0, "hand": [1, 2, 3, 4]}),
        ),
        (
            given({}, {}, {}, {"coins": 1, "hand": [4]}, active=RED),
            "take:4:wood", then({}, {}, {}, {"coins": 1, "hand": [1, 2, 3, 4]}),
        ),
    ],
    "X3: blue turns two cards of the deck into coins": (
        given(players=4, deck_top=[50, 51, 52]), "coins:3", then({"coins": [50, 51]}, deck=[52]),
    ),
    "X4: red pays one coin for clay when the free slot is taken": (
        given({"stock": {"clay": [1]}}, {}, {}, {"coins": 1}, active=RED),
        "take:2:clay", then({}, {}, {}, {"coins": 0}, clay=[[BLUE], [RED], [], []]),
    ),
    "X5: purple takes the card at position 5 for one coin": (
        given({}, {"coins": [30]}, {}, {}, active=PURPLE, row=[40, 41, 42, 43, 44, 45], deck_top=[50]),
        "buy:4:5", then({}, {"coins": 0, "held": [44]}, row=[40, 41, 42, 43, 45, 30]),
    ),
    "X6: the three workers that paid for a building can be used at once": (
        given(
            {"held": [7], "stock": {"wood": 1, "stone": 1, "crystal": 1, "clay": 6}},
            players=4, cards={7: {"cost": "wood stone crystal", "bonus": "clay"}},
        ),
        then({"supply": 0}),
        "build:1:0,1", then({"supply": 3 - 1}, wood=[[], [], [], []], stone=[[], [], [], []], crystal=[[], [], [], []]),
        "bonus:clay", then({"supply": 1}),
    ),
    "X7: yellow gets the bonus of its card and of the one above and then a rooster character": (
        given(
            {}, {}, {"held": [7], "stock": {"wood": 1}}, {}, active=YELLOW,
            cards={
                7: {"suit": "rooster", "bonus": "wood", "streets": "NS"},
                20: {"suit": "mask", "bonus": "clay", "streets": "SW"},
                21: {"suit": "bells", "bonus": "stone", "streets": "NS"},
                22: {"bonus": "crystal"},
            },
            city=[(20, 1, 0, RED), (21, 0, 1, BLUE), (22, 0, 2, BLUE)],
            piles={"rooster": ["mistress", "cheater", "bookkeeper"]},
        ),
        "build:1:1,1", then(legal="bonus:clay bonus:wood done"),
        "bonus:clay bonus:wood", then({}, {}, {"characters": ["mistress"]}, to_move=RED),
    ),
})  # fmt: skip


@pytest.mark.rule("X1")
def test_red_takes_stone_then_yellow_crystal_purple_wood_and_blue_clay_and_blue_begins() -> None:
    slots = {"stone": RED, "crystal": YELLOW, "wood": PURPLE, "clay": BLUE}
    chosen = then(**{name: [[], [], [], [seat]] for name, seat in slots.items()}, to_move=BLUE, phase="main")
    follow(Game(4, seed=1, first=BLUE), "setup:stone setup:crystal setup:wood setup:clay", chosen)


@pytest.mark.rule("X8")
def test_the_final_scoring(scenario: Scenario) -> None:
    cards = {
        20: {"base": 4},
        21: {"suit": "mask", "per": 3, "counts": "adjacent"},
        22: {"suit": "mask", "per": 1, "counts": "shields"},
        23: {"suit": "mask", "base": 2, "per": 1, "counts": "mask", "shield": 2},
        24: {"suit": "bells", "base": 3, "per": 1, "counts": "diamond", "shield": 3},
        25: {"suit": "lily", "base": 1, "per": 1, "counts": "column", "shield": 1},
        26: {"base": 4},
    }
    places = [(-1, 0, BLUE), (1, 0, RED), (0, 1, RED), (0, 2, PURPLE), (0, 3, PURPLE), (-1, 1, YELLOW), (2, 0, YELLOW)]
    city = [(card, *place) for card, place in zip(cards, places, strict=True)]
    game = scenario(players=4, cards=cards, city=city, square={"clay": BLUE, "wood": RED})
    assert [([building.points for building in sheet.buildings], sheet.square) for sheet in game.score_sheet()] == [
        ([4], 4),
        ([2 + 3, 3 + 2], 0),
        ([1 + 2, 4], 0),
        ([2 * 3, 2 + 1], 4),
    ]
    assert game.scores == (8, 10, 7, 13)
