"""Games in words, kept as data: they replay to the same end, and through impossible states never.

The lanes of test_lanes.py run this file without compiling and with bounds checks.
"""

import copy
import json
from pathlib import Path

import pytest

from oddville_env.oldtown.cards.deck import BASE
from oddville_env.oldtown.game import OldTown
from oldtown.naive import NaiveGame
from oldtown.naive.deck import Deck
from support.helpers import DEEPEST, assert_replays, lines_of_play

GOLDEN = [json.loads(line) for line in (Path(__file__).parent / "data" / "golden.jsonl").read_text().splitlines()]

# (game, moves before counting, lines of 1, 2, 3 ... moves)
COUNTS = [
    (0, 0, [18, 306, 4896, 73440]),
    (0, 40, [4, 7, 64, 256, 500, 2884]),
    (1, 16, [1, 15, 30, 60, 120, 680]),
    (1, 58, [6, 26, 133, 971, 4457, 23934]),
    (2, 23, [2, 3, 69, 393, 1380, 8373]),
    (2, 35, [9, 34, 170, 1036, 5431, 25595]),
    (3, 14, [12, 30, 117, 879, 2316, 12019]),
    (3, 29, [8, 34, 146, 1031, 5620, 30980]),
    (4, 29, [6, 11, 162, 298, 2202, 10884]),
    (4, 53, [3, 3, 6, 6, 4, 16]),
    (5, 33, [20, 153, 736, 3603, 30381]),
    (5, 60, [1, 1, 1, 1, 1, 1]),
    (6, 44, [19, 112, 475, 2823, 14055]),
    (6, 53, [4, 10, 12, 8, 34, 34]),
]


def dealt(record: dict) -> OldTown:
    """The game before its first move."""
    names = ("players", "first", "lone_confirm", "hands", "common", "own")
    return OldTown(seed=0, **{name: record[name] for name in names})


@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_a_golden_game_replays_to_its_end_through_possible_states(number: int) -> None:
    def look(game: OldTown) -> None:
        for encoding in ("features", "memoryless"):
            encoder = game.game_type.make_encoder(game.box, encoding)
            for seat in range(game.players):
                views = game.observe(seat, encoding)
                assert all((views[piece.name] <= piece.high).all() for piece in encoder.pieces)

    assert_replays(dealt(GOLDEN[number]), GOLDEN[number], look)


@pytest.mark.parametrize(("number", "moves", "lines"), COUNTS)
def test_the_number_of_lines_of_play_is_as_it_was(number: int, moves: int, lines: list[int]) -> None:
    lines = lines[:DEEPEST]
    assert lines_of_play(dealt(GOLDEN[number]), GOLDEN[number]["moves"][:moves], len(lines)) == lines


def naive_lines(game: NaiveGame, depth: int) -> int:
    if depth == 0:
        return 1
    lines = 0
    for word in game.legal():
        after = copy.deepcopy(game, {id(game.deck): game.deck})
        after.play(word)
        lines += naive_lines(after, depth - 1)
    return lines


@pytest.mark.parametrize(("number", "moves", "lines"), [count for count in COUNTS if count[1] and count[2][2] < 200])
def test_the_naive_twin_counts_as_many(number: int, moves: int, lines: list[int]) -> None:
    naive = NaiveGame(Deck(json.loads(BASE.read_text())), {**GOLDEN[number], "moves": []})
    for word in GOLDEN[number]["moves"][:moves]:
        naive.play(word)
    depths = [depth for depth, number in enumerate(lines[:3], 1) if number < 70]
    assert [naive_lines(naive, depth) for depth in depths] == lines[: len(depths)]
