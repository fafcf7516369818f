"""Chapter V: values."""

import pytest

from oddville_env import Game
from support.scenario import Scenario, printed

CARD = 20


def value(game: Game) -> int:
    """What card 20, of seat 0, is worth."""
    return next(building.points for building in game.score_sheet()[0].buildings if building.card == CARD)


def counting(counts: str, *, base: int = 0, per: int = 1, **others: object) -> dict[int, dict[str, object]]:
    return {CARD: {"base": base, "per": per, "counts": counts, **others}}


@pytest.mark.rule("V1")
def test_a_building_without_a_formula_is_worth_its_base(scenario: Scenario) -> None:
    assert value(scenario(cards={CARD: {"base": 5}}, city=[(CARD, 1, 0, 0), (21, 2, 0, 1)])) == 5


@pytest.mark.rule("V1")
def test_a_building_is_worth_base_and_per_times_what_it_counts(scenario: Scenario) -> None:
    game = scenario(cards=counting("adjacent", base=2, per=3), city=[(CARD, 1, 0, 0), (21, 2, 0, 1)])

    assert value(game) == 2 + 3 * 2


@pytest.mark.rule("V1")
@pytest.mark.parametrize(
    ("others", "count"),
    [
        ([], 1),
        ([(21, 2, 0, 1)], 2),
        ([(21, 2, 0, 1), (22, 1, 1, 0)], 3),
        ([(21, 0, 1, 1)], 1),
        ([(21, 2, 0, 1), (22, 3, 0, 1)], 2),
    ],
)
def test_adjacent_counts_the_orthogonal_neighbours_and_the_square(
    scenario: Scenario, others: list[tuple[int, int, int, int]], count: int
) -> None:
    assert value(scenario(cards=counting("adjacent"), city=[(CARD, 1, 0, 0), *others])) == count


@pytest.mark.rule("V1")
def test_adjacent_counts_neighbours_without_a_street_between_too(scenario: Scenario) -> None:
    cards = {**counting("adjacent", streets="W"), 21: {"streets": "W"}}

    assert value(scenario(cards=cards, city=[(CARD, 1, 0, 0), (22, 0, 1, 1), (21, 1, 1, 1)])) == 2


@pytest.mark.rule("V1")
def test_shields_counts_those_of_the_neighbours_only(scenario: Scenario) -> None:
    cards = {**counting("shields", shield=9), 21: {"shield": 2}, 22: {"shield": 3}, 23: {"shield": 7}}
    city = [(CARD, 1, 0, 0), (21, 2, 0, 1), (22, 1, 1, 0), (23, 2, 1, 1)]

    assert value(scenario(cards=cards, city=city)) == 2 + 3


@pytest.mark.rule("V1")
def test_shields_counts_the_squares_too(scenario: Scenario) -> None:
    assert value(scenario(cards=printed(counting("shields"), square_shield=4), city=[(CARD, 1, 0, 0)])) == 4


@pytest.mark.rule("V1")
def test_row_counts_the_cards_in_the_same_line_over_gaps_too(scenario: Scenario) -> None:
    cards = counting("row")
    beside_the_square = [(CARD, 1, 0, 0), (21, -1, 0, 1), (22, 1, 1, 1)]
    assert value(scenario(cards=cards, city=beside_the_square)) == 3

    with_a_gap = [(21, 1, 0, 1), (CARD, 1, 1, 0), (22, -1, 0, 1), (23, -1, 1, 1), (24, 1, 2, 1)]
    assert value(scenario(cards=cards, city=with_a_gap)) == 2


@pytest.mark.rule("V1")
def test_column_counts_the_cards_in_the_same_column_over_gaps_too(scenario: Scenario) -> None:
    cards = counting("column")
    below_the_square = [(CARD, 0, 1, 0), (21, 0, 2, 1), (22, 1, 1, 1)]
    assert value(scenario(cards=cards, city=below_the_square)) == 3

    with_a_gap = [(CARD, 1, 0, 0), (21, 0, 1, 1), (22, 0, 2, 1), (23, 1, 2, 1)]
    assert value(scenario(cards=cards, city=with_a_gap)) == 2


@pytest.mark.rule("V1")
@pytest.mark.parametrize("suit", ["mask", "rooster", "bells", "lily"])
def test_a_guild_counts_its_cards_in_the_city_itself_included(scenario: Scenario, suit: str) -> None:
    cards = {**counting(suit, suit=suit), 21: {"suit": suit}, 22: {"suit": "diamond"}, 7: {"suit": suit}}
    city = [(CARD, 1, 0, 0), (21, 2, 0, 1), (22, 3, 0, 1)]

    assert value(scenario(cards=cards, city=city, seats={0: {"held": [7]}})) == 2


@pytest.mark.rule("V1")
def test_diamond_counts_the_diamond_cards_in_the_city(scenario: Scenario) -> None:
    cards = {**counting("diamond", base=3, suit="lily"), 22: {"suit": "mask"}}
    city = [(CARD, 1, 0, 0), (21, 2, 0, 1), (22, 3, 0, 1), (23, 1, 1, 0)]

    assert value(scenario(cards=cards, city=city)) == 3 + 2


@pytest.mark.rule("V1")
def test_a_value_changes_with_the_city(scenario: Scenario) -> None:
    game = scenario(cards=counting("adjacent"), city=[(CARD, 1, 0, 0)], seats={0: {"held": [7], "stock": {"wood": 1}}})
    assert value(game) == 1

    game.push("build:1:2,0")

    assert value(game) == 2


@pytest.mark.rule("V2")
def test_the_square_is_worth_its_points_to_each_seat_with_a_worker_on_it(scenario: Scenario) -> None:
    game = scenario(players=3, square={"wood": 0, "stone": 2})

    assert [sheet.square for sheet in game.score_sheet()] == [4, 0, 4]
    assert game.scores == (4, 0, 4)
