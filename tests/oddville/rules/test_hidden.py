"""Chapter K: who knows what."""

from collections import Counter

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.oddville.cards import Character, Suit
from oddville_env.oddville.rules import hidden
from support.cases import BUILD, READY
from support.scenario import Scenario, coins, deck, play, seat

SAMPLES = 60
MASK = {7: {"suit": "mask"}}
MASKS = ["seignior", "landowner", "human_resources_manager"]


def samples(game: Game, number: int = SAMPLES) -> list[Game]:
    rng = np.random.default_rng(1)
    return [game.sample_unseen(None, rng) for _ in range(number)]


@pytest.mark.rule("K1")
@pytest.mark.parametrize(("words", "bottom"), [(["buy:4:1", "drop:1"], 7), (["flip", "drop:3"], 32)])
def test_a_card_once_seen_is_known_for_ever_after(scenario: Scenario, words: list[str], bottom: int) -> None:
    seats = {0: {"coins": [30, 31, 32], "held": [7, 8], "characters": ["cheater"]}}
    game = play(scenario(seats=seats, seen=[31]), *words)
    for sample in samples(game, 10):
        assert (deck(sample)[-1], coins(sample, 0)[1]) == (bottom, 31)


@pytest.mark.rule("K1")
def test_a_known_coin_is_still_known_when_it_has_been_paid(scenario: Scenario) -> None:
    game = scenario(seats={0: {"coins": [30, 31], "hand": [1, 2], "characters": ["mistress"]}}, seen=[31])
    play(game, "recover")
    tops = {tuple(deck(sample)[:2]) for sample in samples(game, 10)}
    assert {top for top, _ in tops} == {31}
    assert len({second for _, second in tops}) > 1


@pytest.mark.rule("K2")
@pytest.mark.parametrize(("pile", "possible"), [
    pytest.param(MASKS, [MASKS, [MASKS[0], MASKS[2], MASKS[1]]], id="the order below the top"),
    pytest.param(MASKS[:2], [MASKS[:2], [MASKS[0], MASKS[2]]], id="which character was removed"),
])  # fmt: skip
def test_below_a_piles_top_characters_are_unknown(pile: list[str], possible: list[list[str]]) -> None:
    players = len(pile) + 1
    game = Game(players, seed=1, piles={**Game(players, seed=1).record()["piles"], "mask": pile})
    piles = Counter(tuple(sample.record()["piles"]["mask"]) for sample in samples(game))
    assert set(piles) == set(map(tuple, possible))
    assert min(piles.values()) > SAMPLES / 4


@pytest.mark.rule("K2")
def test_a_character_is_known_once_it_has_been_on_top_or_its_pile_is_reshuffled(scenario: Scenario) -> None:
    game = play(scenario(players=4, cards=MASK, seats={0: READY}, piles={"mask": MASKS}), BUILD)
    for sample in samples(game, 10):
        assert seat(sample, 0)["characters"] == ["seignior"]
        assert sample.position()["piles"]["mask"] == {"top": "landowner", "size": 2}
        assert sample.problems() == []
    pile = ["benefactor", "ghost", "tax_collector"]
    seats = {0: {**READY, "characters": pile[:1]}, 1: {"characters": pile[1:2]}, 2: {"characters": pile[2:]}}
    game = play(scenario(players=4, cards={7: {"suit": "bells"}}, seats=seats, reshuffles=[pile]), BUILD)
    assert all(sample.record()["reshuffles"] == [pile] for sample in samples(game, 10))


@pytest.mark.rule("K2")
def test_a_guilds_last_character_says_nothing_about_another_guild(scenario: Scenario) -> None:
    seats = {0: READY, 1: {"characters": ["landowner"]}}
    piles = {"mask": ["seignior"], "lily": ["builder", "lamplighter"]}
    game = play(scenario(players=3, cards=MASK, seats=seats, piles=piles), BUILD)
    assert game.position()["piles"]["mask"] == {"top": None, "size": 0}
    below = {sample.state[0].pile[Suit.LILY, 0] for sample in samples(game)}
    assert below == {Character.LAMPLIGHTER, Character.TRAVELLER}


@pytest.mark.rule("K3")
@pytest.mark.parametrize(("card", "word", "reveals"), [
    pytest.param({}, "coins:2", False, id="coins"),
    pytest.param({}, "take:2:clay", False, id="a resource"),
    pytest.param({}, "recover", False, id="recovering"),
    pytest.param({"bonus": "wood"}, BUILD, False, id="a build without a guild"),
    pytest.param({}, "buy:1:1", True, id="a new card in the row"),
    pytest.param({"suit": "mask"}, BUILD, True, id="a guild's character"),
])  # fmt: skip
def test_revealing_move_turns_something_over(
    scenario: Scenario, card: dict[str, str], word: str, reveals: bool
) -> None:
    game = scenario(players=4, cards={7: card}, seats={0: {**READY, "coins": 5, "hand": [1, 2]}})
    before = game.state.copy()
    play(game, word)
    assert bool(hidden.is_revealing(before[0], game.state[0])) is reveals


@pytest.mark.rule("K3")
def test_a_reshuffle_and_what_a_flip_reveals_or_appears_in_the_row_is_chance(scenario: Scenario) -> None:
    seats = {0: {**READY, "characters": ["ghost"]}, 1: {"characters": ["benefactor"]}}
    game = scenario(players=3, cards={7: {"suit": "bells"}}, seats=seats, reshuffles=[["ghost", "benefactor"]])
    taken = Counter(seat(play(sample, BUILD), 0)["characters"][0] for sample in samples(game))
    assert set(taken) == {"ghost", "benefactor"}
    assert min(taken.values()) > SAMPLES / 4
    game = scenario(seats={0: {"coins": 1, "characters": ["cheater"]}})
    assert len({seat(play(sample, "flip"), 0)["held"][0] for sample in samples(game)}) > 25
    assert len({play(sample, "buy:1:1").position()["row"][-1] for sample in samples(game)}) > 25
