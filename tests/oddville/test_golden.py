"""Games in words, kept as data: they replay to the same end, and through impossible states never.

The lanes of test_lanes.py run this file without compiling and with bounds checks.
"""

import json
from pathlib import Path

import pytest

from oddville_env import Game
from oddville_env.oddville.observation import make_encoder
from support.helpers import DEEPEST, assert_replays, lines_of_play

GOLDEN = [json.loads(line) for line in (Path(__file__).parent / "data" / "golden.jsonl").read_text().splitlines()]

# (game, moves before counting, lines of 1, 2, 3 ... moves)
COUNTS = [
    (0, 0, [4, 12, 276, 5988, 96576]),
    (0, 32, [4, 10, 12, 174, 2784, 22672]),
    (0, 51, [7, 84, 996, 11946, 166390]),
    (1, 85, [7, 24, 463, 4358, 25186]),
    (1, 136, [3, 33, 333, 2355, 26274]),
    (2, 0, [4, 12, 24, 552, 11976, 247128]),
    (2, 56, [22, 520, 3096, 34750]),
    (2, 90, [18, 128, 1065, 9922, 96334]),
    (3, 40, [1, 28, 1090, 9570, 144807]),
    (3, 64, [5, 102, 1666, 21546]),
    (4, 0, [4, 12, 24, 24, 552, 11976]),
    (4, 57, [14, 84, 406, 3974, 28036]),
    (4, 91, [13, 65, 668, 10177, 182152]),
    (5, 153, [26, 254, 2406, 17752, 136304]),
    (5, 244, [15, 76, 380, 2345, 35446]),
    (6, 11, [2, 20, 216, 5463, 94828]),
    (6, 18, [20, 152, 1882, 22524]),
]


def fresh(record: dict) -> Game:
    """The game before its first move."""
    names = ("players", "table", "max_rounds", "first", "deck", "piles", "reshuffles")
    return Game(seed=0, **{name: record[name] for name in names})


@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_a_golden_game_replays_to_its_end_through_possible_states(number: int) -> None:
    def look(game: Game) -> None:
        for encoding in ("features", "ids"):
            encoder = make_encoder(game.box, encoding)
            seen = encoder.observation(game.box.record, game.state, 0, game.to_move)
            assert (seen <= encoder.high).all()

    assert_replays(fresh(GOLDEN[number]), GOLDEN[number], look)


@pytest.mark.parametrize(("number", "moves", "lines"), COUNTS)
def test_the_number_of_lines_of_play_is_as_it_was(number: int, moves: int, lines: list[int]) -> None:
    lines = lines[:DEEPEST]
    assert lines_of_play(fresh(GOLDEN[number]), GOLDEN[number]["moves"][:moves], len(lines)) == lines
