"""Whatever is given to a game, it answers with one of the errors for people, in one sentence of bounded length."""

import json
import time
from typing import Any

import numpy as np
import pytest

from oddville_env import Game, GameError, Move, NotationError, OldTown, OldTownSoloEnv, RecordError, SettingError
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


def test_what_is_no_card_set_is_told() -> None:
    with pytest.raises(SettingError, match=r"^cards must be a card set or its folder, not 5$"):
        Game(cards=5)  # type: ignore[arg-type]


def test_what_is_no_list_of_moves_is_told() -> None:
    for moves in ("setup:wood", 5, None):
        with pytest.raises(SettingError, match=r"^moves must be a list of words, not"):
            Game(moves=moves)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [True, False, np.bool_(True)])
def test_a_truth_value_is_no_move(move: Any) -> None:
    with pytest.raises(NotationError, match=r"^cannot read the move"):
        Game(seed=1).push(move)


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


# Records


def test_a_deck_far_too_long_is_refused_at_once() -> None:
    record = random_game(2, 1, moves=5).record()
    start = time.process_time()

    with pytest.raises(RecordError, match="deck must hold each of the 64 cards once, not 960000 cards"):
        Game.from_record({**record, "deck": record["deck"] * 15_000})

    assert time.process_time() - start < 2


def test_a_field_that_stands_twice_is_named() -> None:
    line = json.dumps(random_game(2, 1, moves=5).record())

    with pytest.raises(RecordError, match="field 'players' stands more than once"):
        Game.from_record(line.replace('{"format"', '{"players": 2, "format"'))


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_what_is_no_record_is_refused(value: Any) -> None:
    with pytest.raises(RecordError):
        Game.from_record(value)
