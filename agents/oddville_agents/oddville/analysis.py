"""What an agent thinks of a position of OddVille, for people: a table and a picture."""

from oddville_agents.analysis import Analysis, analyse, shown_candidates, table
from oddville_env.oddville.game import Game
from oddville_env.oddville.moves import move_of
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.svg import draw

__all__ = ["Analysis", "analyse", "picture", "table"]


def picture(analysis: Analysis, game: Game) -> str:
    """The position as an SVG: on every cell where one may build the chance to win after it, below the candidates."""
    candidates = shown_candidates(analysis)
    return draw(game.position(), game.box.cards, marks=_marks(analysis, game), candidates=candidates)


def _marks(analysis: Analysis, game: Game) -> dict[tuple[int, int], str]:
    """Of the builds on a cell the most visited one."""
    marks: dict[tuple[int, int], str] = {}
    for thought in analysis.candidates:
        action = game.action(thought.word)
        assert action is not None
        move = move_of(game.box.layout, action)
        if move.kind == Kind.BUILD and thought.values:
            cell = move.parts[1]
            assert isinstance(cell, tuple)
            marks.setdefault(cell, f"{thought.values[analysis.seat]:.0%}")
    return marks
