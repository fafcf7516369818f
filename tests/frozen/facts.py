"""All facts by their names."""

from collections.abc import Callable
from functools import partial

from frozen import games, runs
from frozen.ask import GAMES, Fact

OF_A_GAME = (
    games.moves, games.cards, games.deals, games.observations, games.games, games.pictures, games.unseen,
    games.aec, games.single, games.vector,
    runs.options, runs.agents, runs.commands, runs.tournaments, runs.training,
)  # fmt: skip
FACTS: dict[str, Callable[[], Fact]] = {
    f"{game} {fact.__name__}": partial(fact, game) for game in GAMES for fact in OF_A_GAME
} | {"puzzles": games.puzzles, "stored records": games.stored_records, "names": games.names}
EXTRAS = {"vector": "stable_baselines3", "agents": "torch", "tournaments": "polars", "training": "sb3_contrib"}
"""What a fact needs beside the core, by the second word of its name."""
