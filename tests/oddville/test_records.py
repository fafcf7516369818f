"""Records: they replay to the same record, and what is damaged is a clear RecordError or another true record."""

import json
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddville_env import Game, RecordError
from oddville_env.oddville.record import FIELDS
from support.bad_values import VALUES
from support.helpers import random_game, steady

PLAYERS = (2, 3, 4)
SHORT = 0


@cache
def line_of(players: int) -> str:
    """A record as a line: of a finished game, with four players of one that was cut off, of SHORT an unfinished one."""
    if players == SHORT:
        return json.dumps(random_game(3, 3, moves=40).record())
    return json.dumps(random_game(players, players, max_rounds=100 if players < 4 else 9).record())


def record_of(players: int, /, **fields: Any) -> dict[str, Any]:
    """The record as one's own, with some fields replaced."""
    return json.loads(line_of(players)) | fields


numbers = st.sampled_from([-1, 0, 1, 2, 3, 4, 7, 17, 63, 64, 10**30, 0.5, 1.0, float("nan"), float("inf")])
scalars = st.one_of(
    st.none(), st.booleans(), numbers, st.text(max_size=5), st.sampled_from(["builder", "done", "mask"])
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
)


def replays_truly(record: Any) -> bool:
    """It replays and then tells the same, or a RecordError refuses it in one sentence; nothing else may happen."""
    sentence = ""
    try:
        replayed = Game.from_record(record).record()
    except RecordError as error:
        sentence = str(error) or "?"
    if sentence:
        assert len(sentence.splitlines()) == 1 < len(sentence)
        return False
    told = json.loads(record) if isinstance(record, str) else record
    assert json.dumps({name: told[name] for name in replayed}) == json.dumps(replayed)
    return True


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(6))
def test_a_game_replays_to_the_same_record(players: int, seed: int) -> None:
    game = random_game(players, seed)
    record = game.record()
    assert Game.from_record(record).record() == record
    assert Game.from_record(json.dumps(record)).record() == record
    assert Game.from_record(record).position() == game.position()


@pytest.mark.parametrize(
    "settings", [{"table": (5, 3)}, {"table": (1, 1), "max_rounds": 4}, {"max_rounds": 2}], ids=str
)
def test_a_record_holds_the_settings(settings: dict[str, Any]) -> None:
    record = random_game(3, 1, **settings).record()
    assert replays_truly(record)
    assert all(record[name] == (list(value) if name == "table" else value) for name, value in settings.items())


@pytest.mark.parametrize("moves", [0, 1, 3, 40])
def test_an_unfinished_game_is_a_record_without_results(moves: int) -> None:
    record = random_game(3, 3, moves=moves).record()
    assert (record["scores"], record["ranks"], record["trigger"], record["truncated"]) == (None, None, None, False)
    assert replays_truly(record)


def test_fields_that_are_not_known_are_passed_over() -> None:
    assert Game.from_record(record_of(SHORT, comment="our first game")).record() == record_of(SHORT)


# Damage


@pytest.mark.parametrize("name", FIELDS)
def test_a_record_without_a_field_is_refused(name: str) -> None:
    record = record_of(3)
    del record[name]
    with pytest.raises(RecordError, match=f"^field {name}"):
        Game.from_record(record)


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_of_another_kind_is_refused(name: str) -> None:
    wrong: list[Any] = [None, True, 1, 1.5, "text", [], {}]
    fit = {"scores": [None, []], "ranks": [None, []], "trigger": [None, 1], "truncated": [True]}
    own = type(record_of(3)[name])
    for value in wrong:
        if type(value) is not own and value not in fit.get(name, []):
            with pytest.raises(RecordError, match=f"^field {name}"):
                Game.from_record(record_of(3, **{name: value}))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"format": "chess"}, "field format: expected 'oddville-record', not 'chess'"),
        ({"version": 2}, "field version: this is version 2, expected 1"),
        ({"players": 5}, "the record has no deal that can be played: players must be "),
        ({"players": 2}, "the record has no deal that can be played: piles, guild mask: expected 1 characters, not 2"),
        ({"table": [16, 9]}, "the record has no deal that can be played: table's number of columns must be odd"),
        ({"table": [17]}, "the record has no deal that can be played: table must be"),
        ({"max_rounds": 0}, "the record has no deal that can be played: max_rounds must be"),
        ({"first": 3}, "the record has no deal that can be played: first must be"),
        ({"deck": []}, "the record has no deal that can be played: deck must hold"),
        ({"piles": {}}, "the record has no deal that can be played: piles must name"),
        ({"reshuffles": [["nobody"]]}, "the record has no deal that can be played: reshuffle 1: expected"),
        ({"reshuffles": [7]}, "the record has no deal that can be played: reshuffle 1 must be a list, not 7"),
        ({"moves": [7]}, "field moves: move 1 is not a text but a whole number"),
        ({"moves": ["done"]}, "move 1: done is not legal now"),
        ({"moves": ["x"]}, "move 1: cannot read the move 'x'"),
        ({"moves": []}, "the game is not over after move 0"),
        ({"scores": [0, 0, 0]}, "scores: the record says [0, 0, 0], the game has"),
        ({"scores": [9]}, "scores: the record says [9], the game has"),
        ({"scores": None}, "scores: the record says None, the game has"),
        ({"ranks": [1, 1, 1]}, "ranks: the record says [1, 1, 1], the game has"),
        ({"trigger": None}, "trigger: the record says None, the game has"),
        ({"trigger": 9}, "trigger: the record says 9, the game has"),
        ({"truncated": True}, "truncated: the record says True, the game has False"),
    ],
    ids=lambda value: ",".join(f"{k}={v}"[:24] for k, v in value.items()) if isinstance(value, dict) else "",
)  # fmt: skip
def test_a_wrong_field_is_named(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RecordError) as refused:
        Game.from_record(record_of(3, **fields))
    assert str(refused.value).startswith(sentence)


def test_a_record_that_lost_its_last_move_or_has_one_too_many_says_where() -> None:
    moves = record_of(3)["moves"]
    with pytest.raises(RecordError, match=f"^the game is not over after move {len(moves) - 1}, the record's last: it"):
        Game.from_record(record_of(3, moves=moves[:-1]))
    with pytest.raises(RecordError, match=f"^move {len(moves) + 1}: the game is over"):
        Game.from_record(record_of(3, moves=[*moves, "done"]))


def test_a_reshuffle_too_many_or_too_few_is_named() -> None:
    reshuffles = record_of(3)["reshuffles"]
    with pytest.raises(RecordError, match=r"^reshuffles: the record says "):
        Game.from_record(record_of(3, reshuffles=[*reshuffles, ["builder"]]))
    with pytest.raises(RecordError, match=r"reshuffle"):
        Game.from_record(record_of(3, reshuffles=reshuffles[:-1]))


@pytest.mark.parametrize("name", ["scores", "ranks", "trigger"])
def test_results_of_an_unfinished_game_are_refused(name: str) -> None:
    with pytest.raises(RecordError):
        Game.from_record(record_of(SHORT, **{name: record_of(3)[name]}))


@pytest.mark.parametrize(
    ("name", "number"), [("ranks", float), ("scores", float), ("ranks", lambda rank: rank if rank > 1 else True)]
)
def test_numbers_of_a_record_are_whole_numbers(name: str, number: Callable[[int], Any]) -> None:
    assert not replays_truly(record_of(3, **{name: [number(value) for value in record_of(3)[name]]}))


def test_a_wrong_reshuffle_names_the_move() -> None:
    record = record_of(3)
    record["reshuffles"][0] = ["builder"] if record["reshuffles"][0][0] != "builder" else ["ghost"]
    with pytest.raises(RecordError, match=r"^move \d+: reshuffle 1 is given as "):
        Game.from_record(record)


@pytest.mark.parametrize("players", [2, SHORT], ids=["finished", "unfinished"])
def test_a_line_that_was_cut_off_anywhere_is_refused(players: int) -> None:
    line = line_of(players)
    for end in range(len(line)):
        with pytest.raises(RecordError, match="the record may have been cut off"):
            Game.from_record(line[:end])


NO_RECORDS = ["", " ", "null", "5", "[]", '"text"', "{}", "{", "nan", "NaN", "\x00", "9" * 5000, "[" * 100_000,
              '{"format": 1e999}', *VALUES]  # fmt: skip


@pytest.mark.parametrize("record", NO_RECORDS, ids=range(len(NO_RECORDS)))
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(RecordError):
        Game.from_record(record)


def test_a_deck_far_too_long_is_refused_at_once() -> None:
    record, start = record_of(SHORT), time.process_time()
    with pytest.raises(RecordError, match="deck must hold each of the 64 cards once, not 960000 cards"):
        Game.from_record({**record, "deck": record["deck"] * 15_000})
    assert time.process_time() - start < 2


def test_a_field_that_stands_twice_is_named() -> None:
    with pytest.raises(RecordError, match="field 'players' stands more than once"):
        Game.from_record(line_of(SHORT).replace('{"format"', '{"players": 2, "format"'))


@st.composite
def damaged_records(draw: st.DrawFn) -> dict[str, Any]:
    """A record with one thing replaced, two that changed places, or a move lost or doubled."""
    record, value = record_of(draw(st.sampled_from([*PLAYERS, SHORT]))), draw(values)
    at, other = draw(st.integers(0, 300)), draw(st.integers(0, 300))
    kind = draw(st.sampled_from(["field", "item", "character", "order", "lost", "doubled"]))
    if kind == "field":
        return record | {draw(st.sampled_from(list(FIELDS))): value}
    if kind == "character":
        items = record["piles"][draw(st.sampled_from(["mask", "rooster", "bells", "lily"]))]
    elif kind in ("lost", "doubled"):
        items = record["moves"]
    else:
        items = record[draw(st.sampled_from(["deck", "moves", "reshuffles", "scores", "ranks", "table"]))] or [0]
    at, other = at % len(items), other % len(items)
    if kind == "order":
        items[at], items[other] = items[other], items[at]
    else:
        items[at : at + 1] = {"lost": [], "doubled": 2 * items[at : at + 1]}.get(kind, [value])
    return record


@settings(steady, max_examples=500)
@given(damaged_records())
def test_a_damaged_record_is_refused_or_true(record: dict[str, Any]) -> None:
    replays_truly(record)


@settings(steady, max_examples=150)
@given(st.integers(0, 1200), st.characters() | st.sampled_from('0123456789,:"[]{}-'))
def test_a_line_with_another_letter_is_refused_or_true(at: int, letter: str) -> None:
    line = line_of(2)
    at %= len(line)
    replays_truly(line[:at] + letter + line[at + 1 :])
