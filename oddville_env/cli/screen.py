"""The table as text, fitted to the size of the terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from oddville_env.core.game.game_type import GameType


class Screen:
    """Shows positions: a terminal is cleared before each, other outputs get one below the other."""

    def __init__(self, game_type: GameType, console: Console) -> None:
        self._draw, self._console = game_type.draw_text, console

    def show(self, position: Mapping[str, Any], box: Any, said: str, room: int = 0) -> None:
        """Show a position and a message below it, with room for `room` more lines."""
        if self._console.is_terminal:
            columns, lines = self._console.size
            self._console.clear()
            below = 2 + room  # the message and the line of the cursor
            self._console.print(self._draw(position, box, (columns, max(lines - below, 1))), end="", soft_wrap=True)
            self._console.print(said[:columns], soft_wrap=True)
        else:
            self._console.print(self._draw(position, box), soft_wrap=True)
            self._console.print(said, soft_wrap=True)
