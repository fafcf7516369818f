"""Pictures of a table for `render()`: text, pixels, a window. Pixels and the window need the extra `render`."""

import io
from typing import Any

import gymnasium
import numpy as np

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import needs_extra

RENDER_MODES = ("ansi", "rgb_array", "human")
WIDTH = 1200  # pixels


class Renderer:
    """Shows a state in one of the render modes. Raises SettingError for another mode, or where the extra is missing."""

    def __init__(self, game_type: GameType, mode: str | None) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise SettingError(f"render_mode must be one of {', '.join(RENDER_MODES)} or None, not {shown(mode)}")
        if mode in ("rgb_array", "human"):
            need_extra()
        self._game_type, self._mode = game_type, mode
        self._window: Any = None

    def render(self, box: Any, games: np.ndarray, seat: int | None = None) -> str | np.ndarray | None:
        """The text, the pixels uint8 [height, width, 3], or None with the window brought up to date.

        It shows what a seat sees; seat None: what everybody knows. Pixels are as many all through a game.
        """
        if self._mode is None:
            gymnasium.logger.warn("render() was called without a render_mode")
            return None
        position = self._game_type.position(box, games, 0, seat)
        if self._mode == "ansi":
            return self._game_type.draw_text(position, box)
        drawn = self._game_type.draw(position, box, fixed=True)
        if self._mode == "human":
            self._show(_loaded(drawn))
            return None
        return pixels(drawn)

    def _show(self, picture: Any) -> None:
        import pygame

        if self._window is None or self._window.get_size() != picture.get_size():
            pygame.display.init()
            self._window = pygame.display.set_mode(picture.get_size())
            pygame.display.set_caption(self._game_type.title)
        self._window.blit(picture, (0, 0))
        pygame.event.pump()
        pygame.display.flip()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """A copy opens a window of its own."""
        return self.__dict__ | {"_window": None}


def need_extra() -> None:
    """Raises SettingError where the extra `render` is not installed."""
    with needs_extra("pixels and windows need", "render"):
        import pygame  # noqa: F401
        import resvg_py  # noqa: F401


def pixels(svg: str) -> np.ndarray:
    """An SVG picture as uint8 [height, width, 3]. Raises SettingError without the extra."""
    need_extra()
    import pygame

    found: np.ndarray = pygame.surfarray.array3d(_loaded(svg)).transpose(1, 0, 2)
    return np.ascontiguousarray(found)


def _loaded(svg: str) -> Any:
    """An SVG picture as one of pygame's."""
    import pygame

    return pygame.image.load(io.BytesIO(png(svg, WIDTH)), "table.png")


def png(svg: str, width: int) -> bytes:
    """An SVG picture as a PNG file, drawn with the font that pygame brings. Raises SettingError without the extra.

    width: in pixels.
    """
    need_extra()
    import pygame
    import resvg_py

    font = f"{pygame.__path__[0]}/{pygame.font.get_default_font()}"
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=[font], font_family="FreeSans"))
