"""How fast search is: its iterations per second of CPU time at default settings, in the middle of games of greedy.

python training/benchmarks/search.py
"""

import os
import time
from statistics import median

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import track
from rich.table import Table

from oddville_agents import make_agent
from oddville_agents.oddville.search.agent import SearchAgent
from oddville_env import Game

POSITIONS = 15
MIDDLE = 0.5  # of a game's moves


def middle_of_a_game(players: int, seed: int) -> Game:
    """A game of greedy, half of it taken back."""
    agent, game = make_agent("greedy"), Game(players, seed)
    while not game.is_over:
        game.push(agent.act(game.view()))
    for _ in range(int(MIDDLE * len(game.moves))):
        game.pop()
    return game


def speed(players: int, seed: int) -> float:
    """Iterations per second of CPU time, the first search, which only warms up, not counted."""
    agent, game = SearchAgent(), middle_of_a_game(players, seed)
    agent.search(game.box, game.state, 0)
    agent.reset(0, players, seed)
    start = time.process_time()
    iterations = agent.search(game.box, game.state, 0)
    return iterations / (time.process_time() - start)


def main() -> None:
    """Measure on one core and print a table."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    table = Table("players", "median", "least", "most", "unit", box=SIMPLE)
    for players in (2, 3, 4):
        seeds = track(range(POSITIONS), f"{players} players", console=Console(stderr=True))
        runs = [speed(players, seed) for seed in seeds]
        shown = [f"{value:,.0f}" for value in (median(runs), min(runs), max(runs))]
        table.add_row(str(players), *shown, "iterations/s")
    Console().print(table)


if __name__ == "__main__":
    main()
