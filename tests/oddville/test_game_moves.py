"""The people's game: legal moves, and errors that say what was expected."""

from typing import Any

import numpy as np
import pytest

from oddville_env import Game, IllegalMoveError, Move, NotationError, RecordError
from oddville_env.oddville.rules.state import Phase
from support.helpers import many_states, random_game, told, walk
from support.numbers import every_number

# Legal moves


@every_number
def test_legal_moves_are_iterated_counted_and_asked_for(players: int) -> None:
    for game in many_states(10, players):
        legal = game.legal_moves
        words = [move.word for move in legal]

        assert words == sorted(set(words)) == legal.words()
        assert len(words) == len(legal) == legal.count() == game.mask.sum()
        for move in legal:
            assert move in legal
            assert move.word in legal
            assert game.action(move) in legal
            assert np.int64(game.action(move)) in legal
        others = [
            action
            for action in range(-2, len(game.mask) + 2)
            if not 0 <= action < len(game.mask) or not game.mask[action]
        ]
        assert not [action for action in others if action in legal]
        assert "build:1:99,99" not in legal


def test_legal_moves_are_those_of_the_position_as_it_stands() -> None:
    game = Game(2, 0)
    legal = game.legal_moves
    assert "setup:wood" in legal

    game.push("setup:wood")

    assert "setup:wood" not in legal
    assert repr(legal) == "<3 legal moves: setup:clay, setup:crystal, setup:stone>"

    game.pop()

    assert "setup:wood" in legal


def test_whatever_is_legal_can_be_played_as_a_word_a_move_or_an_id() -> None:
    for game in many_states(8, 3):
        for move in game.legal_moves:
            played = after(game, move)
            assert played.problems() == []
            assert told(played) == told(after(game, move.word)) == told(after(game, game.action(move)))


def after(game: Game, move: str | Move | int | None) -> Game:
    """A copy of the game after a move."""
    copy = game.copy()
    copy.push(move)  # type: ignore[arg-type]
    return copy


def test_a_game_that_is_over_has_no_legal_moves() -> None:
    game = random_game(2, 1)

    assert (game.is_over, game.phase, game.to_move) == (True, Phase.OVER, None)
    assert list(game.legal_moves) == []


# Errors


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("", "one of setup:{resource}, recover, coins:{worker}"),
        ("hello", "one of setup:{resource}, recover"),
        ("DONE", "one of setup:{resource}"),
        ("done ", "done"),
        ("done\n", "done"),
        ("done:1", "done"),
        ("flip:1", "flip"),
        ("stup:wood", "setup:{resource} with a resource (wood, clay, stone, crystal)"),
        ("setup:gold", "setup:{resource} with a resource (wood, clay, stone, crystal)"),
        ("setup", "setup:{resource} with a resource"),
        ("coins:0", "coins:{worker} with worker 1-4"),
        ("coins:5", "coins:{worker} with worker 1-4"),
        ("coin:5", "coins:{worker} with worker 1-4"),
        ("take:clay:2", "take:{worker}:{resource} with worker 1-4 and a resource (wood, clay, stone, crystal)"),
        ("take:2:clay:", "take:{worker}:{resource} with worker 1-4"),
        ("buy:1:7", "buy:{worker}:{position} with worker 1-4 and position 1-6"),
        ("buy:1", "buy:{worker}:{position} with worker 1-4 and position 1-6"),
        ("build:1:3", "build:{held}:{cell} with held 1-2 and a cell (column,line, e.g. -2,3)"),
        ("build:3:0,1", "build:{held}:{cell} with held 1-2"),
        ("build:1:-0,1", "build:{held}:{cell} with held 1-2"),
        ("build:1:01,1", "build:{held}:{cell} with held 1-2"),
        ("build:1:+1,1", "build:{held}:{cell} with held 1-2"),
        ("build:1:1,-1", "build:{held}:{cell} with held 1-2"),
        ("build:1:1, 1", "build:{held}:{cell} with held 1-2"),
        ("build:1:1\u0663,1", "build:{held}:{cell} with held 1-2"),
        ("return:wood@1\u0663", "return:{resource}@{slot} with a resource"),
        ("move:wood@0>clay", "move:{resource}@{slot}>{resource} with a resource (wood, clay, stone, crystal) and a"),
        ("move:wood>clay", "move:{resource}@{slot}>{resource} with a resource"),
        ("drop:4", "drop:{third} with third 1-3"),
        ("return:wood", "return:{resource}@{slot} with a resource (wood, clay, stone, crystal) and a slot counted"),
        ("[/red]", "one of setup:{resource}"),
        ("d\x00ne", "done"),
    ],
    ids=lambda value: ascii(value)[:24],
)  # fmt: skip
def test_a_word_that_cannot_be_read_says_what_was_expected(word: str, expected: str) -> None:
    game = Game(2, 0)
    for ask in (Move.parse, game.push, game.action):
        with pytest.raises(NotationError) as unread:
            ask(word)
        assert str(unread.value).startswith(f"cannot read the move {word!r}, expected {expected}")
    assert game.moves == []


@pytest.mark.parametrize("move", [None, 3.5, b"done", [], ("done",), {}], ids=repr)
def test_what_is_no_word_move_or_id_cannot_be_read(move: Any) -> None:
    with pytest.raises(NotationError):
        Game(2, 0).push(move)


@pytest.mark.parametrize("parts", [(), (1,), (1, 2, 3), (9, 9), (-1, 0), ((0, 0), 1)], ids=str)
def test_a_move_with_wrong_parts_is_not_legal(parts: tuple[Any, ...]) -> None:
    game = Game(2, 0, moves=["setup:wood", "setup:clay"])
    before = told(game)

    with pytest.raises((IllegalMoveError, NotationError)):
        game.push(Move(Move.parse("take:2:clay").kind, parts))

    assert told(game) == before


@pytest.mark.parametrize("move", ["done", "build:1:99,0", "build:1:0,1", "buy:4:6", -1, 10**6, 0])
def test_an_illegal_move_names_the_nearest_legal_ones_and_changes_nothing(move: str | int) -> None:
    game = next(game for game in walk(Game(3, 4)) if game.phase == Phase.DISCARD)
    before = told(game)

    with pytest.raises(IllegalMoveError) as illegal:
        game.push(move)

    sentence, near = str(illegal.value).split(" legal moves: ")
    expected = f"{move} is not legal now (phase {game.phase.word}, seat {game.to_move} to move); the nearest of "
    assert sentence == f"{expected}{len(game.legal_moves)}"
    assert set(near.split(", ")) <= set(game.legal_moves.words())
    assert told(game) == before


def test_the_nearest_moves_are_near() -> None:
    game = Game(2, 0, moves=["setup:wood", "setup:clay"])

    with pytest.raises(IllegalMoveError, match=r"legal moves: buy:4:"):
        game.push("buy:4:6")


def test_no_move_can_be_played_when_the_game_is_over() -> None:
    game = random_game(2, 1)

    with pytest.raises(IllegalMoveError, match="the game is over, done cannot be played"):
        game.push("done")


@pytest.mark.parametrize(("number", "word"), [(1, "done"), (7, "hello"), (30, "setup:wood")])
def test_a_record_that_goes_wrong_names_the_move(number: int, word: str) -> None:
    record = random_game(3, 1).record()
    record["moves"][number - 1] = word

    with pytest.raises(RecordError, match=rf"^move {number}: .*{word}"):
        Game.from_record(record)


def test_moves_given_to_the_constructor_raise_as_push_does() -> None:
    with pytest.raises(IllegalMoveError):
        Game(2, 0, moves=["done"])
    with pytest.raises(NotationError):
        Game(2, 0, moves=["hello"])
