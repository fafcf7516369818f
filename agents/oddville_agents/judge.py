"""Judge recorded games: what each move cost its seat in win chances, and how often two agents agree."""

from collections import Counter
from collections.abc import Iterator
from statistics import fmean, stdev
from typing import Any, NamedTuple

from oddville_agents.agent import Agent
from oddville_agents.play import Analysis, analyse
from oddville_agents.player import AgentError
from oddville_agents.spec import make_agent
from oddville_env.core.parts.played_game import PlayedGame, replayed

REPEATS = 4
"""Analyses of each decision, with seeds of their own; their spread gives the standard error."""


class Verdict(NamedTuple):
    """What a judge says of a move.

    best: its own choice, of several analyses the most frequent. before: the seat's chance to win with that choice.
    after: with the move that was played; None where no analysis looked at it. loss: the difference.
    """

    seat: int
    word: str
    best: str
    before: float
    after: float | None
    loss: float | None
    standard_error: float | None


def verdicts(game: PlayedGame[Any], judge: str | Agent, seed: int = 0) -> Iterator[Verdict]:
    """Take a game back to its deal and replay it; yields what the judge says of each move.

    Args:
        game: a game with its moves.
        judge: an agent that gives win chances.
        seed: of the first analysis of each decision; the others take the following ones.

    Raises:
        AgentError: if the judge gives no win chances, or fails.
    """
    agent = make_agent(judge, game.game_type.name)
    for word in replayed(game):
        seeds = range(seed, seed + (REPEATS if len(game.legal_moves) > 1 else 1))
        yield _verdict([analyse(game, agent, each, word) for each in seeds], word)


def _verdict(found: list[Analysis], word: str) -> Verdict:
    seat, pairs = found[0].seat, []
    for one in found:
        first, played = one.candidates[0], next((each for each in one.candidates if each.played), None)
        if not first.values:
            raise AgentError(f"{one.agent} gives no win chances: expected a judge that does, as champion or search")
        pairs.append((first.values[seat], played.values[seat] if played and played.values else None))
    best = Counter(one.candidates[0].word for one in found).most_common(1)[0][0]
    losses = [before - after for before, after in pairs if after is not None]
    error = stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else None
    before = fmean(before for before, _ in pairs)
    after = fmean(after for _, after in pairs if after is not None) if losses else None
    return Verdict(seat, word, best, before, after, fmean(losses) if losses else None, error)


def agreements(game: PlayedGame[Any], one: str | Agent, other: str | Agent, seed: int = 0) -> Iterator[bool]:
    """Take a game back to its deal and replay it; yields whether two agents choose the same move at each decision that
    has several legal moves. Raises AgentError."""
    agents = [make_agent(each, game.game_type.name) for each in (one, other)]
    for _ in replayed(game):
        if len(game.legal_moves) > 1:
            first, second = (analyse(game, agent, seed).candidates[0].word for agent in agents)
            yield first == second
