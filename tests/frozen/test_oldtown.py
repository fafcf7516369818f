"""What a seed deals in Old Town stays: games by the number of players, and for one player the puzzles of a level."""

import json

from frozen.doors import DATA, Fact
from oddville_env import OldTown
from oddville_env.oldtown.solo.generator import LEVELS, generate

SEEDS = (0, 1, 7, 2**40)
DEALT = ("first", "hands", "own", "common")


def dealt() -> Fact:
    """Card by card what seeds deal, and the first puzzle of each."""
    told: Fact = {}
    for players in (2, 3, 4):
        for seed in SEEDS:
            record = OldTown(players, seed).record()
            told[f"{players} players, seed {seed}"] = {name: record[name] for name in DEALT}
    for level in LEVELS:
        for seed in SEEDS[:3]:
            told[f"{level}, seed {seed}"] = next(generate(level, seed)).plain()
    return json.loads(json.dumps(told))


def test_a_seed_deals_as_it_did() -> None:
    frozen = json.loads((DATA / "oldtown_deals.json").read_text())
    found = dealt()
    assert found.keys() == frozen.keys()
    for name, deal in frozen.items():
        assert found[name] == deal, name
