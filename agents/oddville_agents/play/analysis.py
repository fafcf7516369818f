"""One position: an agent's move in it, and its opinion of it as a table and a picture."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from rich.box import SIMPLE
from rich.table import Table

from oddville_agents.agent import Agent, Opinion
from oddville_agents.load import make_agent
from oddville_agents.player import AgentError, Player
from oddville_env.core.game.seeds import check_seed, game_seeds
from oddville_env.core.game.view import View
from oddville_env.core.parts.played_game import PlayedGame
from oddville_env.core.svg.thoughts import Thought

SHOWN = 8  # candidates in a picture


def ask(agent: str | Agent | Callable[..., int], view: View, seed: int = 0) -> int:
    """Return the id of an agent's move in one position.

    Args:
        agent: a spec, an Agent, or a function of (observation, mask).
        view: the position as the seat to move sees it.
        seed: for the agent's own randomness.

    Raises:
        AgentError: if there is no such agent, or its move is illegal.
    """
    return _seated(agent, view, seed).move(view)


def opinion_of(agent: str | Agent | Callable[..., int], view: View, seed: int = 0) -> tuple[str, Opinion]:
    """Return an agent's name and its opinion of one position. Raises AgentError."""
    player = _seated(agent, view, seed)
    opinion: Any = player.opinion(view)
    return player.name, opinion


def _seated(agent: str | Agent | Callable[..., int], view: View, seed: int) -> Player:
    player = Player(make_agent(agent, view.game_type.name))
    player.begin(view.seat, view.players, seed)
    return player


@dataclass(frozen=True)
class Analysis:
    """An agent's opinion of a position: its candidates, the best first, after so many iterations and seconds."""

    agent: str
    seat: int
    iterations: int
    seconds: float
    candidates: tuple[Thought, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {**asdict(self), "candidates": [thought.plain() for thought in self.candidates]}


def analyse(
    game: PlayedGame[Any], agent: str | Agent | Callable[..., int], seed: int = 0, played: str = ""
) -> Analysis:
    """Return an agent's opinion of a game's position.

    Args:
        game: a game that is not over.
        agent: a spec, an Agent, or a function of (observation, mask).
        seed: for the agent's own randomness.
        played: the word of the move that was played there, which is marked.

    Raises:
        AgentError: if the game is over, there is no such agent, or it fails.
        SettingError: if the seed is no seed.
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
    """Return the candidates as a table for the terminal."""
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
    """Return the position as an SVG, from the seat to move, with the best candidates and the played move marked."""
    shown = [thought for thought in analysis.candidates if thought.values][:SHOWN]
    shown += [thought for thought in analysis.candidates if thought.played and thought not in shown]
    return game.game_type.draw(game.position(analysis.seat), game.box, thoughts=shown)
