"""Chapter E: the end."""

from typing import Any

import pytest

from oddville_env import Game
from support.cases import NEXT_TURN, follows, given, then
from support.scenario import Scenario, play

READY = {"held": [7], "stock": {"wood": 1}}
BUILD = "build:1:0,1"
CHEATER = {**READY, "coins": 1, "characters": ["cheater"]}
OWNER = {"coins": 2, "held": [8], "stock": {"wood": 2}, "characters": ["builder"]}
OVER = then(phase="over", to_move=None)


def row_of(owners: list[int], *, first: int = 20) -> list[tuple[int, int, int, int]]:
    """Buildings side by side, to the right of the square and then to the left of it."""
    places = [*range(1, 9), *range(-1, -9, -1)]
    return [(first + n, places[n], 0, owner) for n, owner in enumerate(owners)]


def ended(trigger: int | None, **parts: Any) -> dict[str, Any]:
    """What holds of a game that is over; it was cut off where there is no trigger."""
    outcome = {"trigger": trigger, "truncated": trigger is None, **parts}
    return then(trigger=trigger, outcome=outcome, legal="", **OVER)


test_end = follows({
    "E1: the sixth worker ends the game after the turn": (given(READY, city=row_of([0] * 5)), BUILD, ended(0)),
    "E1: the fifth worker does not end the game": (
        given(READY, city=row_of([0] * 4)), BUILD, then(outcome=None, **NEXT_TURN),
    ),
    "E1: the turn of the sixth worker is finished": (
        given(CHEATER, cards={7: {"bonus": "any"}}, city=row_of([0] * 5)),
        BUILD, then(phase="bonus", trigger=0), "any:wood", then(phase="end"), "done", ended(0),
    ),
    "E1: a worker on the square counts and the main action still follows": (
        given({"stock": {"wood": 1}, "characters": ["traveller"]}, city=row_of([0] * 5)),
        "square:wood", then(phase="main", trigger=0), "coins:2", ended(0),
    ),
    "E1: the game ends with the window in which the builders owner places its sixth": (
        given(READY, OWNER, city=row_of([1] * 5)), f"{BUILD} build:1:-1,0", ended(1),
    ),
    "E1: the first to have six is the trigger": (
        given(READY, OWNER, city=row_of([0, 1] * 5)), f"{BUILD} build:1:0,2", ended(0),
    ),
    "E1: when the game is over the position says nothing of a turn": (
        given(CHEATER, cards={7: {"bonus": "any"}}, city=row_of([0] * 5)), f"flip {BUILD} done",
        then(**OVER, recovered=False, used=[], built=False, worker=None, resume=None, pending=[]),
    ),
    "E2: coins and held buildings are worth nothing": (
        given({"coins": 5, "held": [7, 8]}, cards={7: {"base": 5}, 8: {"base": 5}}), then(scores=[0, 0]),
    ),
    "E2: the position tells the scores as if the game ended now": (
        given({}, {"stock": {"wood": 2}}), then(scores=[0, 2]), "take:4:clay", then(scores=[1, 2]),
    ),
    "E4: the limit of rounds cuts the game off after that round": (
        given({}, {}, {}, max_rounds=7, first=1, active=2, round=7),
        "coins:2", then(outcome=None, phase="main"), "coins:2", ended(None),
    ),
    "E4: in a game cut off the seat whose turn was last stands in for the trigger": [
        (given(players=3, max_rounds=1, first=first, active=(first - 1) % 3), "coins:2", ended(None, ranks=ranks))
        for first, ranks in enumerate([(2, 3, 1), (1, 2, 3), (3, 1, 2)])
    ],
    "E4: in a game cut off the scores count as they stand": (
        given({"stock": {"wood": 2}}, {"stock": {"clay": 3}}, max_rounds=1, active=1),
        "coins:2", ended(None, scores=(2, 3), ranks=(2, 1)),
    ),
    "E4: the window of the last turn comes before the cut": (
        given(OWNER, READY, max_rounds=1, active=1),
        BUILD, then(phase="builder", to_move=0), "done", ended(None),
    ),
    "E4: a sixth worker in the last round is an end and no cut": (
        given({}, READY, max_rounds=1, active=1, city=row_of([1] * 5)), BUILD, ended(1),
    ),
})  # fmt: skip


@pytest.mark.rule("E2")
def test_a_score_is_city_cards_and_characters_and_workers_on_the_board(scenario: Scenario) -> None:
    seats = {0: {"stock": {"wood": 2, "stone": 1}, "characters": ["ghost", "landowner"]}}
    cards = {20: {"base": 5}, 21: {"base": 3}, 22: {"base": 9}}
    game = scenario(cards=cards, seats=seats, city=row_of([0, 0, 1]))
    sheet = game.score_sheet()[0]
    assert [building.points for building in sheet.buildings] == [5, 3]
    assert sheet.characters == {"ghost": 4, "landowner": 4}
    assert sheet.workers == {"wood": 2, "clay": 0, "stone": 1, "crystal": 0}
    assert (game.scores, sheet.total) == ((5 + 3 + 4 + 4 + 3, 9), game.scores[0])


def finished(scenario: Scenario, trigger: int, points: list[int]) -> Game:
    """A game of 4 seats that the trigger has just ended with these scores."""
    seats = {number: {"stock": {"wood": [4] * score}} for number, score in enumerate(points)}
    seats[trigger] = {"held": [7], "stock": {"wood": [4] * (points[trigger] + 1)}}
    game = play(scenario(players=4, active=trigger, seats=seats, city=row_of([trigger] * 5)), BUILD)
    assert game.scores == game.outcome.scores == tuple(points)
    return game


@pytest.mark.rule("E3")
def test_the_highest_score_wins(scenario: Scenario) -> None:
    outcome = finished(scenario, 0, [1, 2, 4, 3]).outcome
    assert (outcome.winner, outcome.ranks) == (2, (4, 3, 1, 2))


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("trigger", "points", "ranks"), [
    (0, [2, 2, 2, 2], (1, 2, 3, 4)),
    (2, [2, 2, 2, 2], (3, 4, 1, 2)),
    (1, [0, 3, 3, 0], (4, 1, 2, 3)),
    (2, [3, 3, 0, 3], (2, 3, 4, 1)),
    (3, [1, 2, 2, 1], (4, 1, 2, 3)),
])  # fmt: skip
def test_among_equals_the_trigger_wins_else_the_closest_clockwise_after_it(
    scenario: Scenario, trigger: int, points: list[int], ranks: tuple[int, ...]
) -> None:
    assert finished(scenario, trigger, points).outcome.ranks == ranks
