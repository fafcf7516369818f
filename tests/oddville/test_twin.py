"""The compiled rules against the naive twin: at every decision the same words, position and scores."""

from random import Random

import pytest

from oddville.naive import NaiveGame
from oddville.naive.random_play import eager, even
from oddville_env import Game

TABLES = [(17, 9), (7, 5), (5, 9), (1, 3)]
QUICK, LONG = 40, 3000


def assert_alike(game: Game, twin: NaiveGame) -> list[str]:
    """Both see the same; the legal words."""
    words = game.legal_moves.words()
    assert words == twin.legal()
    assert game.position() == twin.position()
    return words


def play_both(seed: int) -> None:
    """One random game, half of them by a player who makes the rare phases common."""
    rng = Random(seed)
    players, weigh = rng.choice([2, 3, 4]), rng.choice([even, eager])
    game = Game(players, seed, table=rng.choice(TABLES), max_rounds=rng.choice([100, 9]))
    twin, known = NaiveGame(game.record()), 0
    while words := assert_alike(game, twin):
        word = rng.choices(words, [weigh(twin, word) for word in words])[0]
        game.push(word)
        piles = game.record()["reshuffles"]
        twin.reshuffles.extend(piles[known:])
        known = len(piles)
        twin.play(word)
    assert game.outcome is not None
    assert list(game.outcome.scores) == twin.scores()
    assert list(game.outcome.ranks) == twin.ranks()
    assert (game.outcome.trigger, game.outcome.truncated) == (twin.trigger, twin.truncated)


@pytest.mark.parametrize("seed", range(QUICK))
def test_the_compiled_rules_play_as_the_naive_twin_does(seed: int) -> None:
    play_both(seed)


@pytest.mark.slow
def test_the_compiled_rules_play_as_the_naive_twin_does_for_a_long_time() -> None:
    for seed in range(QUICK, LONG):
        play_both(seed)
