"""Judge recorded games: what each move cost its seat in win chances, and how often two agents agree.

And compare agents: their candidates for one position in one table, a column for each.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from statistics import fmean, stdev
from typing import Any, NamedTuple

from oddville_agents.agent import Agent
from oddville_agents.play import Analysis, analyse
from oddville_agents.player import AgentError
from oddville_agents.spec import make_agent
from oddville_env.core.checked import sequence
from oddville_env.core.errors import SettingError
from oddville_env.core.parts.played_game import PlayedGame, replayed
from oddville_env.core.svg.palette import GLOW, PLAYED
from oddville_env.core.svg.thoughts import Thought

REPEATS = 4  # analyses of each decision, with seeds of their own; their spread gives the standard error
SHOWN = 6  # candidates of each agent
CELL = "padding: 3px 12px; text-align: left; white-space: nowrap"
HEAD = "padding: 3px 12px; text-align: left; max-width: 14em; overflow-wrap: anywhere"


class Verdict(NamedTuple):
    """What a judge says of a move.

    best: its own choice, of several analyses the most frequent. before: the seat's chance to win with that choice.
    after: with the move that was played; None where no analysis looked at it. loss: the difference. All are None at a
    forced move that the judge does not value.
    """

    seat: int
    word: str
    best: str
    before: float | None
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
        yield verdict([analyse(game, agent, each, word) for each in seeds(game, seed)], word)


def seeds(game: PlayedGame[Any], seed: int = 0) -> range:
    """Return the seeds of the analyses of a decision, of which the first is given: one for a forced move."""
    return range(seed, seed + (REPEATS if len(game.legal_moves) > 1 else 1))


def verdict(found: Sequence[Analysis], word: str) -> Verdict:
    """Return what a judge says of a move by its analyses of the decision, in which the move is marked as played.

    Raises AgentError where it gives no win chances.
    """
    seat, pairs = found[0].seat, []
    for one in found:
        first, played = one.candidates[0], next((each for each in one.candidates if each.played), None)
        if first.values:
            pairs.append((first.values[seat], played.values[seat] if played and played.values else None))
        elif len(found) > 1:  # no forced move
            raise AgentError(f"{one.agent} gives no win chances: expected a judge that does, as champion or search")
    best = Counter(one.candidates[0].word for one in found).most_common(1)[0][0]
    losses = [before - after for before, after in pairs if after is not None]
    error = stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else None
    before = fmean(before for before, _ in pairs) if pairs else None
    after = fmean(after for _, after in pairs if after is not None) if losses else None
    return Verdict(seat, word, best, before, after, fmean(losses) if losses else None, error)


class Choice(NamedTuple):
    """What two agents choose at a decision, and the move that was played (`word`).

    cost: what the choice of `other` costs in win chances as `one` sees it; other_cost: that of `one` as `other` sees
    it. None where an agent gives no chances for a move.
    """

    move: int
    seat: int
    word: str
    one: str
    other: str
    cost: float | None
    other_cost: float | None

    @property
    def difference(self) -> float:
        """The sum of both costs; an unknown one counts as 0."""
        return (self.cost or 0) + (self.other_cost or 0)


def choices(game: PlayedGame[Any], one: str | Agent, other: str | Agent, seed: int = 0) -> Iterator[Choice]:
    """Take a game back to its deal and replay it; yields what two agents choose at each decision that has several legal
    moves. Raises AgentError."""
    agents = [make_agent(each, game.game_type.name) for each in (one, other)]
    for move, word in enumerate(replayed(game), 1):
        if len(game.legal_moves) > 1:
            yield choice(move, word, *(analyse(game, agent, seed) for agent in agents))


def choice(move: int, word: str, one: Analysis, other: Analysis) -> Choice:
    """Return what two agents choose at the decision before a move, by their analyses of it."""
    first, second = one.candidates[0].word, other.candidates[0].word
    return Choice(move, one.seat, word, first, second, _cost(one, second), _cost(other, first))


def _cost(found: Analysis, word: str) -> float | None:
    best, values = found.candidates[0].values, next((one.values for one in found.candidates if one.word == word), None)
    return best[found.seat] - values[found.seat] if best and values else None


def agreements(game: PlayedGame[Any], one: str | Agent, other: str | Agent, seed: int = 0) -> Iterator[bool]:
    """Yields whether two agents choose the same move at each decision of `choices`. Raises AgentError."""
    return (choice.one == choice.other for choice in choices(game, one, other, seed))


class Compared(NamedTuple):
    """Analyses of one position by the names of their agents."""

    seat: int
    analyses: tuple[tuple[str, Analysis], ...]

    @property
    def names(self) -> list[str]:
        """The agents' names."""
        return [name for name, _ in self.analyses]

    @property
    def heading(self) -> str:
        """Whether all agents choose the same move, and what the numbers are."""
        chosen = {found.candidates[0].word for _, found in self.analyses}
        same = f"All choose {chosen.pop()}" if len(chosen) == 1 else f"{len(chosen)} different moves are chosen"
        return f"{same} (*). Numbers: the chance of seat {self.seat} to win after a move, or an agent's share of it."

    def rows(self) -> Iterator[tuple[str, list[Thought | None]]]:
        """Each move among the first candidates of an agent, with every agent's own candidate of it, if there is one."""
        found = [{thought.word: thought for thought in each.candidates} for _, each in self.analyses]
        shown = [thought.word for _, each in self.analyses for thought in each.candidates[:SHOWN]]
        for word in dict.fromkeys(shown):
            yield word, [thoughts.get(word) for thoughts in found]

    def number(self, column: int, thought: Thought | None) -> float | None:
        """What the table says of a candidate, 0 to 1; None where an agent that gives chances gives none for it."""
        if thought is None or thought.values:
            return thought.values[self.seat] if thought else None
        return None if any(each.values for each in self.analyses[column][1].candidates) else thought.share

    def cell(self, column: int, thought: Thought | None) -> str:
        """A candidate in a column, with a star for the chosen move."""
        number = self.number(column, thought)
        star = " *" if thought is self.analyses[column][1].candidates[0] else ""
        return f"{'-' if number is None else f'{number:.0%}'}{star}"

    @property
    def text(self) -> str:
        """The table in plain text."""
        table = [["move", *self.names]]
        table += [[word, *map(self.cell, range(len(thoughts)), thoughts)] for word, thoughts in self.rows()]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in table]
        return "\n".join([self.heading, *lines])

    @property
    def html(self) -> str:
        """The table in HTML."""
        heads = "".join(f'<th style="{HEAD}">{escape(name)}</th>' for name in ("move", *self.names))
        lines = [f"<tr>{heads}</tr>"]
        for word, thoughts in self.rows():
            cells = "".join(map(self._html_cell, range(len(thoughts)), thoughts))
            lines.append(f'<tr><td style="{CELL}"><code>{escape(word)}</code></td>{cells}</tr>')
        return f"<p>{escape(self.heading)}</p>\n<table>\n" + "\n".join(lines) + "\n</table>"

    def _html_cell(self, column: int, thought: Thought | None) -> str:
        style, number = CELL, self.number(column, thought)
        if number is not None:
            style += f"; color: black; background: linear-gradient(90deg, {PLAYED} {number:.0%}, white {number:.0%})"
        if thought is self.analyses[column][1].candidates[0]:
            style += f"; font-weight: bold; border-left: 4px solid {GLOW}"
        return f'<td style="{style}">{self.cell(column, thought)}</td>'


def compare(game: PlayedGame[Any], agents: object, view: int | None, seed: int = 0) -> Compared:
    """Return what agents, specs or objects, think of a game's position.

    view: the seat that the game is shown to; None for all.

    Raises AgentError, and SettingError where agents are no list or an empty one, or the seat to move is not the view's.
    """
    asked: list[str | Agent | Callable[..., int]] = list(sequence("compare", agents))
    if not asked:
        raise SettingError("compare must name at least one agent")
    if view not in (None, game.to_move):
        raise SettingError(f"compare tells what seat {game.to_move} thinks: view must be that seat or None, not {view}")
    found = [analyse(game, each, seed) for each in asked]
    names = [each if isinstance(each, str) else one.agent for each, one in zip(asked, found, strict=True)]
    return Compared(found[0].seat, tuple(zip(names, found, strict=True)))
