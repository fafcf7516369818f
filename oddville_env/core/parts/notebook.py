"""A game as a notebook shows it: the page in a frame, or its picture where no page can be shown."""

import os
import sys
from contextlib import suppress
from html import escape
from typing import Any

from oddville_env.core.errors import GameError
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.lazy_packages import find_page

HEIGHT = 760  # of the frame, in pixels: the page's table without scrolling, as wide as a notebook is
ELSEWHERE = ("JUPYTERHUB_API_URL", "COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE")
"""Environment variables of notebook services on other computers, whose pages the reader's browser cannot reach."""


class NotebookView:
    """What `show` hands out: notebooks take the frame before the picture, and a terminal the text."""

    def __init__(self, title: str, picture: str, text: str, address: str | None) -> None:
        self._title, self._picture, self._text = title, picture, text
        self.address = address
        """Where the page shows the game, None where there is no page."""

    def _repr_html_(self) -> str | None:
        if self.address is None:
            return None
        where, title = escape(self.address), escape(self._title)
        return f'<iframe src="{where}" title="{title}" width="100%" height="{HEIGHT}" style="border: 0"></iframe>'

    def _repr_svg_(self) -> str:
        return self._picture

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """All forms at once; the front end chooses."""
        forms = {"text/html": self._repr_html_(), "image/svg+xml": self._picture, "text/plain": self._text}
        return {kind: form for kind, form in forms.items() if form is not None}

    def __repr__(self) -> str:
        return self._text


def in_notebook() -> bool:
    """The reader's browser shows what this process hands out, and reaches its pages."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel") and not any(name in os.environ for name in ELSEWHERE)


def address_of(game: Any, view: int | None) -> str | None:
    """Where the page shows a game as a seat sees it; None outside notebooks, without the extra `web`, for a game of
    which there is no record, and where the system has no room or no place for its page."""
    if in_notebook():
        with suppress(GameError, OSError), needs_extra("the page needs", "web"):
            address: str = find_page("notebook").address_of(game, view)
            return address
    return None
