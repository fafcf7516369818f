"""OddVille's game for people: given orders, refused settings, moves by words and ids, its end."""

import contextlib
import copy
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddville_env import Game, IllegalMoveError, Move, NotationError, SettingError, oddville_v0
from oddville_env.oddville.cards import Character, Suit, base_cards
from oddville_env.oddville.moves import action_of, words
from oddville_env.oddville.rules.actions import SPANS, Kind, Layout
from oddville_env.oddville.settings import make_box
from support.card_files import edit
from support.helpers import every_number, many_states, random_game, steady, told, walk


def piles(players: int = 2, **changed: Any) -> dict[str, Any]:
    names = {Suit(guild).word: [c.word for c in Character if base_cards().guild[c] == guild] for guild in range(4)}
    return {guild: pile[: players - 1] for guild, pile in names.items()} | changed


@pytest.mark.parametrize("name", ["deck", "piles", "first"])
def test_what_is_not_given_comes_from_the_seed(name: str) -> None:
    seeded, other = Game(3, 1).record(), Game(3, 4).record()
    assert seeded[name] != other[name]
    assert Game(3, 1, **{name: other[name]}).record() == seeded | {name: other[name]}


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 3), (4, 2)])
@pytest.mark.parametrize("wrong", [["landowner"], ["builder", "lamplighter"], ["cheater"], ["ghost"]], ids=str)
def test_reshuffle_of_other_characters_is_refused_without_change(players: int, seed: int, wrong: list[str]) -> None:
    record = random_game(players, seed).record()
    given = [wrong if sorted(wrong) != sorted(record["reshuffles"][0]) else ["traveller"], *record["reshuffles"][1:]]
    game = Game(players, 0, **{name: record[name] for name in ("deck", "piles", "first")}, reshuffles=given)
    with pytest.raises(SettingError, match=r"reshuffle 1 is given as [\w, ]+, but it is of \w+ and brings back "):  # noqa: PT012
        for word in record["moves"]:
            before = told(game)
            game.push(word)
    assert told(game) == before


@pytest.mark.parametrize(("wrong", "sentence"), [
    ({"players": 5}, "players must be a whole number from 2 to 4, not 5"),
    ({"max_rounds": 0}, "max_rounds must be a whole number from 1 to 30000, not 0"),
    ({"table": (16, 9)}, "table's number of columns must be odd, the square lies in the middle, not 16"),
    ({"table": (17, 0)}, "table's number of lines must be a whole number from 1 to 99, not 0"),
    ({"first": 2}, "first must be a whole number from 0 to 1, not 2"),
    ({"cards": 5}, "cards must be a card set or its folder, not 5"),
    ({"moves": "setup:wood"}, "moves must be a list of words, not"),
    ({"deck": []}, "deck must hold each of the 64 cards once, not 0 without [0, 1, 2"),
    ({"deck": [*range(63), 5]}, "deck must hold each of the 64 cards once, not 64 without [63]"),
    ({"deck": range(1, 65)}, "deck's card must be a whole number from 0 to 63, not 64"),
    ({"deck": [*range(63), 63.0]}, "deck's card must be a whole number from 0 to 63, not 63.0"),
    ({"piles": piles(diamond=[])}, "piles must name the guilds mask, rooster, bells, lily, not "),
    ({"piles": piles(mask=["seignior", "landowner"])}, "piles, mask must be a list of 1 different values, each"),
    ({"piles": piles(mask=["ghost"])}, "piles, mask must be a list of 1 different values, each one of human_res"),
    ({"players": 3, "piles": piles(3, lily=["builder", "builder"])}, "piles, lily must be a list of 2 different"),
    ({"reshuffles": [["builder"], []]}, "reshuffle 2: expected a list of characters, not []"),
    ({"reshuffles": [["builder", "ghost"]]}, "reshuffle 1 must be a list of 1 to 3 different values, each"),
], ids=lambda each: "-".join(f"{k}={v}"[:30] for k, v in each.items()) if isinstance(each, dict) else "")  # fmt: skip
def test_a_setting_that_no_game_can_have_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        Game(**{"seed": 0, **wrong})
    assert str(refused.value).startswith(sentence)


def test_the_repr_tells_given_reshuffles_the_history_of_samples_and_the_folder_of_cards(box: Path) -> None:
    edit(box / "square.csv", lambda text: text.replace("\n4,", "\n9,"))
    replayed = Game.from_record(random_game(4, 2).record())
    assert "reshuffles=" in repr(replayed)
    assert told(eval(repr(replayed))) == told(replayed)
    sample = random_game(4, 2, moves=150).sample_unseen(None, np.random.default_rng(0))
    env = oddville_v0.raw_env(players=3)
    env.reset(4)
    for _ in range(20):
        env.step(int(env.live.mask.argmax()))
    for game in (sample, env.game, random_game(2, 3, moves=30, cards=str(box))):
        assert eval(repr(game)).record() == game.record()


@every_number
def test_every_game_ends_by_its_trigger_or_at_its_last_round(players: int) -> None:
    for seed in range(6):
        game = random_game(players, seed, table=((17, 9), (5, 3))[seed % 2], max_rounds=40)
        outcome, position = game.outcome, game.position()
        assert game.round == position["round"]
        if outcome.truncated:
            assert (position["round"], outcome.trigger) == (40, None)
        else:
            owners = Counter([b["owner"] for b in position["city"]] + list(position["square"].values()))
            assert owners[outcome.trigger] >= 6
            assert all(count < 8 for owner, count in owners.items() if owner is not None)
        assert sorted(outcome.ranks) == list(range(1, players + 1))


def test_a_game_on_a_table_without_room_is_played_to_its_last_round() -> None:
    game = Game(3, 0, table=(1, 1), max_rounds=15)
    assert "build" not in {move.word.split(":")[0] for step in walk(game) for move in step.legal_moves}
    assert (game.outcome.truncated, game.outcome.trigger, game.position()["round"]) == (True, None, 15)


def test_the_score_sheet_lists_what_each_seat_has() -> None:
    for game in many_states(20, 3):
        position = game.position()
        for number, sheet in enumerate(game.score_sheet()):
            own = [(b["card"], b["column"], b["line"]) for b in position["city"] if b["owner"] == number]
            assert [building[:3] for building in sheet.buildings] == own
            assert sorted(sheet.characters) == position["seats"][number]["characters"]
            slots = position["board"].items()
            assert sheet.workers == {resource: sum(on.count(number) for on in its) for resource, its in slots}
            assert (sheet.square > 0) == (number in position["square"].values())


def hidden(game: Game) -> list[int]:
    """The cards that lie face down and were never seen, -1 for those that were: deck, top first, then coins."""
    state = game.state[0]
    deck = np.roll(state.deck, -state.deck_top)[: state.deck_size].tolist()
    cards = [*deck, *(card for seat, size in enumerate(state.coins) for card in state.coin[seat, :size].tolist())]
    return [-1 if state.card_seen[card] else card for card in cards]


def test_every_unseen_card_can_lie_in_every_unseen_place() -> None:
    game, rng = random_game(3, 4, moves=100), np.random.default_rng(0)
    number = 2500
    places = np.array([hidden(game.sample_unseen(None, rng)) for _ in range(number)])
    known = places[0] == -1
    assert known.any()
    assert (places[:, known] == -1).all()
    unseen = sorted(card for card in hidden(game) if card >= 0)
    expected = number / len(unseen)
    for place in np.flatnonzero(~known):
        times = Counter(places[:, place].tolist())
        assert sorted(times) == unseen
        assert max(times.values()) < expected + 6 * expected**0.5
        assert min(times.values()) > expected - 6 * expected**0.5


SLOTS = make_box().layout.slots
LAYOUTS = [Layout(*table, SLOTS) for table in ((17, 9), (7, 5), (1, 1), (21, 11), (99, 99))]
LAYOUTS.append(Layout(5, 3, 2))
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


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: "x".join(map(str, layout)))
def test_every_kind_has_the_ids_up_to_the_next_kind_and_other_moves_other_digests(layout: Layout) -> None:
    kinds = [word.split(":")[0] for word in words(layout)]
    for span, start, end in zip(SPANS, layout.starts, layout.starts[1:], strict=False):
        assert kinds[start:end] == [span.kind.word] * (end - start)
    assert [parts[0] for parts in layout.parts] == [Kind[kind.upper()] for kind in kinds]
    column, line = layout.columns // 2, layout.lines - 1
    inside = [f"build:2:{column},{line}", f"build:1:{-column},0", f"return:crystal@{layout.slots}"]
    outside = [f"build:1:{column + 1},0", f"build:1:{-column - 1},0", f"build:1:0,{line + 1}"]
    outside += [f"return:wood@{layout.slots + 1}", f"move:wood@{layout.slots + 1}>clay"]
    readable = [word for word in outside if "100" not in word and "99" not in word]
    assert all(action_of(layout, word) is not None for word in inside)
    assert [action_of(layout, word) for word in readable] == [None] * len(readable)
    assert [action_of(layout, action) for action in (-1, layout.size)] == [None, None]
    digests = {layout.digest for layout in [*LAYOUTS, Layout(9, 17, SLOTS), Layout(17, 9, SLOTS - 1)]}
    assert (len(digests), Layout(17, 9, SLOTS).digest) == (len(LAYOUTS) + 2, Layout(17, 9, SLOTS).digest)


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
    assert move == Move(kind, parts)
    assert (move.kind, move.parts, hash(move)) == (kind, parts, hash(Move.parse(word)))
    assert str(move) == move.word == word
    assert eval(repr(move)) == copy.deepcopy(move) == pickle.loads(pickle.dumps(move)) == move
    assert {move, Move.parse(word)} == {move}


@settings(steady, max_examples=150)
@given(letters)
def test_whatever_can_be_read_is_the_word_of_its_move(text: str) -> None:
    with contextlib.suppress(NotationError):
        assert Move.parse(text).word == text


def test_legal_moves_are_those_of_the_position_as_it_stands() -> None:
    game = Game(2, 0)
    legal = game.legal_moves
    assert "setup:wood" in legal
    game.push("setup:wood")
    assert "setup:wood" not in legal
    assert repr(legal) == "<3 legal moves: setup:clay, setup:crystal, setup:stone>"
    game.pop()
    assert "setup:wood" in legal


@pytest.mark.parametrize(("word", "expected"), {
    "": "one of setup:{resource}, recover, coins:{worker}",
    "stup:wood": "setup:{resource} with a resource (wood, clay, stone, crystal)",
    "take:clay:2": "take:{worker}:{resource} with worker 1-4 and a resource (wood, clay, stone, crystal)",
    "buy:1:7": "buy:{worker}:{position} with worker 1-4 and position 1-6",
    "build:1:3": "build:{held}:{cell} with held 1-2 and a cell (column,line, e.g. -2,3)",
    "build:1:1,-1": "build:{held}:{cell} with held 1-2",
    "return:wood@1\u0663": "return:{resource}@{slot} with a resource",
    "move:wood@0>clay": "move:{resource}@{slot}>{resource} with a resource (wood, clay, stone, crystal) and a",
    "return:wood": "return:{resource}@{slot} with a resource (wood, clay, stone, crystal) and a slot counted",
}.items(), ids=lambda value: ascii(value)[:24])  # fmt: skip
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
