"""Chapter K: who knows what."""

from collections import Counter

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.oddville.cards import Character, Suit
from oddville_env.oddville.rules import hidden
from support.scenario import Scenario, coins, deck, play, printed, seat

SAMPLES = 60


def samples(game: Game, number: int = SAMPLES) -> list[Game]:
    rng = np.random.default_rng(1)
    return [game.sample_unseen(None, rng) for _ in range(number)]


@pytest.mark.rule("K1")
def test_a_sample_is_the_same_position_with_the_same_words(scenario: Scenario) -> None:
    game = scenario(
        players=3, seats={0: {"coins": 2, "held": [7], "stock": {"wood": 1}}, 1: {"coins": 1, "characters": ["ghost"]}}
    )

    for sample in samples(game, 10):
        assert sample.position() == game.position()
        assert sample.legal_moves.words() == game.legal_moves.words()
        assert sample.problems() == []


@pytest.mark.rule("K1")
def test_a_sample_tells_the_same_public_history() -> None:
    game = Game(3, seed=4)
    rng = np.random.default_rng(4)
    for _ in range(120):
        game.push(rng.choice(game.legal_moves.words()))

    for sample in samples(game, 3):
        assert sample.record() != game.record()
        assert Game.from_record(sample.record()).position() == game.position()


@pytest.mark.rule("K1")
def test_sampling_leaves_the_game_itself_alone(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 2}})
    before = game.state.tobytes()

    samples(game, 5)

    assert game.state.tobytes() == before


@pytest.mark.rule("K1")
def test_never_seen_cards_change_places_between_deck_and_coins(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 2}, 1: {"coins": 1}})
    unseen = sorted(deck(game) + coins(game, 0) + coins(game, 1))
    tops, first_coins = Counter(), Counter()

    for sample in samples(game):
        assert sorted(deck(sample) + coins(sample, 0) + coins(sample, 1)) == unseen
        tops[deck(sample)[0]] += 1
        first_coins[coins(sample, 0)[0]] += 1

    assert len(tops) > 25
    assert len(first_coins) > 25


@pytest.mark.rule("K1")
@pytest.mark.parametrize(("words", "bottom"), [(["buy:4:1", "drop:1"], 7), (["flip", "drop:3"], 32)])
def test_a_card_once_seen_is_known_for_ever_after(scenario: Scenario, words: list[str], bottom: int) -> None:
    seats = {0: {"coins": [30, 31, 32], "held": [7, 8], "characters": ["cheater"]}}
    game = play(scenario(seats=seats, seen=[31]), *words)

    for sample in samples(game, 10):
        assert deck(sample)[-1] == bottom
        assert coins(sample, 0)[1] == 31


@pytest.mark.rule("K1")
def test_a_known_coin_is_still_known_when_it_has_been_paid(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30, 31], "hand": [1, 2], "characters": ["mistress"]}}, seen=[31])
    play(game, "recover")

    tops = {tuple(deck(sample)[:2]) for sample in samples(game, 10)}

    assert {top for top, _ in tops} == {31}
    assert len({second for _, second in tops}) > 1


@pytest.mark.rule("K2")
def test_the_order_below_a_piles_top_is_unknown(scenario: Scenario) -> None:
    game = Game(
        4,
        seed=1,
        piles={**Game(4, seed=1).record()["piles"], "mask": ["seignior", "landowner", "human_resources_manager"]},
    )

    piles = Counter(tuple(sample.record()["piles"]["mask"]) for sample in samples(game))

    assert set(piles) == {
        ("seignior", "landowner", "human_resources_manager"),
        ("seignior", "human_resources_manager", "landowner"),
    }
    assert min(piles.values()) > SAMPLES / 4


@pytest.mark.rule("K2")
def test_with_fewer_than_four_players_it_is_unknown_who_was_removed() -> None:
    game = Game(3, seed=1, piles={**Game(3, seed=1).record()["piles"], "mask": ["seignior", "landowner"]})

    piles = Counter(tuple(sample.record()["piles"]["mask"]) for sample in samples(game))

    assert set(piles) == {("seignior", "landowner"), ("seignior", "human_resources_manager")}
    assert min(piles.values()) > SAMPLES / 4


@pytest.mark.rule("K2")
def test_a_character_is_known_once_it_has_been_on_top(scenario: Scenario) -> None:
    seats = {0: {"held": [7], "stock": {"wood": 1}}}
    pile = ["seignior", "landowner", "human_resources_manager"]
    game = scenario(players=4, cards={7: {"suit": "mask"}}, seats=seats, piles={"mask": pile})
    play(game, "build:1:0,1")

    for sample in samples(game, 10):
        assert seat(sample, 0)["characters"] == ["seignior"]
        assert sample.position()["piles"]["mask"] == {"top": "landowner", "size": 2}
        assert sample.problems() == []


@pytest.mark.rule("K2")
def test_after_a_reshuffle_the_characters_of_the_pile_are_known(scenario: Scenario) -> None:
    seats = {
        0: {"held": [7], "stock": {"wood": 1}, "characters": ["ghost"]},
        1: {"characters": ["benefactor"]},
        2: {"characters": ["tax_collector"]},
    }
    pile = ["benefactor", "ghost", "tax_collector"]
    game = scenario(players=4, cards={7: {"suit": "bells"}}, seats=seats, reshuffles=[pile])
    play(game, "build:1:0,1")

    assert all(sample.record()["reshuffles"] == [pile] for sample in samples(game, 10))


@pytest.mark.rule("K2")
def test_a_guilds_last_character_says_nothing_about_another_guild(scenario: Scenario) -> None:
    seats = {0: {"held": [7], "stock": {"wood": 1}}, 1: {"characters": ["landowner"]}}
    piles = {"mask": ["seignior"], "lily": ["builder", "lamplighter"]}
    game = scenario(players=3, cards={7: {"suit": "mask"}}, seats=seats, piles=piles)
    play(game, "build:1:0,1")
    assert game.position()["piles"]["mask"] == {"top": None, "size": 0}

    below = {sample.state[0].pile[Suit.LILY, 0] for sample in samples(game)}

    assert below == {Character.LAMPLIGHTER, Character.TRAVELLER}


def reveals(game: Game, word: str) -> bool:
    """Whether playing a word reveals something."""
    before = game.state.copy()
    play(game, word)
    return bool(hidden.is_revealing(before[0], game.state[0]))


@pytest.mark.rule("K3")
@pytest.mark.parametrize("word", ["coins:2", "take:2:clay", "recover"])
def test_a_move_that_turns_nothing_over_reveals_nothing(scenario: Scenario, word: str) -> None:
    assert not reveals(scenario(seats={0: {"coins": 5, "hand": [1, 2]}}, cards=printed()), word)


@pytest.mark.rule("K3")
def test_a_new_card_in_the_row_is_revealing(scenario: Scenario) -> None:
    assert reveals(scenario(), "buy:1:1")


@pytest.mark.rule("K3")
def test_taking_a_guilds_character_is_revealing(scenario: Scenario) -> None:
    game = scenario(players=4, cards={7: {"suit": "mask"}}, seats={0: {"held": [7], "stock": {"wood": 1}}})

    assert reveals(game, "build:1:0,1")


@pytest.mark.rule("K3")
def test_a_build_without_a_guild_reveals_nothing(scenario: Scenario) -> None:
    game = scenario(players=4, cards={7: {"bonus": "wood"}}, seats={0: {"held": [7], "stock": {"wood": 1}}})

    assert not reveals(game, "build:1:0,1")


@pytest.mark.rule("K3")
def test_what_a_flip_reveals_is_chance(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": 1, "characters": ["cheater"]}})

    assert len({seat(play(sample, "flip"), 0)["held"][0] for sample in samples(game)}) > 25


@pytest.mark.rule("K3")
def test_what_appears_in_the_row_is_chance(scenario: Scenario) -> None:
    game = scenario()

    assert len({play(sample, "buy:1:1").position()["row"][-1] for sample in samples(game)}) > 25


@pytest.mark.rule("K3")
def test_how_a_pile_will_be_reshuffled_is_chance(scenario: Scenario) -> None:
    seats = {0: {"held": [7], "stock": {"wood": 1}, "characters": ["ghost"]}, 1: {"characters": ["benefactor"]}}
    game = scenario(players=3, cards={7: {"suit": "bells"}}, seats=seats, reshuffles=[["ghost", "benefactor"]])

    taken = Counter(seat(play(sample, "build:1:0,1"), 0)["characters"][0] for sample in samples(game))

    assert set(taken) == {"ghost", "benefactor"}
    assert min(taken.values()) > SAMPLES / 4
