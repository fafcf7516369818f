"""Whatever is given to a game, it answers with one of the errors for people, in one sentence of bounded length."""

import time
from typing import Any

import numpy as np
import pytest

from oddville_env import Game, GameError, Move, OldTown, OldTownSoloEnv
from support.bad_values import VALUES
from support.helpers import random_game

LONGEST_SENTENCE = 1000


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """What is measured here is no compiling."""
    random_game(2, 1, moves=5)


def fits(call: Any) -> None:
    """The call does its work, or raises an error for people: one short sentence."""
    start = time.process_time()
    try:
        call()
    except GameError as error:
        sentence = str(error)
        assert sentence
        assert "\n" not in sentence
        assert len(sentence) < LONGEST_SENTENCE
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "name", ["players", "seed", "deck", "piles", "first", "reshuffles", "table", "max_rounds", "cards", "moves"]
)
def test_every_setting_of_a_game_is_checked(name: str) -> None:
    for value in VALUES:
        fits(lambda value=value: Game(**{name: value}))


CALLS = {
    "Game.position": lambda value: Game(seed=1).position(value),
    "Game.text": lambda value: Game(seed=1).text(value),
    "Game.svg": lambda value: Game(seed=1).svg(value),
    "Game.svg marks": lambda value: Game(seed=1).svg(marks=value),
    "Game.observe": lambda value: Game(seed=1).observe(value),
    "Game.observe encoding": lambda value: Game(seed=1).observe(0, value),
    "OldTown.text": lambda value: OldTown(seed=1).text(value),
    "OldTown.svg": lambda value: OldTown(seed=1).svg(value),
    "OldTownSoloEnv level": lambda value: OldTownSoloEnv(level=value),
}


@pytest.mark.parametrize("name", CALLS)
def test_arguments_are_refused_in_one_sentence(name: str) -> None:
    for value in VALUES:
        fits(lambda value=value: CALLS[name](value))


def test_a_push_of_anything_leaves_the_game_as_it_was() -> None:
    game = random_game(3, 1, moves=20)
    moves = [*VALUES, *(Move(kind, parts) for kind in VALUES[:20] for parts in [(), (1,), ("x",), ((1, 2, 3),), 5])]
    for move in moves:
        state = game.state.tobytes()
        length = len(game.moves)
        fits(lambda move=move: game.push(move))
        if len(game.moves) > length:
            assert isinstance(move, int | np.integer | Move)
            game.pop()
        assert game.state.tobytes() == state
