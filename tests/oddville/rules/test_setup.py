"""Chapter S: setup."""

from collections import Counter

import pytest

from oddville_env import Game, base_cards
from oddville_env.oddville.cards import Character
from support.cases import follow, follows, given, then
from support.scenario import deck, printed, sides

SEEDS = range(120)
MASKS = {"human_resources_manager", "landowner", "seignior"}
READY = {"held": [7], "stock": {"wood": 1}}
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
    game = follow(Game(players, seed=1), start)
    assert len(game.position()["seats"]) == players


@pytest.mark.rule("S4")
@pytest.mark.parametrize(("players", "orders"), [(2, 3), (3, 6), (4, 6)])
def test_every_order_of_a_pile_and_every_removal_happens(players: int, orders: int) -> None:
    piles = Counter(tuple(Game(players, seed=n).record()["piles"]["mask"]) for n in SEEDS)
    assert all(len(set(pile)) == players - 1 and set(pile) <= MASKS for pile in piles)
    assert len(piles) == orders
    assert min(piles.values()) > len(SEEDS) / orders / 3


@pytest.mark.rule("S4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_pile_holds_its_guilds_characters_one_fewer_than_players(players: int) -> None:
    for guild, pile in enumerate(Game(players, seed=5).record()["piles"].values()):
        assert {base_cards().guild[Character[name.upper()]] for name in pile} == {guild}
        assert len(pile) == players - 1


@pytest.mark.rule("S4")
def test_only_the_top_of_a_pile_is_visible() -> None:
    piles = {
        "mask": ["seignior", "landowner"],
        "rooster": ["bookkeeper", "cheater"],
        "bells": ["ghost", "benefactor"],
        "lily": ["traveller", "builder"],
    }
    game = Game(3, seed=1, piles=piles)
    assert game.position()["piles"] == {guild: {"top": pile[0], "size": 2} for guild, pile in piles.items()}
    assert game.record()["piles"] == piles


@pytest.mark.rule("S5")
def test_the_first_six_cards_drawn_make_the_row_the_first_at_position_1() -> None:
    order = list(range(63, -1, -1))
    game = Game(2, seed=1, deck=order)
    assert (game.position()["row"], game.position()["deck"]) == ([63, 62, 61, 60, 59, 58], 58)
    assert deck(game) == order[6:]


@pytest.mark.rule("S5")
def test_all_64_cards_are_shuffled() -> None:
    decks = [Game(2, seed=n).record()["deck"] for n in SEEDS]
    assert all(sorted(order) == list(range(64)) for order in decks)
    assert len({order[0] for order in decks}) > 40
    assert len({order[-1] for order in decks}) > 40


@pytest.mark.rule("S6")
def test_a_random_seat_is_first() -> None:
    firsts = Counter(Game(4, seed=n).position()["first"] for n in SEEDS)
    assert sorted(firsts) == [0, 1, 2, 3]
    assert min(firsts.values()) > len(SEEDS) / 4 / 3


@pytest.mark.rule("S6")
def test_the_last_seat_chooses_first_and_then_anticlockwise_what_no_other_seat_chose() -> None:
    follow(
        Game(4, seed=1, first=1),
        then(phase="setup", active=0, to_move=0, legal="setup:clay setup:crystal setup:stone setup:wood"),
        "setup:clay", then(phase="setup", active=3, to_move=3, legal="setup:crystal setup:stone setup:wood"),
        "setup:wood", then(phase="setup", active=2, to_move=2, legal="setup:crystal setup:stone"),
        "setup:stone", then(phase="setup", active=1, to_move=1, legal="setup:crystal"),
    )  # fmt: skip


@pytest.mark.rule("S6")
def test_the_chosen_resource_gets_a_worker_on_its_upper_slot_and_nothing_is_paid() -> None:
    follow(Game(2, seed=1, first=0), "setup:clay", then({}, {**START, "supply": 8}, clay=[[], [], [1]]))


@pytest.mark.rule("S6")
def test_the_first_seat_takes_the_first_turn_and_turns_go_clockwise() -> None:
    follow(
        Game(3, seed=1, first=2),
        "setup:clay setup:wood setup:stone", then(to_move=2, round=1),
        "coins:2", then(to_move=0, round=1),
        "coins:2", then(to_move=1, round=1),
        "coins:2", then(to_move=2, round=2),
    )  # fmt: skip
