"""Chapter S: setup."""

from collections import Counter

import pytest

from oddville_env import Game, SettingError, base_cards
from oddville_env.oddville.cards import Character
from support.scenario import Scenario, deck, legal, play, printed, seat, sides

SEEDS = range(120)
MASKS = {"human_resources_manager", "landowner", "seignior"}


@pytest.mark.rule("S1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_seat_begins_with_four_worker_cards_and_nine_workers(players: int) -> None:
    start = {"coins": 0, "supply": 9, "hand": [1, 2, 3, 4], "held": [], "characters": []}

    assert Game(players, seed=1).position()["seats"] == [start] * players


@pytest.mark.rule("S2")
def test_the_square_lies_in_the_middle_of_the_top_line(scenario: Scenario) -> None:
    game = scenario(seats={0: {"held": [7], "stock": {"wood": 1}}})

    assert game.position()["city"] == []
    assert legal(game, "build") == ["build:1:-1,0", "build:1:0,1", "build:1:1,0"]


@pytest.mark.rule("S2")
@pytest.mark.parametrize(("street", "cell"), [("E", "1,0"), ("S", "0,1"), ("W", "-1,0")])
def test_columns_grow_to_the_right_and_lines_downward(scenario: Scenario, street: str, cell: str) -> None:
    cards = printed(square_streets=sides(street))

    game = scenario(cards=cards, seats={0: {"held": [7], "stock": {"wood": 1}}})

    assert legal(game, "build") == [f"build:1:{cell}"]


@pytest.mark.rule("S3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_resource_has_the_slots_of_the_number_of_players(players: int) -> None:
    board = Game(players, seed=1).position()["board"]

    assert board == {name: [[]] * len(base_cards().slots[players]) for name in ("wood", "clay", "stone", "crystal")}


@pytest.mark.rule("S3")
def test_the_upper_slot_holds_any_number_of_workers(scenario: Scenario) -> None:
    game = scenario(seats={0: {"stock": {"clay": 2}}, 1: {"coins": 4, "stock": {"clay": [3, 3]}}}, active=1)

    play(game, "take:4:clay")

    assert game.position()["board"]["clay"] == [[0], [0], [1, 1, 1]]


@pytest.mark.rule("S3")
def test_cheapest_means_the_lowest_number_even_where_the_printed_price_is_higher(scenario: Scenario) -> None:
    cards = printed(slots=base_cards().slots | {2: (2, 0, 1)})
    game = scenario(cards=cards, seats={0: {"coins": 2}})

    play(game, "take:1:wood")

    assert game.position()["board"]["wood"] == [[0], [], []]
    assert seat(game, 0)["coins"] == 0


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
    game = Game(players, seed=5)
    guilds = base_cards().guild

    for guild, pile in enumerate(game.record()["piles"].values()):
        assert {guilds[Character[name.upper()]] for name in pile} == {guild}
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


@pytest.mark.rule("S4")
def test_a_given_pile_has_one_character_fewer_than_there_are_players() -> None:
    piles = {guild: pile[:2] for guild, pile in Game(4, seed=1).record()["piles"].items()}

    with pytest.raises(SettingError):
        Game(2, piles=piles)


@pytest.mark.rule("S5")
def test_the_first_six_cards_drawn_make_the_row_the_first_at_position_1() -> None:
    order = list(range(63, -1, -1))

    game = Game(2, seed=1, deck=order)

    assert game.position()["row"] == [63, 62, 61, 60, 59, 58]
    assert game.position()["deck"] == 58
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
def test_the_last_seat_chooses_first_and_then_anticlockwise() -> None:
    game = Game(4, seed=1, first=1)
    choosing = []

    for name in ("wood", "clay", "stone", "crystal"):
        assert (game.phase.word, game.position()["active"]) == ("setup", game.to_move)
        choosing.append(game.to_move)
        play(game, f"setup:{name}")

    assert choosing == [0, 3, 2, 1]


@pytest.mark.rule("S6")
def test_a_seat_chooses_a_resource_that_nobody_chose_before() -> None:
    game = Game(3, seed=1)

    assert legal(game) == ["setup:clay", "setup:crystal", "setup:stone", "setup:wood"]
    assert legal(play(game, "setup:clay")) == ["setup:crystal", "setup:stone", "setup:wood"]
    assert legal(play(game, "setup:wood")) == ["setup:crystal", "setup:stone"]


@pytest.mark.rule("S6")
def test_the_chosen_resource_gets_a_worker_on_its_upper_slot_and_nothing_is_paid() -> None:
    game = play(Game(2, seed=1, first=0), "setup:clay")

    assert game.position()["board"]["clay"] == [[], [], [1]]
    assert seat(game, 1) == {"coins": 0, "supply": 8, "hand": [1, 2, 3, 4], "held": [], "characters": []}


@pytest.mark.rule("S6")
def test_the_first_seat_takes_the_first_turn_and_turns_go_clockwise() -> None:
    game = play(Game(3, seed=1, first=2), "setup:clay", "setup:wood", "setup:stone")
    turns = [(game.to_move, game.position()["round"])]

    for _ in range(3):
        play(game, "coins:2")
        turns.append((game.to_move, game.position()["round"]))

    assert turns == [(2, 1), (0, 1), (1, 1), (2, 2)]
