"""Moves: words, ids and values, and which of them a game accepts."""

import contextlib
import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddville_env import Game, IllegalMoveError, Move, NotationError
from oddville_env.oddville.moves import action_of, words
from oddville_env.oddville.rules.actions import SPANS, Kind, Layout
from oddville_env.oddville.settings import make_box
from support.helpers import steady, told

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
def test_every_kind_has_the_ids_from_its_start_to_the_next_ones(layout: Layout) -> None:
    kinds = [word.split(":")[0] for word in words(layout)]
    for span, start, end in zip(SPANS, layout.starts, layout.starts[1:], strict=False):
        assert kinds[start:end] == [span.kind.word] * (end - start)
    assert [parts[0] for parts in layout.parts] == [Kind[kind.upper()] for kind in kinds]


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


@pytest.mark.parametrize(("word", "kind", "parts"), [
    ("done", Kind.DONE, ()),
    ("setup:wood", Kind.SETUP, (0,)),
    ("take:2:clay", Kind.TAKE, (1, 1)),
    ("buy:4:5", Kind.BUY, (3, 4)),
    ("build:1:-2,3", Kind.BUILD, (0, (-2, 3))),
    ("move:wood@2>stone", Kind.MOVE, (0, 1, 2)),
])  # fmt: skip
def test_a_move_is_a_value(word: str, kind: Kind, parts: tuple[object, ...]) -> None:
    move = Move.parse(word)
    assert move == Move(kind, parts)  # type: ignore[arg-type]
    assert (move.kind, move.parts, hash(move)) == (kind, parts, hash(Move.parse(word)))
    assert str(move) == move.word == word
    assert eval(repr(move)) == copy.deepcopy(move) == pickle.loads(pickle.dumps(move)) == move
    assert {move, Move.parse(word)} == {move}


@settings(steady, max_examples=150)
@given(letters)
def test_whatever_can_be_read_is_the_word_of_its_move(text: str) -> None:
    with contextlib.suppress(NotationError):
        assert Move.parse(text).word == text


# Legal moves


def test_legal_moves_are_those_of_the_position_as_it_stands() -> None:
    game = Game(2, 0)
    legal = game.legal_moves
    assert "setup:wood" in legal
    game.push("setup:wood")
    assert "setup:wood" not in legal
    assert repr(legal) == "<3 legal moves: setup:clay, setup:crystal, setup:stone>"
    game.pop()
    assert "setup:wood" in legal


# Errors


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("", "one of setup:{resource}, recover, coins:{worker}"),
        ("stup:wood", "setup:{resource} with a resource (wood, clay, stone, crystal)"),
        ("take:clay:2", "take:{worker}:{resource} with worker 1-4 and a resource (wood, clay, stone, crystal)"),
        ("buy:1:7", "buy:{worker}:{position} with worker 1-4 and position 1-6"),
        ("build:1:3", "build:{held}:{cell} with held 1-2 and a cell (column,line, e.g. -2,3)"),
        ("build:1:1,-1", "build:{held}:{cell} with held 1-2"),
        ("return:wood@1\u0663", "return:{resource}@{slot} with a resource"),
        ("move:wood@0>clay", "move:{resource}@{slot}>{resource} with a resource (wood, clay, stone, crystal) and a"),
        ("return:wood", "return:{resource}@{slot} with a resource (wood, clay, stone, crystal) and a slot counted"),
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


@pytest.mark.parametrize("parts", [(), (1,), (1, 2, 3), (9, 9), (-1, 0), ((0, 0), 1)], ids=str)
def test_a_move_with_wrong_parts_is_not_legal(parts: tuple[Any, ...]) -> None:
    game = Game(2, 0, moves=["setup:wood", "setup:clay"])
    before = told(game)
    with pytest.raises((IllegalMoveError, NotationError)):
        game.push(Move(Move.parse("take:2:clay").kind, parts))
    assert told(game) == before


def test_an_illegal_move_names_the_nearest_ones_also_where_it_is_given_to_the_constructor() -> None:
    with pytest.raises(IllegalMoveError, match=r"legal moves: buy:4:"):
        Game(2, 0, moves=["setup:wood", "setup:clay", "buy:4:6"])
    with pytest.raises(NotationError):
        Game(2, 0, moves=["hello"])
