"""Chapter E: the end."""

import pytest

from oddville_env import Game
from support.scenario import Scenario, legal, play

READY = {"held": [7], "stock": {"wood": 1}}


def row_of(owners: list[int], *, first: int = 20) -> list[tuple[int, int, int, int]]:
    """Buildings side by side, to the right of the square and then to the left of it."""
    places = [*range(1, 9), *range(-1, -9, -1)]
    return [(first + n, places[n], 0, owner) for n, owner in enumerate(owners)]


@pytest.mark.rule("E1")
def test_the_sixth_worker_ends_the_game_after_the_turn(scenario: Scenario) -> None:
    game = scenario(seats={0: READY}, city=row_of([0] * 5))

    play(game, "build:1:0,1")

    assert (game.is_over, game.to_move, legal(game)) == (True, None, [])
    assert game.outcome.trigger == game.position()["trigger"] == 0
    assert not game.outcome.truncated


@pytest.mark.rule("E1")
def test_the_fifth_worker_does_not_end_the_game(scenario: Scenario) -> None:
    game = play(scenario(seats={0: READY}, city=row_of([0] * 4)), "build:1:0,1")

    assert (game.to_move, game.outcome) == (1, None)


@pytest.mark.rule("E1")
def test_the_turn_of_the_sixth_worker_is_finished(scenario: Scenario) -> None:
    seats = {0: {**READY, "coins": 1, "characters": ["cheater"]}}
    game = scenario(cards={7: {"bonus": "any"}}, seats=seats, city=row_of([0] * 5))

    play(game, "build:1:0,1")
    assert (game.phase.word, game.position()["trigger"]) == ("bonus", 0)

    play(game, "any:wood")
    assert game.phase.word == "end"

    assert play(game, "done").is_over


@pytest.mark.rule("E1")
def test_a_worker_on_the_square_counts_and_the_main_action_still_follows(scenario: Scenario) -> None:
    seats = {0: {"stock": {"wood": 1}, "characters": ["traveller"]}}
    game = scenario(seats=seats, city=row_of([0] * 5))

    play(game, "square:wood")
    assert (game.phase.word, game.position()["trigger"]) == ("main", 0)

    assert play(game, "coins:2").is_over


@pytest.mark.rule("E1")
def test_the_game_ends_with_the_window_in_which_the_builders_owner_places_its_sixth(scenario: Scenario) -> None:
    owner = {"coins": 2, "held": [8], "stock": {"wood": 2}, "characters": ["builder"]}
    game = scenario(seats={0: READY, 1: owner}, city=row_of([1] * 5))

    play(game, "build:1:0,1", "build:1:-1,0")

    assert (game.is_over, game.outcome.trigger) == (True, 1)


@pytest.mark.rule("E1")
def test_the_first_to_have_six_is_the_trigger(scenario: Scenario) -> None:
    owner = {"coins": 2, "held": [8], "stock": {"wood": 2}, "characters": ["builder"]}
    game = scenario(seats={0: READY, 1: owner}, city=row_of([0, 1] * 5))

    play(game, "build:1:0,1", "build:1:0,2")

    assert (game.is_over, game.outcome.trigger) == (True, 0)


@pytest.mark.rule("E1")
def test_when_the_game_is_over_the_position_says_nothing_of_a_turn(scenario: Scenario) -> None:
    seats = {0: {**READY, "coins": 1, "characters": ["cheater"]}}
    game = scenario(cards={7: {"bonus": "any"}}, seats=seats, city=row_of([0] * 5))

    position = play(game, "flip", "build:1:0,1", "done").position()

    assert (position["phase"], position["to_move"]) == ("over", None)
    names = ("recovered", "used", "built", "worker", "resume", "pending")
    assert [position[name] for name in names] == [False, [], False, None, None, []]


@pytest.mark.rule("E2")
def test_a_score_is_city_cards_and_characters_and_workers_on_the_board(scenario: Scenario) -> None:
    seats = {0: {"stock": {"wood": 2, "stone": 1}, "characters": ["ghost", "landowner"]}}
    cards = {20: {"base": 5}, 21: {"base": 3}, 22: {"base": 9}}
    game = scenario(cards=cards, seats=seats, city=row_of([0, 0, 1]))

    sheet = game.score_sheet()[0]

    assert [building.points for building in sheet.buildings] == [5, 3]
    assert sheet.characters == {"ghost": 4, "landowner": 4}
    assert sheet.workers == {"wood": 2, "clay": 0, "stone": 1, "crystal": 0}
    assert game.scores == (5 + 3 + 4 + 4 + 3, 9)
    assert sheet.total == game.scores[0]


@pytest.mark.rule("E2")
def test_coins_and_held_buildings_are_worth_nothing(scenario: Scenario) -> None:
    game = scenario(cards={7: {"base": 5}, 8: {"base": 5}}, seats={0: {"coins": 5, "held": [7, 8]}})

    assert game.scores == (0, 0)


@pytest.mark.rule("E2")
def test_the_position_tells_the_scores_as_if_the_game_ended_now(scenario: Scenario) -> None:
    game = scenario(seats={1: {"stock": {"wood": 2}}})

    assert game.position()["scores"] == [0, 2]
    assert play(game, "take:4:clay").position()["scores"] == [1, 2]


def finished(scenario: Scenario, trigger: int, points: list[int]) -> Game:
    """A game of 4 seats that the trigger has just ended with these scores."""
    seats = {number: {"stock": {"wood": [4] * score}} for number, score in enumerate(points)}
    seats[trigger]["held"] = [7]
    seats[trigger]["stock"] = {"wood": [4] * (points[trigger] + 1)}
    game = scenario(players=4, active=trigger, seats=seats, city=row_of([trigger] * 5))
    play(game, "build:1:0,1")
    assert game.scores == tuple(points)
    return game


@pytest.mark.rule("E3")
def test_the_highest_score_wins(scenario: Scenario) -> None:
    outcome = finished(scenario, 0, [1, 2, 4, 3]).outcome

    assert (outcome.winner, outcome.ranks) == (2, (4, 3, 1, 2))
    assert outcome.scores == (1, 2, 4, 3)


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    ("trigger", "points", "ranks"),
    [
        (0, [2, 2, 2, 2], (1, 2, 3, 4)),
        (2, [2, 2, 2, 2], (3, 4, 1, 2)),
        (1, [0, 3, 3, 0], (4, 1, 2, 3)),
        (2, [3, 3, 0, 3], (2, 3, 4, 1)),
        (3, [1, 2, 2, 1], (4, 1, 2, 3)),
    ],
)
def test_among_equals_the_trigger_wins_else_the_closest_clockwise_after_it(
    scenario: Scenario, trigger: int, points: list[int], ranks: tuple[int, ...]
) -> None:
    assert finished(scenario, trigger, points).outcome.ranks == ranks


@pytest.mark.rule("E4")
def test_the_limit_of_rounds_cuts_the_game_off_after_that_round(scenario: Scenario) -> None:
    game = scenario(players=3, max_rounds=7, first=1, active=2, round=7)

    play(game, "coins:2")
    assert not game.is_over

    play(game, "coins:2")
    assert game.is_over
    assert (game.outcome.truncated, game.outcome.trigger, game.position()["trigger"]) == (True, None, None)


@pytest.mark.rule("E4")
def test_before_the_last_round_the_game_goes_on(scenario: Scenario) -> None:
    game = play(scenario(max_rounds=7, round=6, active=1), "coins:2")

    assert (game.is_over, game.position()["round"]) == (False, 7)


@pytest.mark.rule("E4")
@pytest.mark.parametrize(("first", "ranks"), [(0, (2, 3, 1)), (1, (1, 2, 3)), (2, (3, 1, 2))])
def test_in_a_game_cut_off_the_seat_whose_turn_was_last_stands_in_for_the_trigger(
    scenario: Scenario, first: int, ranks: tuple[int, ...]
) -> None:
    game = scenario(players=3, max_rounds=1, first=first, active=(first - 1) % 3)

    assert play(game, "coins:2").outcome.ranks == ranks


@pytest.mark.rule("E4")
def test_in_a_game_cut_off_the_scores_count_as_they_stand(scenario: Scenario) -> None:
    game = scenario(max_rounds=1, active=1, seats={0: {"stock": {"wood": 2}}, 1: {"stock": {"clay": 3}}})

    outcome = play(game, "coins:2").outcome

    assert (outcome.scores, outcome.ranks) == ((2, 3), (2, 1))


@pytest.mark.rule("E4")
def test_the_window_of_the_last_turn_comes_before_the_cut(scenario: Scenario) -> None:
    owner = {"coins": 2, "held": [8], "stock": {"wood": 2}, "characters": ["builder"]}
    game = scenario(max_rounds=1, active=1, seats={0: owner, 1: READY})

    play(game, "build:1:0,1")
    assert (game.phase.word, game.to_move) == ("builder", 0)

    assert play(game, "done").outcome.truncated


@pytest.mark.rule("E4")
def test_a_sixth_worker_in_the_last_round_is_an_end_and_no_cut(scenario: Scenario) -> None:
    game = scenario(max_rounds=1, active=1, seats={1: READY}, city=row_of([1] * 5))

    outcome = play(game, "build:1:0,1").outcome

    assert (outcome.truncated, outcome.trigger) == (False, 1)
