"""Chapters N and G: bonuses and guild favour."""

from collections import Counter
from typing import Any

import pytest

from oddville_env.oddville.cards import Bonus
from support.cases import BUILD, NEXT_TURN, READY, follows, given, then
from support.scenario import Scenario, play, printed

ONE, TWO = "build:1:1,0", "build:1:1,1"
ANY = "any:clay any:crystal any:stone any:wood"
MOVES = " ".join(f"move:wood@{slot}>{name}" for slot in (2, 3) for name in ("clay", "crystal", "stone"))


def built(*bonuses: str, **seat: Any) -> dict[str, Any]:
    """Seat 0 can build a card with the first bonus: beside the square, or beside cards with the other bonuses."""
    return given(
        {"held": [7], "stock": {"wood": 1}, **seat},
        {"stock": {"clay": [1], "stone": [1, 2]}},
        cards={7 + n: {"bonus": bonus} for n, bonus in enumerate(bonuses)},
        city=[(8, 1, 0, 1), (9, 0, 1, 1)][: len(bonuses) - 1],
    )


test_bonuses = follows({
    "N1: a coin is taken at once before the others": (
        built("coin", "any"), TWO, then({"coins": 1}, phase="bonus", pending=["any"]),
    ),
    "N1: every coin bonus is one coin from the decks top": (
        given({"held": [7], "stock": {"wood": 1}}, city=[(8, 1, 0, 1)], deck_top=[50, 51, 52]),
        "build:1:0,1", then({"coins": [50, 51]}),
    ),
    "N1: a coin bonus above five coins is lost": (built("coin", "coin", coins=4), TWO, then({"coins": 5}, **NEXT_TURN)),
    "N2: a resource bonus puts a worker on the cheapest slot free": [
        (
            built(name), ONE, then({"coins": 1}, legal=f"bonus:{name} done"),
            f"bonus:{name}", then({"coins": 1, "supply": 7}, **{name: slots}),
        )
        for name, slots in {
            "wood": [[0], [], []], "clay": [[1], [0], []], "stone": [[1], [1], [0]], "crystal": [[0], [], []],
        }.items()
    ],
    "N2: a resource bonus needs a worker in supply": (
        built("stone", stock={"wood": 9}), ONE, then(cannot="bonus"), "return:wood@3", then(legal_bonus="bonus:stone"),
    ),
    "N3: any is a resource of choice": (
        built("any"), ONE, then(legal=f"{ANY} done"), "any:clay", then(clay=[[1], [0], []]),
    ),
    "N3: any needs a worker in supply": (built("any", stock={"wood": 9}), ONE, then(cannot="any")),
    "N4: double is for a resource where the seat already has a worker": (
        built("double", stock={"wood": 1, "stone": [3], "crystal": 1}),
        ONE, then(legal="done double:crystal double:stone"),
        "double:crystal", then(crystal=[[0], [0], []]),
    ),
    "N4: the worker that paid for the building does not count for double": (
        built("double", "wood"), TWO, then(cannot="double"), "bonus:wood", then(legal_double="double:wood"),
    ),
    "N4: double needs a worker in supply": (built("double", stock={"wood": 9}), ONE, then(cannot="double")),
    "N5: transform moves a worker from a slot of choice to another resource": (
        built("transform", stock={"wood": [1, 2, 3, 3]}),
        ONE, then(legal=f"done {MOVES}"),
        "move:wood@3>clay", then({"supply": 9 - 3 - 1}, wood=[[], [0], [0]], clay=[[1], [0], []]),
    ),
    "N5: transform costs nothing and goes to the cheapest slot left": (
        built("transform", stock={"wood": 2}), ONE, "move:wood@2>stone", then({"coins": 1}, stone=[[1], [1], [0]]),
    ),
    "N5: transform needs no worker in supply": (
        built("transform", stock={"wood": 9}), ONE, then({"supply": 0}, can="move:wood@2>clay"),
    ),
    "N5: transform moves only own workers": (built("transform", "any"), TWO, then(cannot="move")),
    "N6: pending bonuses are resolved once each in the order of choice": [
        (
            built("wood", "any", "double"), TWO, then(pending=["any", "double", "wood"]),
            "bonus:wood", then(pending=["any", "double"], cannot="bonus:wood"),
            "any:clay", then(pending=["double"], cannot="any"),
            "double:wood", NEXT_TURN,
        ),
        (
            built("wood", "any", "double"), TWO,
            "any:crystal", then(pending=["double", "wood"], cannot="any"),
            "double:crystal", then(pending=["wood"], cannot="double"),
            "bonus:wood", NEXT_TURN,
        ),
    ],
    "N6: two bonuses of one kind are two bonuses": (
        built("any", "any"), TWO, then(pending=["any", "any"]),
        "any:wood", then(to_move=0, pending=["any"]),
        "any:wood", NEXT_TURN,
    ),
    "N6: the rest may be given up": (
        built("wood", "any"), TWO, "any:wood done", then(pending=[], wood=[[0], [], []], **NEXT_TURN),
    ),
})  # fmt: skip

MASK, BELLS, LILY = ({7: {"suit": suit}} for suit in ("mask", "bells", "lily"))
PILES = {
    "mask": ["seignior", "landowner"],
    "rooster": ["mistress", "cheater"],
    "bells": ["ghost", "benefactor"],
    "lily": ["builder", "lamplighter"],
}
GHOST = {"bells": ["ghost"]}
LILIES = ({**READY, "characters": ["lamplighter"]}, {"characters": ["builder"]}, {"characters": ["traveller"]})

test_guilds = follows({
    "G1: the seat that built takes the top character of the guilds pile": [
        (
            given(READY, {}, {}, cards={7: {"suit": suit}}, piles=PILES), BUILD,
            then({"characters": [top]}, piles={suit: {"top": below, "size": 1}}),
        )
        for suit, (top, below) in PILES.items()
    ],
    "G1: the character may be used from now on": (
        given(READY, cards={7: {"suit": "rooster"}}, piles={"rooster": ["cheater"]}), BUILD,
        then(to_move=0, phase="end", legal="done flip"),
    ),
    "G2: an empty pile is made anew from the guilds characters of all seats": (
        given(
            {**READY, "characters": ["lamplighter", "ghost"]}, *LILIES[1:], {},
            cards=LILY, reshuffles=[["traveller", "lamplighter", "builder"]],
        ),
        then(piles={"lily": {"top": None, "size": 0}}),
        BUILD,
        then(
            {"characters": ["ghost", "traveller"]}, {"characters": []}, {"characters": []},
            piles={"lily": {"top": "lamplighter", "size": 2}}, reshuffles=[["traveller", "lamplighter", "builder"]],
        ),
    ),
    "G2: a pile of one card is a reshuffle too": (
        given(READY, {"characters": ["seignior"]}, cards=MASK), BUILD,
        then({"characters": ["seignior"]}, {"characters": []}, reshuffles=[["seignior"]]),
    ),
    "G2: while a pile has a card no seat gives a character back": (
        given(READY, {"characters": ["seignior"]}, {}, cards=MASK, piles={"mask": ["landowner"]}), BUILD,
        then({"characters": ["landowner"]}, {"characters": ["seignior"]}, reshuffles=[]),
    ),
    "G3: a neighbours guild brings no character": (
        given(READY, cards={7: {"suit": "diamond"}, 20: {"suit": "mask"}}, city=[(20, 1, 0, 1)]),
        "build:1:1,1", then({"characters": []}),
    ),
    "G3: a lamplighter just taken gives nothing for the build that took it": (
        given(
            READY, piles={"lily": ["lamplighter"]},
            cards=printed({7: {"suit": "lily", "streets": "S"}}, square_bonus=Bonus.ANY, square_streets=[False] * 4),
        ),
        BUILD, then({"characters": ["lamplighter"]}, pending=[], **NEXT_TURN),
    ),
    "G4: a seat keeps its characters and their powers from turn to turn": (
        given(READY, cards=BELLS, piles=GHOST),
        f"{BUILD} coins:2 coins:1", then({"characters": ["ghost"], "coins": 2 + 3}),
    ),
    "G4: the power goes with the character": (
        given(READY, {"characters": ["ghost"]}, cards=BELLS),
        BUILD, then(cannot="coins:1"), "coins:2", then(can="coins:1"),
    ),
})  # fmt: skip


@pytest.mark.rule("G2")
def test_the_new_pile_is_shuffled(scenario: Scenario) -> None:
    piles = Counter()
    for seed in range(90):
        game = play(scenario(**given(*LILIES, {}, cards=LILY, seed=seed)), BUILD)
        piles[tuple(game.record()["reshuffles"][0])] += 1
    assert len(piles) == 6
    assert min(piles.values()) > 90 / 6 / 3


@pytest.mark.rule("G2")
def test_every_reshuffle_of_a_game_has_luck_of_its_own(scenario: Scenario) -> None:
    first = {"held": [7, 8], "stock": {"wood": 2}, "characters": ["ghost"]}
    position = given(first, {"characters": ["benefactor"]}, {**READY, "held": [9]})
    cards, taken = {number: {"suit": "bells"} for number in (7, 8, 9)}, set()
    for seed in range(40):
        game = play(scenario(**position, cards=cards, seed=seed), BUILD, "coins:2", "build:1:1,0", "build:1:-1,0")
        taken.add(tuple(pile[0] for pile in game.record()["reshuffles"]))
    assert len(taken) == 4
