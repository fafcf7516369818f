"""Chapter P: coins and cards."""

import pytest

from support.cases import follows, given, then
from support.scenario import Scenario, coins

TAXED = {"stock": {"clay": 1}, "characters": ["tax_collector"]}

test_coins = follows({
    "P1: gaining a coin draws the decks top card": (
        given(deck_top=[40, 41, 42]), "coins:3", then({"coins": [40, 41]}, deck=[42]),
    ),
    "P2: a seat draws only the coins that it can keep": [
        (given({"coins": has}), then(deck=64 - 6 - has), "coins:4", then({"coins": kept}, deck=64 - 6 - kept))
        for has, kept in ((1, 4), (3, 5), (4, 5), (5, 5))
    ],
    "P3: coins are paid on top of the deck the last gained first": (
        given({"coins": [30, 31, 32, 33], "hand": [1, 2, 3]}, deck_top=[50]),
        "recover", then({"coins": [30]}, deck=[31, 32, 33, 50]),
    ),
    "P4: paying nothing is no payment": [
        (given({"coins": 3}, TAXED), word, then({"coins": 3 - paid}, {"coins": paid}))
        for word, paid in {"buy:1:1": 0, "buy:1:2": 1, "take:1:wood": 0, "take:2:clay": 1}.items()
    ],
    "P5: the deck does not run out when all seats have all that they can have": (
        given(
            {"coins": 5, "held": [0, 1, 8]}, *({"coins": 5, "held": [2 * seat, 2 * seat + 1]} for seat in (1, 2, 3)),
            city=[(20 + n, n % 9, 1 + n // 9, n % 4) for n in range(22)], phase="discard", resume="main",
        ),
        then(deck=64 - 6 - 20 - 9 - 22),
    ),
})  # fmt: skip


@pytest.mark.rule("P1")
def test_nobody_may_look_at_the_building_side_of_a_coin(scenario: Scenario) -> None:
    one = scenario(seats={0: {"coins": [40, 41]}}, deck_top=[50])
    other = scenario(seats={0: {"coins": [50, 40]}}, deck_top=[41])
    assert coins(one, 0) != coins(other, 0)
    assert one.position() == other.position()


@pytest.mark.rule("P5")
def test_an_empty_deck_is_an_error_in_the_program(scenario: Scenario) -> None:
    game = scenario()
    game.state[0].deck_size = 0
    with pytest.raises(AssertionError):
        game.push("coins:2")
