"""Chapter G: guild favour."""

from collections import Counter

import pytest

from oddville_env.oddville.cards import Bonus
from support.cases import NEXT_TURN, follows, given, then
from support.scenario import Scenario, play, printed

BUILD = "build:1:0,1"
READY = {"held": [7], "stock": {"wood": 1}}
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
