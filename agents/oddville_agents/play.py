"""Games between agents, several agents as one opponent, and an agent's opinion of one position."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.box import SIMPLE
from rich.table import Table

from oddville_agents.agent import Agent, BatchAgent, Branch, Opinion
from oddville_agents.player import AgentError, BatchPlayer, Player
from oddville_agents.spec import make_agent
from oddville_env.core.checked import check_seed, game_seeds
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import NOBODY, Outcome
from oddville_env.core.game.view import BatchView, View
from oddville_env.core.parts import chance
from oddville_env.core.parts.played_game import PlayedGame
from oddville_env.core.svg.thoughts import Thought
from oddville_env.envs.live_game import LiveGame

Watcher = Callable[[LiveGame, int], None]  # called with the live game and the chosen id before each move


def agent_seed(deal: int, seat: int, name: str) -> int:
    """Return the seed of an agent's own randomness, from the deal's seed, the seat and the agent's name."""
    return int(np.random.SeedSequence([deal, seat, *name.encode()]).generate_state(1)[0])


def name_key(name: str) -> np.uint64:
    """Return a number for an agent's name, for `derive_agent_seeds`."""
    return np.random.SeedSequence([*name.encode()]).generate_state(1, np.uint64)[0]  # type: ignore[no-any-return]


@kernel
def derive_agent_seeds(games, numbers, keys, out):
    """Write the seeds of all agents of many games.

    They follow from each game's seed (games uint64 [T]), its numbers in the run (int64 [T, N]), the name in each seat
    (keys uint64 [T, P], of `name_key`) and the seat: out uint64 [T, P].
    """
    for table in range(out.shape[0]):
        seed = games[table]
        for number in numbers[table]:
            seed = chance.scatter(seed + chance.INCREMENT * np.uint64(number + 1))
        for seat in range(out.shape[1]):
            out[table, seat] = chance.scatter(seed + keys[table, seat] + chance.INCREMENT * np.uint64(seat))


def play(live: LiveGame, agents: Sequence[Agent], seed: int, watch: Watcher | None = None) -> Outcome:
    """Deal a game from the seed, play it with the agents by seat, and return its outcome. Raises AgentFaultError."""
    live.deal(seed)
    players = [Player(agent) for agent in agents]
    for seat, player in enumerate(players):
        player.begin(seat, len(agents), agent_seed(seed, seat, agents[seat].name))
    while live.to_move != NOBODY:
        action = players[live.to_move].move(live.view())
        if watch:
            watch(live, action)
        live.play(action)
    outcome = live.outcome
    assert outcome is not None
    return outcome


def compile_agent(agent: Agent, live: LiveGame) -> None:
    """Let an agent move once, so that its compiled code is loaded before any clock runs. Raises AgentFaultError."""
    live.deal(0)
    player = Player(agent)
    player.begin(0, live.box.players, 0)
    player.move(live.view())
    batch = BatchPlayer(agent, 1)
    batch.begin(0, 0, live.box.players, 0)
    batch.move(BatchView(live.game_type, live.box, live.state, np.arange(1), live.mask[None]), np.zeros(1, np.int64))


class Mixture(Agent):
    """Several agents: in a batch table t belongs to agent t modulo their number; alone they take turns, a game each."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._agents, self._games = agents, -1
        self.name = "+".join(agent.name for agent in agents)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a game of the next agent."""
        self._games += 1
        self._player = Player(self._agents[self._games % len(self._agents)])
        self._player.begin(seat, players, seed)

    def act(self, view: View) -> int:
        """Return the move of the agent whose game it is."""
        return self._player.move(view)

    def batch_agent(self, tables: int) -> "MixedBatchAgent":
        """Return the agents for many tables."""
        return MixedBatchAgent(self._agents, tables)


class MixedBatchAgent(BatchAgent):
    """Batch agents that share the tables in turn."""

    def __init__(self, agents: Sequence[Agent], tables: int) -> None:
        self._players = [BatchPlayer(agent, tables) for agent in agents]

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """Start a game at a table."""
        self._players[table % len(self._players)].begin(table, seat, players, seed)

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves, each agent at its own tables."""
        for turn, player in enumerate(self._players):
            own = view.tables[view.tables % len(self._players) == turn]
            if len(own):
                player.move(view.at(own), actions)


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


def opinion_of(
    agent: str | Agent | Callable[..., int], view: View, seed: int = 0, branches: int = 0
) -> tuple[str, Opinion, tuple[Branch, ...]]:
    """Return an agent's name, its opinion of a position and at most `branches` moves of its tree. Raises AgentError."""
    player = _seated(agent, view, seed)
    opinion: Any = player.opinion(view)
    return player.name, opinion, player.tree(branches) if branches else ()


def _seated(agent: str | Agent | Callable[..., int], view: View, seed: int) -> Player:
    player = Player(make_agent(agent, view.game_type.name))
    player.begin(view.seat, view.players, seed)
    return player


@dataclass(frozen=True)
class Analysis:
    """An agent's opinion of a position: its candidates, the best first, after so many iterations and seconds.

    tree: moves of the search's tree, at most the `branches` that `analyse` got.
    """

    agent: str
    seat: int
    iterations: int
    seconds: float
    candidates: tuple[Thought, ...]
    tree: tuple[Branch, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the fields but the tree as JSON values."""
        told = {name: getattr(self, name) for name in ("agent", "seat", "iterations", "seconds")}
        return {**told, "candidates": [thought.plain() for thought in self.candidates]}


def analyse(
    game: PlayedGame[Any], agent: str | Agent | Callable[..., int], seed: int = 0, played: str = "", branches: int = 0
) -> Analysis:
    """Return an agent's opinion of a game's position.

    Args:
        game: a game that is not over.
        agent: a spec, an Agent, or a function of (observation, mask).
        seed: for the agent's own randomness.
        played: the word of the move that was played there, which is marked.
        branches: the most moves of the search's tree to return.

    Raises:
        AgentError: if the game is over, there is no such agent, or it fails.
        SettingError: if the seed is no seed.
    """
    if game.to_move is None:
        raise AgentError("the game is over: there is nothing to analyse")
    start = time.perf_counter()
    name, opinion, tree = opinion_of(agent, game.view(), int(game_seeds(check_seed(seed))[0]), branches)
    seconds = time.perf_counter() - start if opinion.seconds is None else opinion.seconds
    spelled = game.game_type.words(game.box.layout)
    thoughts = []
    for each in opinion.candidates:
        word, line = spelled[each.action], tuple(spelled[action] for action in each.line[1:])
        thoughts.append(Thought(word, each.visits, each.share, each.values, line, word == played))
    return Analysis(name, game.to_move, opinion.iterations, seconds, tuple(thoughts), tree)


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
