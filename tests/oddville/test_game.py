"""The people's game: seeds, given orders, taking back, copies."""

import shutil
from typing import Any

import numpy as np
import pytest

from oddville_env import Game, IllegalMoveError, SettingError, oddville_v0
from oddville_env.oddville.cards import Character, Suit, base_cards
from support.card_files import CARDS, edit
from support.helpers import many_states, random_game, told, walk
from support.numbers import every_number

reshuffled = pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 3), (4, 2)])


def piles(players: int = 2, **changed: Any) -> dict[str, Any]:
    """Piles for a game, some of them changed."""
    names = {Suit(guild).word: [c.word for c in Character if base_cards().guild[c] == guild] for guild in range(4)}
    return {guild: pile[: players - 1] for guild, pile in names.items()} | changed


# Seeds


@every_number
def test_the_same_seed_is_the_same_game_and_another_one_another_game(players: int) -> None:
    assert told(Game(players, 7)) == told(Game(players, 7))
    assert len({tuple(Game(players, seed).record()["deck"]) for seed in range(50)}) == 50


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
    game = Game(players, 2, **{name: record[name] for name in ("deck", "piles", "first")})
    assert game.record() == record
    assert game.position()["row"] == record["deck"][:6]
    assert [pile["top"] for pile in game.position()["piles"].values()] == [pile[0] for pile in record["piles"].values()]
    assert game.to_move == (record["first"] - 1) % players


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
        ({"cards": 5}, "cards must be a card set or its folder, not 5"),
        ({"moves": "setup:wood"}, "moves must be a list of words, not"),
        ({"moves": 5}, "moves must be a list of words, not"),
        ({"moves": None}, "moves must be a list of words, not"),
        ({"deck": "abc"}, "deck must be a list, not 'abc'"),
        ({"deck": 5}, "deck must be a list, not 5"),
        ({"deck": []}, "deck must hold each of the 64 cards once, not 0 without [0, 1, 2"),
        ({"deck": range(63)}, "deck must hold each of the 64 cards once, not 63 without [63]"),
        ({"deck": [*range(63), 5]}, "deck must hold each of the 64 cards once, not 64 without [63]"),
        ({"deck": [*range(64), 5]}, "deck must hold each of the 64 cards once, not 65 without [] and with [5]"),
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
    parts = [range(at, at + part.itemsize) for part, at, *_ in game.state.dtype.fields.values()]
    padding = [at for at in range(game.state.itemsize) if not any(at in part for part in parts)]
    copy = game.copy()
    copy.state.view(np.uint8)[padding] ^= 1
    assert game == game.copy() == copy
    assert game != random_game(3, 8, moves=89)
    assert game != "game"


def test_a_copy_is_independent() -> None:
    game = random_game(4, 2, moves=150)
    before = told(game)

    copy = game.copy()
    copy.sample_unseen(None, np.random.default_rng(0))
    assert told(copy) == before
    for _ in walk(copy, 1):
        pass
    assert told(game) == before

    end = told(copy)
    for _ in range(150):
        game.pop()
    assert told(copy) == end
    assert len(game.moves) == 0


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


def test_the_repr_tells_given_reshuffles_the_history_of_samples_and_the_folder_of_cards(other_cards: str) -> None:
    replayed = Game.from_record(random_game(4, 2).record())
    assert "reshuffles=" in repr(replayed)
    assert told(eval(repr(replayed))) == told(replayed)
    sample = random_game(4, 2, moves=150).sample_unseen(None, np.random.default_rng(0))
    env = oddville_v0.raw_env(players=3)
    env.reset(4)
    for _ in range(20):
        env.step(int(env.live.mask.argmax()))
    for game in (sample, env.game, random_game(2, 3, moves=30, cards=other_cards)):
        assert eval(repr(game)).record() == game.record()


@pytest.fixture(scope="module")
def other_cards(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with the base cards, the square being worth more."""
    folder = shutil.copytree(CARDS / "base", tmp_path_factory.mktemp("box") / "cards")
    edit(folder / "square.csv", lambda text: text.replace("\n4,", "\n9,"))
    return str(folder)


def test_a_game_in_the_middle_is_in_the_position_of_its_state() -> None:
    for game in many_states(6, 3):
        middle = Game.from_state(game.box, game.state)
        assert middle.position() == game.position()
        assert middle.legal_moves.words() == game.legal_moves.words()
        assert middle.moves == []


def test_a_game_tells_its_round_as_its_position_does() -> None:
    game, rng = Game(2, seed=1), np.random.default_rng(1)
    assert game.round == 0
    while game.round < 3:
        game.push(int(rng.choice(np.flatnonzero(game.mask))))
        assert game.round == game.position()["round"]
