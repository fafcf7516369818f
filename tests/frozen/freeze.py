"""All facts by their names. `PYTHONPATH=tests python -m frozen.freeze [NAME ...]` stores all facts, or those named.

A fact is stored anew only where a version changes it on purpose, which CHANGELOG.md then says.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial

from frozen import games, runs
from frozen.ask import DATA, GAMES, Fact

OF_A_GAME = (
    games.moves, games.cards, games.deals, games.observations, games.games, games.pictures, games.unseen,
    games.aec, games.single, games.vector,
    runs.options, runs.agents, runs.commands, runs.tournaments, runs.training,
)  # fmt: skip
FACTS: dict[str, Callable[[], Fact]] = {
    f"{game} {fact.__name__}": partial(fact, game) for game in GAMES for fact in OF_A_GAME
} | {"puzzles": games.puzzles, "stored records": games.stored_records, "names": games.names, "mini": games.mini}
EXTRAS = {"vector": "stable_baselines3", "agents": "torch", "tournaments": "polars", "training": "sb3_contrib"}
"""What a fact needs beside the core, by the second word of its name."""


def main(names: list[str]) -> None:
    path = DATA / "facts.json"
    facts = json.loads(path.read_text()) if path.exists() else {}
    for name in names or FACTS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            facts[name] = json.loads(json.dumps(FACTS[name]()))
        print(name, flush=True)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(facts[name])}" for name in FACTS)
    path.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
