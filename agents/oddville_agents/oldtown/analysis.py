"""What an agent thinks of a position of Old Town, for people: a table and a picture."""

from oddville_agents.analysis import Analysis, analyse, shown_candidates, table
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.svg import draw

__all__ = ["Analysis", "analyse", "picture", "table"]


def picture(analysis: Analysis, game: OldTown) -> str:
    """The position as an SVG as the seat to move sees it, with the candidates below the town."""
    return draw(game.position(analysis.seat), game.box.deck, candidates=shown_candidates(analysis))
