"""The game for people: seeds, given orders, taking back, copies, errors, the score sheet, what is unseen, damage."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from helpers import many_states, random_game, told, walk
from oddville_env import Game, IllegalMoveError, Move, NotationError, RecordError, SettingError, oddville_v0
from oddville_env.oddville.cards import Character, Suit, base_cards
from oddville_env.oddville.rules.state import Phase

PLAYERS = (2, 3, 4)
every_number = pytest.mark.parametrize("players", PLAYERS)
reshuffled = pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 3), (4, 2)])
"""Games with reshuffles of one, two and three characters."""


def piles(players: int = 2, **changed: Any) -> dict[str, Any]:
    """Piles for a game, some of them changed."""
    names = {Suit(guild).word: [c.word for c in Character if base_cards().guild[c] == guild] for guild in range(4)}
    return {guild: pile[: players - 1] for guild, pile in names.items()} | changed


# Seeds


@every_number
def test_the_same_seed_is_the_same_game(players: int) -> None:
    assert told(Game(players, 7)) == told(Game(players, 7))


@every_number
def test_another_seed_is_another_game(players: int) -> None:
    decks = {tuple(Game(players, seed).record()["deck"]) for seed in range(50)}

    assert len(decks) == 50


def test_without_a_seed_every_game_is_another_one_that_its_seed_brings_back() -> None:
    game = Game()

    assert game.record()["deck"] != Game().record()["deck"]
    assert told(Game(seed=game.seed)) == told(game)


@pytest.mark.parametrize("seed", [0, 2**32, 2**64, 2**200, np.int64(5), np.uint64(2**63)], ids=repr)
def test_a_seed_is_any_whole_number_from_0(seed: int) -> None:
    assert told(Game(2, seed)) == told(Game(2, int(seed)))


@pytest.mark.parametrize("seed", ["1", "", b"1", 1.0, np.float64(1), -1, True, np.True_, [1], (1,), 1j], ids=repr)
def test_anything_else_is_no_seed(seed: object) -> None:
    with pytest.raises(SettingError, match="seed must be a whole number of at least 0, or None, not"):
        Game(2, seed)  # type: ignore[arg-type]


@reshuffled
def test_reshuffles_follow_from_the_seed(players: int, seed: int) -> None:
    game = random_game(players, seed)

    assert len(game.record()["reshuffles"]) > 1
    assert told(Game(players, seed, moves=game.moves)) == told(game)


# Given orders


@every_number
def test_given_orders_are_dealt(players: int) -> None:
    record = Game(players, 1).record()
    given = {name: record[name] for name in ("deck", "piles", "first")}

    game = Game(players, 2, **given)

    assert game.record() == record
    position = game.position()
    assert position["row"] == given["deck"][:6]
    assert {guild: pile["top"] for guild, pile in position["piles"].items()} == {
        g: p[0] for g, p in record["piles"].items()
    }
    assert game.to_move == (given["first"] - 1) % players


@pytest.mark.parametrize("name", ["deck", "piles", "first"])
def test_what_is_not_given_comes_from_the_seed(name: str) -> None:
    seeded, other = Game(3, 1).record(), Game(3, 4).record()

    assert seeded[name] != other[name]
    assert Game(3, 1, **{name: other[name]}).record() == seeded | {name: other[name]}


@reshuffled
def test_given_reshuffles_are_used_in_their_order(players: int, seed: int) -> None:
    record = random_game(players, seed).record()
    names = ("deck", "piles", "first", "reshuffles", "moves")

    assert Game(players, seed + 1, **{name: record[name] for name in names}).record() == record


@reshuffled
@pytest.mark.parametrize("wrong", [["landowner"], ["builder", "lamplighter"], ["cheater"], ["ghost"]], ids=str)
def test_a_reshuffle_of_other_characters_is_refused_and_changes_nothing(
    players: int, seed: int, wrong: list[str]
) -> None:
    record = random_game(players, seed).record()
    given = [wrong if sorted(wrong) != sorted(record["reshuffles"][0]) else ["traveller"], *record["reshuffles"][1:]]
    game = Game(players, 0, **{name: record[name] for name in ("deck", "piles", "first")}, reshuffles=given)

    with pytest.raises(SettingError, match=r"reshuffle 1 is given as [\w, ]+, but it is of \w+ and brings back "):  # noqa: PT012
        for word in record["moves"]:
            before = told(game)
            game.push(word)

    assert told(game) == before


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"players": 1}, "players must be a whole number from 2 to 4, not 1"),
        ({"players": 5}, "players must be a whole number from 2 to 4, not 5"),
        ({"players": "2"}, "players must be a whole number from 2 to 4, not '2'"),
        ({"players": True}, "players must be a whole number from 2 to 4, not True"),
        ({"max_rounds": 0}, "max_rounds must be a whole number from 1 to 30000, not 0"),
        ({"max_rounds": 2.5}, "max_rounds must be a whole number from 1 to 30000, not 2.5"),
        ({"max_rounds": 40_000}, "max_rounds must be a whole number from 1 to 30000, not 40000"),
        ({"table": (16, 9)}, "table's number of columns must be odd, the square lies in the middle, not 16"),
        ({"table": (17, 0)}, "table's number of lines must be a whole number from 1 to 99, not 0"),
        ({"table": (101, 9)}, "table's number of columns must be a whole number from 1 to 99, not 101"),
        ({"table": [17]}, "table must be [columns, lines], not [17]"),
        ({"table": "ab"}, "table must be [columns, lines], not 'ab'"),
        ({"table": None}, "table must be [columns, lines], not None"),
        ({"table": (True, 9)}, "table's number of columns must be a whole number from 1 to 99, not True"),
        ({"first": 2}, "first must be a whole number from 0 to 1, not 2"),
        ({"first": -1}, "first must be a whole number from 0 to 1, not -1"),
        ({"first": True}, "first must be a whole number from 0 to 1, not True"),
        ({"deck": "abc"}, "deck must be a list, not 'abc'"),
        ({"deck": 5}, "deck must be a list, not 5"),
        ({"deck": []}, "deck must hold each of the 64 cards once, not 0 without [0, 1, 2"),
        ({"deck": range(63)}, "deck must hold each of the 64 cards once, not 63 without [63]"),
        ({"deck": [*range(63), 5]}, "deck must hold each of the 64 cards once, not 64 without [63]"),
        ({"deck": range(1, 65)}, "deck's card must be a whole number from 0 to 63, not 64"),
        ({"deck": [*range(63), "63"]}, "deck's card must be a whole number from 0 to 63, not '63'"),
        ({"deck": [*range(63), 63.0]}, "deck's card must be a whole number from 0 to 63, not 63.0"),
        ({"piles": []}, "piles must name the guilds mask, rooster, bells, lily, not []"),
        ({"piles": {"mask": ["seignior"]}}, "piles must name the guilds mask, rooster, bells, lily, not {'mask'"),
        ({"piles": piles(diamond=[])}, "piles must name the guilds mask, rooster, bells, lily, not "),
        ({"piles": piles(mask="seignior")}, "piles, guild mask must be a list, not 'seignior'"),
        ({"piles": piles(mask=[])}, "piles, guild mask: expected 1 characters, not 0"),
        ({"piles": piles(mask=["seignior", "landowner"])}, "piles, guild mask: expected 1 characters, not 2"),
        ({"piles": piles(mask=["ghost"])}, "piles, guild mask: expected characters of the guild (human_res"),
        ({"piles": piles(mask=[["seignior"]])}, "piles, guild mask: expected characters of the guild"),
        (
            {"players": 3, "piles": piles(3, lily=["builder", "builder"])},
            "piles, guild lily: a character is named twice",
        ),
        ({"reshuffles": None}, "reshuffles must be a list, not None"),
        ({"reshuffles": "builder"}, "reshuffles must be a list, not 'builder'"),
        ({"reshuffles": ["builder"]}, "reshuffle 1 must be a list, not 'builder'"),
        ({"reshuffles": [["builder"], []]}, "reshuffle 2: expected a list of characters, not []"),
        ({"reshuffles": [["nobody"]]}, "reshuffle 1: expected a list of characters, not ['nobody']"),
        ({"reshuffles": [["builder", "ghost"]]}, "reshuffle 1: expected characters of the guild (lamplighter"),
        ({"reshuffles": [["builder", "builder"]]}, "reshuffle 1: a character is named twice"),
    ],
    ids=lambda value: "-".join(f"{k}={v}"[:30] for k, v in value.items()) if isinstance(value, dict) else "",
)  # fmt: skip
def test_a_setting_that_no_game_can_have_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        Game(**{"seed": 0, **wrong})

    assert str(refused.value).startswith(sentence)


def test_a_deck_with_a_card_too_many_is_told_which() -> None:
    with pytest.raises(SettingError) as refused:
        Game(deck=[*range(64), 5])

    assert "5" in str(refused.value).split("not 65")[1]


# Taking back and copies


@every_number
def test_popping_goes_back_through_every_state_of_a_game(players: int) -> None:
    game = Game(players, 5)
    passed = [told(game) for _ in walk(game, 5)]

    for move in reversed(game.moves):
        assert told(game) == passed.pop()
        assert game.pop() == move

    assert told(game) == passed.pop()
    with pytest.raises(IllegalMoveError, match="there is no move to take back"):
        game.pop()


def test_a_game_that_was_taken_back_goes_on_as_before() -> None:
    game = random_game(3, 8, moves=90)
    words = [game.pop().word for _ in range(60)]

    for word in reversed(words):
        game.push(word)

    assert told(game) == told(random_game(3, 8, moves=90))


def test_games_in_the_same_state_are_equal() -> None:
    game = random_game(3, 8, moves=90)
    padding = [at for at in range(game.state.itemsize) if not any(at in part for part in places(game.state.dtype))]
    copy = game.copy()
    copy.state.view(np.uint8)[padding] ^= 1

    assert game == game.copy() == copy
    assert game != random_game(3, 8, moves=89)
    assert game != "game"


def places(dtype: np.dtype) -> list[range]:
    """Where the bytes of each field lie."""
    return [range(at, at + part.itemsize) for part, at, *_ in (dtype.fields or {}).values()]


def test_a_copy_is_independent() -> None:
    game = random_game(4, 2, moves=150)
    before = told(game)

    copy = game.copy()
    assert told(copy) == before
    for _ in walk(copy, 1):
        pass
    assert told(game) == before

    end = told(copy)
    for _ in range(150):
        game.pop()
    assert told(copy) == end
    assert len(game.moves) == 0


def test_copies_of_samples_do_not_change_what_was_dealt() -> None:
    game = random_game(4, 2, moves=150)
    copy = game.copy()

    copy.sample_unseen(None, np.random.default_rng(0))

    assert told(copy) == told(game)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"players": 3, "seed": 12345678901234567890123},
        {"players": 4, "table": (5, 3), "max_rounds": 7},
        {"players": 3, "deck": range(64), "first": 1, "piles": piles(3)},
    ],
    ids=str,
)
@pytest.mark.parametrize("moves", [0, 40, None])
def test_the_repr_rebuilds_the_game(settings: dict[str, Any], moves: int | None) -> None:
    game = random_game(**{"seed": 3, **settings}, moves=moves)

    assert told(eval(repr(game))) == told(game)


def test_the_repr_rebuilds_a_game_with_given_reshuffles() -> None:
    game = Game.from_record(random_game(4, 2).record())

    assert "reshuffles=" in repr(game)
    assert told(eval(repr(game))) == told(game)


def test_the_repr_of_a_sample_tells_its_history() -> None:
    sample = random_game(4, 2, moves=150).sample_unseen(None, np.random.default_rng(0))

    assert eval(repr(sample)).record() == sample.record()


def test_the_repr_of_an_environments_game_tells_its_history() -> None:
    env = oddville_v0.raw_env(players=3)
    env.reset(4)
    for _ in range(20):
        env.step(int(env.live.mask.argmax()))

    assert eval(repr(env.game)).record() == env.game.record()


def test_the_repr_names_the_folder_of_other_cards(other_cards: str) -> None:
    game = random_game(2, 3, moves=30, cards=other_cards)

    assert eval(repr(game)) == game


@pytest.fixture(scope="module")
def other_cards(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with the base cards, the square being worth more."""
    import shutil
    from importlib.resources import files

    folder = tmp_path_factory.mktemp("box") / "cards"
    shutil.copytree(str(files("oddville_env") / "oddville" / "cards" / "base"), folder)
    square = folder / "square.csv"
    head, values, *_ = square.read_text().splitlines()
    square.write_text(f"{head}\n9{values[values.index(',') :]}\n")
    return str(folder)


def test_a_game_in_the_middle_is_in_the_position_of_its_state() -> None:
    for game in many_states(6, 3):
        middle = Game.from_state(game.box, game.state)

        assert middle.position() == game.position()
        assert middle.legal_moves.words() == game.legal_moves.words()
        assert middle.moves == []


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


# The end


@every_number
def test_the_outcome_tells_scores_strict_ranks_and_the_trigger(players: int) -> None:
    for seed in range(12):
        game = Game(players, seed)
        for step in walk(game, seed):
            assert (step.outcome is None) == (not step.is_over)
        outcome = game.outcome
        assert outcome is not None
        assert outcome.scores == game.scores
        assert sorted(outcome.ranks) == list(range(1, players + 1))
        assert outcome.ranks[outcome.winner] == 1
        by_rank = [outcome.scores[outcome.ranks.index(rank)] for rank in range(1, players + 1)]
        assert by_rank == sorted(by_rank, reverse=True)
        assert outcome.truncated == (outcome.trigger is None)


def test_a_game_at_its_limit_of_rounds_is_cut_off() -> None:
    game = random_game(3, 1, max_rounds=2)

    assert game.outcome is not None
    assert (game.outcome.truncated, game.outcome.trigger) == (True, None)
    assert game.position()["round"] == 2


@every_number
def test_the_score_sheet_adds_up_to_the_scores(players: int) -> None:
    for game in many_states(40, players):
        assert [sheet.total for sheet in game.score_sheet()] == list(game.scores) == game.position()["scores"]


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


# What is unseen


@every_number
def test_a_sample_of_the_unseen_is_the_same_game_for_everybody(players: int) -> None:
    rng = np.random.default_rng(players)
    for game in many_states(25, players):
        before = told(game)
        sample = game.sample_unseen(None, rng)

        assert sample.position() == game.position()
        assert sample.legal_moves.words() == game.legal_moves.words()
        assert sample.problems() == []
        assert sample.moves == game.moves
        assert Game.from_record(sample.record()).position() == game.position()
        assert told(game) == before


@every_number
def test_samples_have_other_hidden_orders_and_another_future(players: int) -> None:
    game = random_game(players, 3, moves=50)
    rng = np.random.default_rng(0)
    samples = [game.sample_unseen(None, rng) for _ in range(20)]

    assert len({tuple(sample.record()["deck"]) for sample in samples}) == 20
    assert len({int(sample.state[0].seed) for sample in samples}) == 20


def test_the_same_generator_gives_the_same_sample() -> None:
    game = random_game(3, 3, moves=50)
    first, second = (game.sample_unseen(None, np.random.default_rng(5)) for _ in range(2))

    assert told(first) == told(second)


@every_number
def test_a_sample_can_be_played_to_its_end_and_replayed(players: int) -> None:
    for game in many_states(6, players, seed=50):
        sample = game.sample_unseen(None, np.random.default_rng(1))
        for step in walk(sample, 3):
            assert step.problems() == []
        assert Game.from_record(sample.record()).record() == sample.record()


def test_a_samples_moves_cannot_be_taken_back_but_later_ones_can() -> None:
    sample = random_game(2, 3, moves=50).sample_unseen(None, np.random.default_rng(0))
    before = told(sample)

    with pytest.raises(IllegalMoveError):
        sample.pop()
    sample.push(next(iter(sample.legal_moves)))
    sample.pop()

    assert told(sample) == before


def hidden(game: Game) -> list[int]:
    """The cards that lie face down and were never seen, -1 for those that were: deck, top first, then coins."""
    state = game.state[0]
    deck = np.roll(state.deck, -state.deck_top)[: state.deck_size].tolist()
    cards = [*deck, *(card for seat, size in enumerate(state.coins) for card in state.coin[seat, :size].tolist())]
    return [-1 if state.card_seen[card] else card for card in cards]


def test_every_unseen_card_can_lie_in_every_unseen_place() -> None:
    game = random_game(3, 4, moves=100)
    rng = np.random.default_rng(0)
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


def test_the_order_of_a_new_pile_below_its_top_is_unseen() -> None:
    game = next(
        game for game in walk(Game(4, 2), 2) if game.record()["reshuffles"] and (game.state[0].pile_size == 2).any()
    )
    guild = int(np.flatnonzero(game.state[0].pile_size == 2)[0])
    rng = np.random.default_rng(0)

    tops = {tuple(game.sample_unseen(None, rng).state[0].pile[guild, :2].tolist()) for _ in range(30)}

    assert len({top for _, top in tops}) == 1


# Damage


def plant(name: str, value: Any, at: Any = ...) -> Callable[[np.record], None]:
    """Write into a field of the state."""

    def write(state: np.record) -> None:
        if at is ...:
            state[name] = value
        else:
            state[name][at] = value

    return write


def swap_city_owner(state: np.record) -> None:
    state.city_owner[1] = (state.city_owner[1] + 1) % 3


def forget_facing(state: np.record) -> None:
    state.facing[state.frontier[0]] = 0


def forget_frontier(state: np.record) -> None:
    state.frontier_size -= 1


def double_character(state: np.record) -> None:
    state.owner[state.pile[np.flatnonzero(state.pile_size)[0], 0]] = 0


def lose_character(state: np.record) -> None:
    state.pile_size[np.flatnonzero(state.pile_size)[0]] -= 1


def other_guilds_pile(state: np.record) -> None:
    first, second = np.flatnonzero(state.pile_size)[:2]
    state.pile[first, 0], state.pile[second, 0] = state.pile[second, 0], state.pile[first, 0]


def double_card(state: np.record) -> None:
    state.row[0] = state.row[1]


def street_to_houses(state: np.record) -> None:
    state.city_card[1], state.row[0] = state.row[0], state.city_card[1]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (plant("coins", 6, 0), "coins is not within 0..5"),
        (plant("phase", 8), "phase is not within 0..7"),
        (plant("to_move", 4), "to_move is not within -1..3"),
        (plant("supply", -1, 2), "supply is not within 0..9"),
        (plant("pending", 9, 3), "pending is not within 0..5"),
        (plant("city_size", 0), "city_size is not within 1..23"),
        (plant("row", 64, 3), "row is not within -1..63"),
        (double_card, "lies in 2 places"),
        (double_card, "lies in 0 places"),
        (plant("supply", 9, 0), "seat 0 has "),
        (plant("stock", 9, (1, 2)), "seat 1 has "),
        (plant("settled", 5, 1), "seat 1 has "),
        (plant("on_square", 1, 2), "seat 1 has "),
        (swap_city_owner, "workers in the city, but "),
        (double_character, "is in two places"),
        (lose_character, " characters are in the game, not "),
        (other_guilds_pile, "'s pile"),
        (plant("ground", -1, 8), "the ground does not show the city's entries"),
        (forget_frontier, "the frontier is not what lies beside the city"),
        (plant("facing", 0, 8), "the square or a card of the city is not where it should be"),
        (street_to_houses, "meets houses of card "),
    ],
)
def test_damage_in_the_state_is_found(damage: Callable[[np.record], None], sentence: str) -> None:
    game = in_the_middle()
    assert game.problems() == []

    damage(game.state[0])

    assert any(sentence in problem for problem in game.problems()), game.problems()


def in_the_middle() -> Game:
    """A game of three in phase main, with a city and two piles."""
    for game in walk(Game(3, 11), 11):
        if game.phase == Phase.MAIN and game.state[0].city_size > 3 and (game.state[0].pile_size > 0).sum() > 1:
            return game
    raise AssertionError("there is no such state")


@pytest.mark.parametrize(
    "damage",
    [
        plant("row", -1, 0),
        plant("deck_top", 0),
        plant("city_cell", 30_000, 2),
        plant("value", 99, 1),
        plant("legal_count", 2),
        forget_facing,
        plant("hand", 0, 0),  # an empty hand, T3
        plant("phase", Phase.OVER),  # somebody is to move
        plant("phase", Phase.DISCARD),  # nobody holds three
        plant("to_move", 3),  # three play
        plant("first", 3),
        plant("trigger", 1),  # nobody has six workers in the city
        plant("resume", Phase.BONUS),  # no discard
        plant("rounds", 101),  # of 100
    ],
    ids=["row", "deck_top", "city_cell", "value", "legal_count", "facing", "hand", "over", "discard", "to_move",
         "first", "trigger", "resume", "rounds"],
)  # fmt: skip
def test_every_impossible_state_is_told_in_sentences(damage: Callable[[np.record], None]) -> None:
    game = in_the_middle()

    damage(game.state[0])

    assert game.problems() != []
