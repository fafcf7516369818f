"""A table that is shown again and again in a terminal, laid out for the size that it has."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from oddville_env.core.game.game_type import GameType


class Screen:
    """Shows positions one after the other: each alone where there is a terminal, else below each other."""

    def __init__(self, game_type: GameType, console: Console) -> None:
        self._draw, self._console = game_type.draw_text, console

    def show(self, position: Mapping[str, Any], box: Any, said: str, room: int = 0) -> None:
        """Show a position, and what was said below it; room: lines that somebody else will write there."""
        if self._console.is_terminal:
            columns, lines = self._console.size
            self._console.clear()
            below = 2 + room  # what was said, and the line that the cursor waits in
            self._console.print(self._draw(position, box, (columns, max(lines - below, 1))), end="", soft_wrap=True)
            self._console.print(said[:columns], soft_wrap=True)
        else:
            self._console.print(self._draw(position, box), soft_wrap=True)
            self._console.print(said, soft_wrap=True)
