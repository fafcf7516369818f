"""Chapters S and E: setup and the end."""

from collections import Counter
from typing import Any

import pytest

from oddville_env import Game, base_cards
from oddville_env.oddville.cards import Character
from support.cases import BUILD, NEXT_TURN, READY, follow, follows, given, then
from support.scenario import Scenario, deck, play, printed, sides

SEEDS = range(120)
MASKS = {"human_resources_manager", "landowner", "seignior"}
START = {"coins": 0, "supply": 9, "hand": [1, 2, 3, 4], "held": [], "characters": []}

test_setup = follows({
    "S2: the square lies in the middle of the top line": (
        given(READY), then(city=[], legal_build="build:1:-1,0 build:1:0,1 build:1:1,0"),
    ),
    "S2: columns grow to the right and lines downward": [
        (given(READY, cards=printed(square_streets=sides(street))), then(legal_build=f"build:1:{cell}"))
        for street, cell in {"E": "1,0", "S": "0,1", "W": "-1,0"}.items()
    ],
    "S3: the upper slot holds any number of workers": (
        given({"stock": {"clay": 2}}, {"coins": 4, "stock": {"clay": [3, 3]}}, active=1),
        "take:4:clay", then(clay=[[0], [0], [1, 1, 1]]),
    ),
    "S3: cheapest means the lowest number even where the printed price is higher": (
        given({"coins": 2}, cards=printed(slots=base_cards().slots | {2: (2, 0, 1)})),
        "take:1:wood", then({"coins": 0}, wood=[[0], [], []]),
    ),
})  # fmt: skip


@pytest.mark.rule("S1, S3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_seat_begins_with_cards_and_workers_and_each_resource_has_its_slots(players: int) -> None:
    slots = [[]] * len(base_cards().slots[players])
    start = then(*[START] * players, wood=slots, clay=slots, stone=slots, crystal=slots)
    assert len(follow(Game(players, seed=1), start).position()["seats"]) == players


@pytest.mark.rule("S4")
@pytest.mark.parametrize(("players", "orders"), [(2, 3), (3, 6), (4, 6)])
def test_each_pile_holds_its_guilds_characters_one_fewer_than_players_in_every_order(players: int, orders: int) -> None:
    for guild, pile in enumerate(Game(players, seed=5).record()["piles"].values()):
        assert {base_cards().guild[Character[name.upper()]] for name in pile} == {guild}
        assert len(pile) == players - 1
    piles = Counter(tuple(Game(players, seed=n).record()["piles"]["mask"]) for n in SEEDS)
    assert all(len(set(pile)) == players - 1 and set(pile) <= MASKS for pile in piles)
    assert len(piles) == orders
    assert min(piles.values()) > len(SEEDS) / orders / 3


@pytest.mark.rule("S4")
def test_only_the_top_of_a_pile_is_visible() -> None:
    piles = Game(3, seed=2).record()["piles"]
    game = Game(3, seed=1, piles=piles)
    assert game.position()["piles"] == {guild: {"top": pile[0], "size": 2} for guild, pile in piles.items()}
    assert game.record()["piles"] == piles


@pytest.mark.rule("S5")
def test_all_64_cards_are_shuffled_and_the_first_six_drawn_make_the_row_the_first_at_position_1() -> None:
    decks = [Game(2, seed=n).record()["deck"] for n in SEEDS]
    assert all(sorted(order) == list(range(64)) for order in decks)
    assert len({order[0] for order in decks}) > 40
    assert len({order[-1] for order in decks}) > 40
    order = list(range(63, -1, -1))
    game = Game(2, seed=1, deck=order)
    assert (game.position()["row"], game.position()["deck"]) == ([63, 62, 61, 60, 59, 58], 58)
    assert deck(game) == order[6:]


@pytest.mark.rule("S6")
def test_a_random_seat_is_first_and_takes_the_first_turn_and_turns_go_clockwise() -> None:
    firsts = Counter(Game(4, seed=n).position()["first"] for n in SEEDS)
    assert sorted(firsts) == [0, 1, 2, 3]
    assert min(firsts.values()) > len(SEEDS) / 4 / 3
    follow(
        Game(3, seed=1, first=2),
        "setup:clay setup:wood setup:stone", then(to_move=2, round=1),
        "coins:2", then(to_move=0, round=1),
        "coins:2", then(to_move=1, round=1),
        "coins:2", then(to_move=2, round=2),
    )  # fmt: skip


@pytest.mark.rule("S6")
def test_anticlockwise_from_the_last_seat_each_chooses_another_upper_slot_for_a_worker() -> None:
    follow(
        Game(4, seed=1, first=1),
        then(phase="setup", active=0, to_move=0, legal="setup:clay setup:crystal setup:stone setup:wood"),
        "setup:clay", then(phase="setup", active=3, to_move=3, legal="setup:crystal setup:stone setup:wood"),
        "setup:wood", then(phase="setup", active=2, to_move=2, legal="setup:crystal setup:stone"),
        "setup:stone", then(phase="setup", active=1, to_move=1, legal="setup:crystal"),
    )  # fmt: skip
    follow(Game(2, seed=1, first=0), "setup:clay", then({}, {**START, "supply": 8}, clay=[[], [], [1]]))


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
@pytest.mark.parametrize(("trigger", "points", "ranks"), [
    (0, [1, 2, 4, 3], (4, 3, 1, 2)),
    (0, [2, 2, 2, 2], (1, 2, 3, 4)),
    (2, [2, 2, 2, 2], (3, 4, 1, 2)),
    (1, [0, 3, 3, 0], (4, 1, 2, 3)),
    (2, [3, 3, 0, 3], (2, 3, 4, 1)),
    (3, [1, 2, 2, 1], (4, 1, 2, 3)),
])  # fmt: skip
def test_the_highest_score_wins_and_among_equals_the_trigger_else_the_closest_clockwise_after_it(
    scenario: Scenario, trigger: int, points: list[int], ranks: tuple[int, ...]
) -> None:
    outcome = finished(scenario, trigger, points).outcome
    assert (outcome.ranks, outcome.winner) == (ranks, ranks.index(1))
