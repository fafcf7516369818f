"""An agent's opinion of a position, for people: a table and a picture."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from rich.box import SIMPLE
from rich.table import Table

from oddville_agents.agent import Agent
from oddville_agents.play.ask import opinion_of
from oddville_agents.player import AgentError
from oddville_env.core.game.seeds import check_seed, game_seeds
from oddville_env.core.parts.played_game import PlayedGame
from oddville_env.core.svg.thoughts import Thought

SHOWN = 8  # candidates in a picture


@dataclass(frozen=True)
class Analysis:
    """A position as an agent sees it: its moves with the most visited first, after so many iterations and seconds."""

    agent: str
    seat: int
    iterations: int
    seconds: float
    candidates: tuple[Thought, ...]

    def as_json(self) -> dict[str, Any]:
        """All of it in plain values."""
        return {**asdict(self), "candidates": [thought.plain() for thought in self.candidates]}


def analyse(
    game: PlayedGame[Any], agent: str | Agent | Callable[..., int], seed: int = 0, played: str = ""
) -> Analysis:
    """Let an agent think about a position; `played` is the word that was played in it.

    seed: of the agent's own chance. Raises AgentError and SettingError.
    """
    if game.to_move is None:
        raise AgentError("the game is over: there is nothing to think about")
    start = time.perf_counter()
    name, opinion = opinion_of(agent, game.view(), int(game_seeds(check_seed(seed))[0]))
    seconds = time.perf_counter() - start if opinion.seconds is None else opinion.seconds
    spelled = game.game_type.words(game.box.layout)
    candidates = tuple(
        Thought(
            spelled[candidate.action],
            candidate.visits,
            candidate.share,
            candidate.values,
            tuple(spelled[action] for action in candidate.line[1:]),
            spelled[candidate.action] == played,
        )
        for candidate in opinion.candidates
    )
    return Analysis(name, game.to_move, opinion.iterations, seconds, candidates)


def table(analysis: Analysis, title: str) -> Table:
    """The candidates for the terminal."""
    shown = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False)
    shown.add_column("move", no_wrap=True)
    shown.add_column("visits", justify="right")
    seats = range(max(len(thought.values) for thought in analysis.candidates))
    for seat in seats:
        shown.add_column(f"seat {seat}", justify="right")
    shown.add_column("expected to follow")
    for thought in analysis.candidates:
        name = f"{thought.word} (played)" if thought.played else thought.word
        chances = [f"{value:.1%}" for value in thought.values] or ["-"] * len(seats)
        shown.add_row(name, f"{thought.visits:,}", *chances, " ".join(thought.line))
    return shown


def picture(analysis: Analysis, game: PlayedGame[Any]) -> str:
    """The position as the seat to move sees it, as an SVG with the best candidates and the one that was played."""
    shown = [thought for thought in analysis.candidates if thought.values][:SHOWN]
    shown += [thought for thought in analysis.candidates if thought.played and thought not in shown]
    return game.game_type.draw(game.position(analysis.seat), game.box, thoughts=shown)
