"""Moves: words, ids and values, and which of them a game accepts."""

import contextlib
import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddville_env import Game, IllegalMoveError, Move, NotationError, RecordError
from oddville_env.oddville.moves import action_of, id_of, move_of, words
from oddville_env.oddville.rules.actions import SPANS, Kind, Layout, parts_of
from oddville_env.oddville.rules.state import Phase
from oddville_env.oddville.settings import make_box
from support.helpers import many_states, random_game, steady, told, walk
from support.numbers import every_number

SLOTS = make_box().layout.slots
LAYOUTS = [Layout(*table, SLOTS) for table in ((17, 9), (7, 5), (1, 1), (21, 11), (99, 99))]
LAYOUTS.append(Layout(5, 3, 2))

every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: "x".join(map(str, layout)))
letters = st.one_of(
    st.text(max_size=20),
    st.text("abcdeiklmnopruswxty:@>,-0123456789", max_size=16),
    st.builds(
        lambda word, at, other: word[:at] + other + word[at + 1 :],
        st.sampled_from(words(LAYOUTS[0])),
        st.integers(0, 18),
        st.text(max_size=2),
    ),
)


@every_layout
def test_word_and_id_lead_to_each_other_for_every_move(layout: Layout) -> None:
    for action in range(layout.size):
        move = move_of(layout, action)
        assert Move.parse(move.word) == move
        assert id_of(layout, move) == action


@every_layout
def test_no_two_ids_have_the_same_word(layout: Layout) -> None:
    assert len(set(words(layout))) == len(words(layout)) == layout.size


@every_layout
def test_every_kind_has_the_ids_from_its_start_to_the_next_ones(layout: Layout) -> None:
    kinds = [word.split(":")[0] for word in words(layout)]
    for span, start, end in zip(SPANS, layout.starts, layout.starts[1:], strict=False):
        assert kinds[start:end] == [span.kind.word] * (end - start)
    assert [parts[0] for parts in parts_of(layout)] == [Kind[kind.upper()] for kind in kinds]


@every_layout
def test_cells_and_slots_outside_have_no_id(layout: Layout) -> None:
    column, line = layout.columns // 2, layout.lines - 1
    inside = [f"build:2:{column},{line}", f"build:1:{-column},0", f"return:crystal@{layout.slots}"]
    outside = [f"build:1:{column + 1},0", f"build:1:{-column - 1},0", f"build:1:0,{line + 1}"]
    outside += [f"return:wood@{layout.slots + 1}", f"move:wood@{layout.slots + 1}>clay"]
    readable = [word for word in outside if "100" not in word and "99" not in word]
    assert all(action_of(layout, word) is not None for word in inside)
    assert [action_of(layout, word) for word in readable] == [None] * len(readable)
    assert [action_of(layout, action) for action in (-1, layout.size)] == [None, None]


def test_layouts_with_other_moves_have_other_digests() -> None:
    digests = {layout.digest for layout in [*LAYOUTS, Layout(9, 17, SLOTS), Layout(17, 9, SLOTS - 1)]}
    assert len(digests) == len(LAYOUTS) + 2
    assert Layout(17, 9, SLOTS).digest == Layout(17, 9, SLOTS).digest


@pytest.mark.parametrize(
    ("word", "kind", "parts"),
    [
        ("done", Kind.DONE, ()),
        ("setup:wood", Kind.SETUP, (0,)),
        ("coins:3", Kind.COINS, (2,)),
        ("take:2:clay", Kind.TAKE, (1, 1)),
        ("buy:4:5", Kind.BUY, (3, 4)),
        ("build:1:-2,3", Kind.BUILD, (0, (-2, 3))),
        ("move:wood@2>stone", Kind.MOVE, (0, 1, 2)),
        ("swap:1:6", Kind.SWAP, (0, 5)),
        ("drop:3", Kind.DROP, (2,)),
        ("return:crystal@1", Kind.RETURN, (3, 0)),
    ],
)
def test_a_move_is_a_value(word: str, kind: Kind, parts: tuple[object, ...]) -> None:
    move = Move.parse(word)
    assert move == Move(kind, parts)  # type: ignore[arg-type]
    assert (move.kind, move.parts) == (kind, parts)
    assert hash(move) == hash(Move.parse(word))
    assert str(move) == move.word == word
    assert eval(repr(move)) == copy.deepcopy(move) == pickle.loads(pickle.dumps(move)) == move
    assert {move, Move.parse(word)} == {move}


def test_a_game_numbers_its_moves_as_its_layout_does() -> None:
    game = Game(4, 0, table=(7, 5))
    assert all(game.action(word) == action for action, word in enumerate(words(game.box.layout)))


@settings(steady, max_examples=150)
@given(letters)
def test_whatever_can_be_read_is_the_word_of_its_move(text: str) -> None:
    with contextlib.suppress(NotationError):
        assert Move.parse(text).word == text


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


@pytest.mark.parametrize("move", [None, 3.5, b"done", [], ("done",), {}, True, False, np.bool_(True)], ids=repr)
def test_what_is_no_word_move_or_id_cannot_be_read(move: Any) -> None:
    with pytest.raises(NotationError, match=r"^cannot read the move"):
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
