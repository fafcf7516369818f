"""The naive twin of Old Town by itself: the worked examples, worlds against plain enumeration, games and puzzles."""

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oldtown.naive import NaiveGame, NaiveSolo, Puzzle, busy, clues_too_many, even, is_good, random_game, replay
from oldtown.naive.deck import Card
from oldtown.naive.judge import Verdict, judge, tokens
from oldtown.naive.worlds import Board, Case, closed, find_world, what_is_left

DATA = Path(__file__).resolve().parents[2] / "oddville_env" / "oldtown" / "cards" / "base"
SHERIFF = Card(10, "A", "sheriff", frozenset([1, 3, 5, 7]), frozenset())

needs_data = pytest.mark.skipif(
    not all((DATA / name).exists() for name in ("deck.json", "puzzles.json")), reason="the deck is not here yet"
)


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / name).read_text())
    return found


def board(**sets: list[int]) -> Board:
    return {building: frozenset(lots) for building, lots in sets.items()}


def sheriff_is_told(**sets: list[int]) -> Verdict:
    """What the Sheriff's card comes to on this board."""
    return judge(board(**sets), SHERIFF, None)


def changed(before: Board, after: Board | None, *new: str) -> int:
    """The tokens that go (P7)."""
    assert after is not None
    return sum(tokens(before, building) - tokens(after, building) for building in {*before, *new})


# The worked examples


@pytest.mark.parametrize(
    ("sets", "sheriff", "points"),
    [
        ({"bank": [1]}, [3, 5, 7], 2),  # X1
        ({"bank": [1], "doc": [3], "hotel": [5]}, [7], 5),  # X2
        ({"sheriff": [1, 3, 8, 9]}, [1, 3], 2),  # X3
        ({"drugstore": [3, 7], "saloon": [3, 7]}, [1, 5], 3),  # X7
    ],
)
def test_a_change(sets: dict[str, list[int]], sheriff: list[int], points: int) -> None:
    verdict = sheriff_is_told(**sets)
    assert verdict == Verdict("change", board(**{**sets, "sheriff": sheriff}))
    assert changed(board(**sets), verdict.after, "sheriff") == points


@pytest.mark.parametrize(
    ("sets", "name"),
    [
        ({"sheriff": [1, 3, 7]}, "confirming"),  # X4
        ({"bank": [1], "doc": [3], "hotel": [5], "church": [7]}, "contradicting"),  # X5
        ({"sheriff": [2, 4]}, "contradicting"),  # X5
        ({"bank": [1, 9], "doc": [1, 10], "hotel": [1, 11]}, "three"),  # X6
    ],
)
def test_no_change(sets: dict[str, list[int]], name: str) -> None:
    assert sheriff_is_told(**sets) == Verdict(name)


def test_a_card_that_leaves_two_the_same_lots_pushes_a_third_off() -> None:  # X8
    verdict = sheriff_is_told(sheriff=[3, 7, 9], drugstore=[3, 7], saloon=[7, 8])
    assert verdict == Verdict("change", board(sheriff=[3, 7], drugstore=[3, 7], saloon=[8]))


def test_a_new_building_with_more_than_five_lots_is_too_wide() -> None:  # X9
    card = Card(38, "B", None, frozenset(range(1, 9)), frozenset())
    assert judge({}, card, "bank") == Verdict("five")
    assert judge(board(doc=[1], hotel=[2], church=[3]), card, "bank").name == "change"


def test_a_removed_token_closes_the_board() -> None:  # X10
    before = board(saloon=[3, 7], drugstore=[3, 7])
    after = closed(before | board(saloon=[3]))
    assert after == board(saloon=[3], drugstore=[7])
    assert changed(before, after) == 4


# Worlds


def enumerated(sets: Board, cases: list[Case]) -> Board | None:
    """W5 word by word: all ways to give every building a lot, and of these the worlds in which a case is true."""
    left: dict[str, set[int]] = {building: set() for building in sets}
    for lots in product(*sets.values()):
        place = dict(zip(sets, lots, strict=True))
        true = any(all(place[building] in bound for building, bound in case.items()) for case in cases)
        if true and len(set(lots)) == len(lots):
            for building, lot in place.items():
                left[building].add(lot)
    if not all(left.values()):
        return None
    return {building: frozenset(lots) for building, lots in left.items()}


@pytest.mark.parametrize("seed", range(100))
def test_worlds_are_those_of_plain_enumeration(seed: int) -> None:
    rng = Random(seed)
    size = rng.randint(1, 6)
    lots = range(1, size + 1 + rng.randint(0, 2))
    sets = {str(key): frozenset(rng.sample(lots, rng.randint(1, min(4, len(lots))))) for key in range(size)}
    pairs = [rng.sample(lots, 2) if len(lots) > 1 else [1, 1] for _ in range(rng.randint(1, 5))]
    one, other = rng.choice(list(sets)), rng.choice(list(sets))
    cases = [{one: frozenset([here])} | {other: frozenset([there])} for here, there in pairs]
    for told in ([{}], cases):
        assert what_is_left(sets, told) == enumerated(sets, told)
    assert (find_world(sets) is None) == (enumerated(sets, [{}]) is None)


# Games


@needs_data
@pytest.mark.parametrize(("players", "lone_confirm", "weight"), [(2, True, busy), (3, False, even)])
def test_no_token_is_lost_in_a_random_game(players: int, lone_confirm: bool, weight: Any) -> None:
    deck = read("deck.json")

    def check(game: NaiveGame) -> None:
        assert sum(game.scores()) + sum(tokens(game.board, building) for building in game.deck.buildings) == 90
        again = NaiveGame.at(deck, game.position())
        assert again.position() == game.position()
        assert again.legal() == game.legal()

    record = random_game(deck, players, Random(players), lone_confirm, weight, check)
    assert replay(deck, record).end in ("complete", "exhausted")


# Puzzles


@needs_data
@pytest.mark.parametrize(("place", "placements", "own_sets"), [(0, 1, 1), (1, 1, 1), (2, 1, 1), (6, 1, 2), (7, 6, 1)])
def test_printed_puzzles(place: int, placements: int, own_sets: int) -> None:
    puzzle = read("puzzles.json")["puzzles"][place]
    asked = Puzzle(read("deck.json"), puzzle)
    found = list(asked.solutions())
    assert asked.answer() in [placement for placement, _ in found]
    assert len(found) == placements
    assert {len(sets) for _, sets in found} == {own_sets}
    if "mine_solutions" in puzzle:
        assert {frozenset(own) for own in puzzle["mine_solutions"]} == set(found[0][1])


@needs_data
def test_clues_too_many() -> None:
    deck, puzzle = read("deck.json"), read("puzzles.json")["puzzles"][0]
    assert is_good(deck, puzzle)
    assert clues_too_many(deck, puzzle) == []
    wordy = puzzle | {"b": [*puzzle["b"], {"card": 44, "building": "stable"}]}
    assert "b:44" in clues_too_many(deck, wordy)
    assert not is_good(deck, puzzle | {"b": []})


@needs_data
def test_a_solo_game() -> None:
    game = NaiveSolo(read("deck.json"), read("puzzles.json")["puzzles"][0], mistakes=1)
    assert len(game.legal()) == 16 * 16
    assert game.play("build:bank@1") == -1
    assert "build:bank@1" not in game.legal()
    for building, lot in game.answers[0].items():
        assert game.play(f"build:{building}@{lot}") == 1
    assert (game.score, game.solved, game.over, game.legal()) == (15, True, True, [])
