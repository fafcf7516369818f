"""Chapter B: building."""

import pytest

from oddville_env.oddville.cards import Bonus
from support.cases import READY, follows, given, then
from support.scenario import Scenario, legal, printed, sides

JOINED = {7: {"bonus": "wood"}, 20: {"bonus": "clay"}, 21: {"bonus": "stone"}}
LEFT, BELOW, RIGHT = "build:1:-1,0", "build:1:0,1", "build:1:1,0"
CORNER, AROUND_IT = "build:1:-1,1", [(20, -1, 0, 0), (21, 0, 1, 1)]
BELLS = given(READY, cards={7: {"suit": "bells", "bonus": "any"}}, piles={"bells": ["ghost"]})

test_building = follows({
    "B1: a seat may build either of its held buildings": (
        given({"held": [7, 8], "stock": {"wood": 1}}),
        then(legal_build=f"{LEFT} {BELOW} {RIGHT} build:2:-1,0 build:2:0,1 build:2:1,0"),
        "build:2:1,0", then({"held": [7]}, city=[{"card": 8, "column": 1, "line": 0, "owner": 0}]),
    ),
    "B1: a building needs every resource of its cost": [
        (given(READY, cards={7: {"cost": cost}}), then(cannot="build")) for cost in ("clay", "wood wood", "wood stone")
    ],
    "B1: each resource of the cost sends one worker back to supply": (
        given({"held": [7], "stock": {"wood": 2, "clay": 2, "crystal": 1}}, cards={7: {"cost": "wood wood clay"}}),
        BELOW,
        then({"supply": 4 + 3 - 1}, wood=[[], [], []], clay=[[], [0], []], stone=[[], [], []], crystal=[[0], [], []]),
    ),
    "B1: the worker comes off the cheapest slot where the seat has one": (
        given({"held": [7], "stock": {"wood": [2, 3]}}, {"stock": {"wood": [1]}}), BELOW, then(wood=[[1], [], [0]]),
    ),
    "B1: the seat that builds owns the building": (
        given({}, READY, active=1), LEFT, then(city=[{"card": 7, "column": -1, "line": 0, "owner": 1}]),
    ),
    "B2: a building needs a worker in supply after paying": (
        given({"held": [7, 8], "stock": {"wood": 9}}, cards={7: {"cost": ""}}),
        then(legal_build="build:2:-1,0 build:2:0,1 build:2:1,0"), "return:wood@1", then(can=BELOW),
    ),
    "B2: a building lies on an empty cell beside a card": (
        given(READY, city=[(20, 0, 1, 1)]),
        then(legal_build="build:1:-1,0 build:1:-1,1 build:1:0,2 build:1:1,0 build:1:1,1"),
    ),
    "B3: street meets street at the square": [
        (given(READY, cards={7: {"streets": streets}}), then(legal_build=words))
        for streets, words in {"N": BELOW, "E": LEFT, "W": RIGHT, "S": "", "EW": f"{LEFT} {RIGHT}"}.items()
    ],
    "B3: houses meet houses": [
        (
            given(READY, cards={7: {"streets": streets}, 20: {"streets": "W"}}, city=[(20, 1, 0, 1)]),
            then(**{fits: "build:1:2,0"}),
        )
        for streets, fits in {"NSE": "can", "NESW": "cannot", "W": "cannot", "S": "can"}.items()
    ],
    "B3: a card must fit on every side that it touches": [
        (
            given(READY, cards={7: {"streets": streets}, 20: {"streets": "ES"}, 21: {"streets": "N"}}, city=AROUND_IT),
            then(**{fits: CORNER}),
        )
        for streets, fits in {"NSW": "can", "NESW": "cannot", "SW": "cannot"}.items()
    ],
    "B3: the square has streets on its printed sides": (
        given(READY, cards=printed({7: {"streets": "W"}}, square_streets=sides("W"))), then(legal_build=BELOW),
    ),
    "B4: a built card never moves": (
        given(READY, {**READY, "held": [8]}), f"{BELOW} build:1:0,2",
        then(city=[{"card": 7, "column": 0, "line": 1, "owner": 0}, {"card": 8, "column": 0, "line": 2, "owner": 1}]),
    ),
    "B5: the placed card and every joined neighbour give their bonus": (
        given(READY, cards=JOINED, city=AROUND_IT), CORNER,
        then(pending=["clay", "stone", "wood"], legal="bonus:clay bonus:stone bonus:wood done"),
    ),
    "B5: a neighbour that turns houses to the card gives nothing": (
        given(
            READY, city=AROUND_IT,
            cards={**JOINED, 7: {"bonus": "wood", "streets": "N"}, 21: {"bonus": "stone", "streets": "N"}},
        ),
        CORNER, then(pending=["clay", "wood"]),
    ),
    "B5: a diagonal neighbour gives nothing": (
        given(READY, cards=JOINED, city=[(20, -1, 0, 0)]), BELOW, then(pending=["wood"]),
    ),
    "B5: the square gives its bonus to a card that a street joins to it": [
        (given(READY, cards=printed(JOINED, square_bonus=Bonus.ANY), city=[(20, 1, 0, 0)]), word, then(pending=bonuses))
        for word, bonuses in {BELOW: ["any", "wood"], "build:1:2,0": ["clay", "wood"]}.items()
    ],
    "B5: the square gives nothing over houses": (
        given(
            READY,
            cards=printed({7: {"bonus": "wood", "streets": "E"}}, square_bonus=Bonus.ANY, square_streets=sides("W")),
        ),
        BELOW, then(pending=["wood"]),
    ),
    "B6: a guilds building brings a character after the bonuses": (
        BELLS, BELOW, then({"characters": []}), "any:wood", then({"characters": ["ghost"]}),
    ),
    "B6: bonuses given up do not cost the character": (BELLS, f"{BELOW} done", then({"characters": ["ghost"]})),
    "B7: what fits nowhere or cannot be paid stays held": [
        (given(READY, cards={7: card}), then(cannot="build"), "coins:2", then({"held": [7]}))
        for card in ({"streets": "S"}, {"cost": "wood clay"})
    ],
    "B8: nothing is built outside the table": (
        given(READY, table=[3, 2], city=[(20, 1, 0, 1), (21, 0, 1, 1)]),
        then(legal_build=f"{LEFT} {CORNER} build:1:1,1"),
    ),
})  # fmt: skip


@pytest.mark.rule("B8")
def test_the_default_table_has_columns_minus_8_to_8_and_lines_0_to_8(scenario: Scenario) -> None:
    right = [(20 + n, n, 0, n % 2) for n in range(1, 9)]
    down = [(40 + n, 8, n, n % 2) for n in range(1, 3)]
    game = scenario(players=4, seats={0: READY}, city=right + down)
    assert game.position()["table"] == [17, 9]
    assert "build:1:7,1" in game.legal_moves
    assert not any(word.startswith("build:1:9,") for word in legal(game))
    assert game.action("build:1:-8,8") is not None
    assert game.action("build:1:-9,8") is game.action("build:1:-8,9") is None
