"""Games in words, kept as data: they replay to the same end, and through impossible states never.

The lanes of test_lanes.py run this file without compiling and with bounds checks.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from oddville_env import Game, OldTown
from support.helpers import DEEPEST, assert_replays, lines_of_play

SETTINGS = {
    "oddville": ("players", "table", "max_rounds", "first", "deck", "piles", "reshuffles"),
    "oldtown": ("players", "first", "lone_confirm", "hands", "common", "own"),
}
GOLDEN = {
    f"{name}-{number}": json.loads(line)
    for name in SETTINGS
    for number, line in enumerate((Path(__file__).parent / "data" / f"{name}.jsonl").read_text().splitlines())
}

# (game, moves before counting, lines of 1, 2, 3 ... moves)
COUNTS: list[tuple[str, int, list[int]]] = [
    ("oddville-0", 0, [4, 12, 276, 5988, 96576]),
    ("oddville-0", 32, [4, 10, 12, 174, 2784, 22672]),
    ("oddville-0", 51, [7, 84, 996, 11946, 166390]),
    ("oddville-1", 85, [7, 24, 463, 4358, 25186]),
    ("oddville-1", 136, [3, 33, 333, 2355, 26274]),
    ("oddville-2", 0, [4, 12, 24, 552, 11976, 247128]),
    ("oddville-2", 56, [22, 520, 3096, 34750]),
    ("oddville-2", 90, [18, 128, 1065, 9922, 96334]),
    ("oddville-3", 40, [1, 28, 1090, 9570, 144807]),
    ("oddville-3", 64, [5, 102, 1666, 21546]),
    ("oddville-4", 0, [4, 12, 24, 24, 552, 11976]),
    ("oddville-4", 57, [14, 84, 406, 3974, 28036]),
    ("oddville-4", 91, [13, 65, 668, 10177, 182152]),
    ("oddville-5", 153, [26, 254, 2406, 17752, 136304]),
    ("oddville-5", 244, [15, 76, 380, 2345, 35446]),
    ("oddville-6", 11, [2, 20, 216, 5463, 94828]),
    ("oddville-6", 18, [20, 152, 1882, 22524]),
    ("oldtown-0", 0, [18, 306, 4896, 73440]),
    ("oldtown-0", 40, [4, 7, 64, 256, 500, 2884]),
    ("oldtown-1", 16, [1, 15, 30, 60, 120, 680]),
    ("oldtown-1", 58, [6, 26, 133, 971, 4457, 23934]),
    ("oldtown-2", 23, [2, 3, 69, 393, 1380, 8373]),
    ("oldtown-2", 35, [9, 34, 170, 1036, 5431, 25595]),
    ("oldtown-3", 14, [12, 30, 117, 879, 2316, 12019]),
    ("oldtown-3", 29, [8, 34, 146, 1031, 5620, 30980]),
    ("oldtown-4", 29, [6, 11, 162, 298, 2202, 10884]),
    ("oldtown-4", 53, [3, 3, 6, 6, 4, 16]),
    ("oldtown-5", 33, [20, 153, 736, 3603, 30381]),
    ("oldtown-5", 60, [1, 1, 1, 1, 1, 1]),
    ("oldtown-6", 44, [19, 112, 475, 2823, 14055]),
    ("oldtown-6", 53, [4, 10, 12, 8, 34, 34]),
]


def fresh(game: str) -> Any:
    name, record = game.split("-")[0], GOLDEN[game]
    make: Any = Game if name == "oddville" else OldTown
    return make(seed=0, **{setting: record[setting] for setting in SETTINGS[name]})


@pytest.mark.parametrize("game", GOLDEN)
def test_a_golden_game_replays_to_its_end_through_possible_states(game: str) -> None:
    def look(played: Any) -> None:
        for encoding in played.game_type.encodings[:2]:
            encoder = played.game_type.make_encoder(played.box, encoding)
            seen = encoder.observation(played.box.record, played.state, 0, played.to_move)
            assert (seen <= encoder.high).all()

    assert_replays(fresh(game), GOLDEN[game], look)


@pytest.mark.parametrize(("game", "moves", "lines"), COUNTS)
def test_the_number_of_lines_of_play_is_as_it_was(game: str, moves: int, lines: list[int]) -> None:
    lines = lines[:DEEPEST]
    assert lines_of_play(fresh(game), GOLDEN[game]["moves"][:moves], len(lines)) == lines
