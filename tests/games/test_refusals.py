"""Whatever is given to a game, it does its work or refuses it in one short sentence: records, settings, arguments."""

import json
import random
import time
from functools import cache
from typing import Any

import numpy as np
import pytest

import oddville_env
from oddville_env import Game, OldTown, OldTownSolo, OldTownSoloEnv, RecordError
from oddville_env.core.parts.entries import count_lines
from support.bad_values import VALUES, mutated
from support.games import every_game
from support.helpers import random_game, told

LONGEST_SENTENCE = 1000


@cache
def line_of(make: Any, players: int, moves: int | None = None) -> str:
    """The record of a random game as a line."""
    return json.dumps(random_game(players, players, moves, make).record())


def record_of(make: Any, **fields: Any) -> dict[str, Any]:
    """A record of three players, with some fields replaced."""
    return json.loads(line_of(make, 3)) | fields


def replays_truly(make: Any, record: Any) -> bool:
    """It replays and then tells the same, or a RecordError refuses it in one sentence; nothing else may happen."""
    try:
        replayed = make.from_record(record).record()
    except RecordError as error:
        sentence = str(error)
    else:
        given = json.loads(record) if isinstance(record, str) else dict(record)
        if "hands" in given:
            given["hands"] = [sorted(hand) for hand in given["hands"]]  # a hand has no order
        assert json.dumps({name: given[name] for name in replayed}) == json.dumps(replayed)
        return True
    assert len(sentence.splitlines()) == 1 < len(sentence)
    return False


# Records

DEAL = "the record has no deal that can be played: "
ODDVILLE = [
    ({"format": "chess"}, "field format: expected 'oddville-record', not 'chess'"),
    ({"version": 2}, "field version: this is version 2, expected 1"),
    ({"players": 2}, f"{DEAL}piles, mask must be a list of 1 different values"),
    ({"table": [16, 9]}, f"{DEAL}table's number of columns must be odd"),
    ({"deck": []}, f"{DEAL}deck must hold"),
    ({"reshuffles": [7]}, f"{DEAL}reshuffle 1 must be a list, not 7"),
    ({"moves": [7]}, "field moves: expected a text, found 7"),
    ({"moves": ["done"]}, "move 1: done is not legal now"),
    ({"moves": ["x"]}, "move 1: cannot read the move 'x'"),
    ({"moves": []}, "the game is not over after move 0"),
    ({"scores": [0, 0, 0]}, "scores: the record says [0, 0, 0], the game has"),
    ({"ranks": [1, 1, 1]}, "ranks: the record says [1, 1, 1], the game has"),
    ({"trigger": None}, "trigger: the record says None, the game has"),
    ({"truncated": True}, "truncated: the record says True, the game has False"),
]
OLDTOWN = [
    ({"scores": [0, 0, 0]}, "scores: the record says"),
    ({"moves": ["pass"]}, "move 1: pass is not legal"),
    ({"hands": []}, DEAL),
    ({"end": 5}, "field end: expected a text"),
]


@pytest.mark.parametrize(("make", "fields", "sentence"), [
    *((Game, *each) for each in ODDVILLE), *((OldTown, *each) for each in OLDTOWN),
], ids=lambda value: str(value)[:30] if isinstance(value, dict) else "")  # fmt: skip
def test_a_wrong_field_is_named(make: Any, fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RecordError) as refused:
        make.from_record(record_of(make, **fields))
    assert str(refused.value).startswith(sentence)


FITTING: dict[str, list[Any]] = {"scores": [None, []], "ranks": [None, []], "trigger": [None], "end": [None]}


@every_game
def test_a_field_that_is_missing_or_of_another_kind_is_refused(make: Any) -> None:
    for name, own in record_of(make).items():
        less = record_of(make)
        del less[name]
        with pytest.raises(RecordError, match=f"^field {name}"):
            make.from_record(less)
        for value in (None, True, 1, 1.5, "text", [], {}):
            if type(value) is not type(own) and value not in FITTING.get(name, []):
                with pytest.raises(RecordError, match=f"^field {name}"):
                    make.from_record(record_of(make, **{name: value}))
    with pytest.raises(RecordError, match="field 'players' appears more than once"):
        make.from_record(line_of(make, 3).replace('{"format"', '{"players": 2, "format"'))


@every_game
def test_a_record_with_another_number_of_moves_broken_numbers_or_no_record_is_refused(make: Any) -> None:
    moves = record_of(make)["moves"]
    with pytest.raises(RecordError, match=f"^the game is not over after move {len(moves) - 1}, the record's last: it"):
        make.from_record(record_of(make, moves=moves[:-1]))
    with pytest.raises(RecordError, match=f"^move {len(moves) + 1}: the game is over"):
        make.from_record(record_of(make, moves=[*moves, moves[0]]))
    for name in ("ranks", "scores"):
        assert not replays_truly(make, record_of(make, **{name: [float(value) for value in record_of(make)[name]]}))
    ranks = [rank if rank > 1 else True for rank in record_of(make)["ranks"]]
    assert not replays_truly(make, record_of(make, ranks=ranks))
    for record in [*NO_RECORDS, *VALUES]:
        with pytest.raises(RecordError):
            make.from_record(record)


def test_a_wrong_reshuffle_and_one_too_many_or_too_few_are_named() -> None:
    reshuffles = record_of(Game)["reshuffles"]
    other = ["builder"] if reshuffles[0][0] != "builder" else ["ghost"]
    for given, sentence in (
        ([*reshuffles, ["builder"]], r"^reshuffles: the record says "),
        (reshuffles[:-1], "reshuffle"),
        ([other, *reshuffles[1:]], r"^move \d+: reshuffle 1 is given as "),
    ):
        with pytest.raises(RecordError, match=sentence):
            Game.from_record(record_of(Game, reshuffles=given))


@every_game
def test_an_unfinished_game_is_a_record_without_results(make: Any) -> None:
    for moves in (0, 1, 3, 20):
        record = json.loads(line_of(make, 3, moves))
        assert (record["scores"], record["ranks"]) == (None, None)
        assert replays_truly(make, record)
        for name in ("scores", "ranks", "trigger" if make is Game else "end"):
            assert not replays_truly(make, record | {name: record_of(make)[name]})


@every_game
@pytest.mark.parametrize("moves", [None, 20], ids=["finished", "unfinished"])
def test_a_line_that_was_cut_off_anywhere_is_refused(make: Any, moves: int | None) -> None:
    line = line_of(make, 2, moves)
    for end in range(len(line)):
        with pytest.raises(RecordError, match="the record may have been cut off"):
            make.from_record(line[:end])


NO_RECORDS = ["", " ", "null", "5", "[]", '"text"', "{}", "{", "nan", "9" * 5000, "[" * 100_000, '{"format": 1e999}']


@every_game
def test_a_damaged_record_is_refused_or_true(make: Any) -> None:
    chance, letters = random.Random(1), '0123456789,:"[]{}-éx'
    for number in range(300):
        line = line_of(make, 2 + number % 3, None if number % 4 else 20)
        replays_truly(make, mutated(json.loads(line), chance))
        at = chance.randrange(len(line))
        replays_truly(make, line[:at] + chance.choice(letters) + line[at + 1 :])


def test_a_damaged_record_of_a_puzzle_is_refused_or_true() -> None:
    chance, record = random.Random(1), OldTownSolo(1, moves=["build:hotel@1"]).record()
    for _ in range(100):
        fits(lambda: OldTownSolo.from_record(mutated(record, chance)))


def test_a_deck_far_too_long_is_refused_at_once() -> None:
    record, start = record_of(Game), time.process_time()
    with pytest.raises(RecordError, match="deck must hold each of the 64 cards once, not 960000 cards"):
        Game.from_record({**record, "deck": record["deck"] * 15_000})
    assert time.process_time() - start < 2


def fits(call: Any) -> None:
    """The call does its work, or raises an error for people: one short sentence."""
    start, sentence = time.process_time(), "no sentence"
    try:
        call()
    except oddville_env.GameError as error:
        sentence = str(error)
    assert sentence
    assert "\n" not in sentence
    assert len(sentence) < LONGEST_SENTENCE
    assert time.process_time() - start < 5


CALLS = {
    "OldTownSoloEnv level": lambda value: OldTownSoloEnv(level=value),
    "OldTownSoloEnv puzzle": OldTownSoloEnv,
    "OldTownSolo": OldTownSolo,
    "OldTownSolo record": OldTownSolo.from_record,
    "OldTownSolo push": lambda value: OldTownSolo(1).push(value),
    "load_cards": oddville_env.load_cards,
    "load_deck": oddville_env.load_deck,
    "num_envs": oddville_env.OddVilleSelfPlayEnv,
    "threads": lambda value: oddville_env.OddVilleSelfPlayEnv(2, threads=value),
    "depth": lambda value: count_lines(random_game(2, 1), value),
    **{
        f"{make.__name__} {name}": call
        for make in (Game, OldTown)
        for name, call in {
            "position": lambda value, make=make: make(seed=1).position(value),
            "text": lambda value, make=make: make(seed=1).text(value),
            "svg": lambda value, make=make: make(seed=1).svg(value),
            "observe": lambda value, make=make: make(seed=1).observe(value),
            "encoding": lambda value, make=make: make(seed=1).observe(0, value),
        }.items()
    },
    **{
        f"{make.__name__} {name}": lambda value, make=make, name=name: make(**{name: value})
        for make, settings in {
            Game: "players seed deck piles first reshuffles table max_rounds cards moves",
            OldTown: "players seed first lone_confirm deck hands common own moves",
        }.items()
        for name in settings.split()
    },
}


@pytest.mark.parametrize("name", CALLS)
def test_every_setting_and_argument_is_checked(name: str) -> None:
    random_game(2, 1, moves=5)  # what is measured is no compiling
    for value in VALUES:
        fits(lambda value=value: CALLS[name](value))


@every_game
def test_a_push_of_anything_leaves_the_game_as_it_was(make: Any) -> None:
    game = random_game(3, 1, moves=20, make=make)
    before = told(game)
    parts: list[Any] = [(), (1,), ("x",), ((1, 2, 3),), 5]
    for move in [*VALUES, *(oddville_env.Move(kind, part) for kind in VALUES[:20] for part in parts)]:
        fits(lambda move=move: game.push(move))
        game.take_back(20)
        assert told(game) == before
    for no_move in (None, 3.5, b"done", [], ("done",), {}, True, False, np.True_):
        with pytest.raises(oddville_env.NotationError, match=r"^cannot read the move"):
            game.push(no_move)
