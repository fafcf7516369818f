"""Tabs that are used again: a window and a process of one's own for each visitor cost as much as the visit itself."""

from collections import defaultdict
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page

from support.page.live import WAIT_S
from support.page.visitor import Visitor

LOOK = {"viewport": {"width": 1366, "height": 768}, "color_scheme": "light", "reduced_motion": "reduce"}
"""Defaults of a tab that can be changed while it is open."""
FORGET = "localStorage.clear()"
UNDRAWN = """const undrawn = new CSSStyleSheet();
undrawn.replaceSync(":root { opacity: 0 }");
document.adoptedStyleSheets.push(undrawn);"""
"""The page is laid out but not drawn; drawing takes a seventh of a visit."""


class Tabs:
    """The tabs of a browser, reused with empty storage."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._left: defaultdict[str, list[Page]] = defaultdict(list)

    def open(self, init: str = "", fresh: bool = False, **options: Any) -> Visitor:
        """A user at a tab of their own.

        init: runs before each page. fresh: a new tab that is not reused, for tests that change more of it than a
        page can undo, counts what is loaded, or loses the server.
        """
        look = {name: options.pop(name, usual) for name, usual in LOOK.items()}
        kind = repr((init, sorted(options.items())))
        page = self._left[kind].pop() if self._left[kind] and not fresh else self._new(init, {**look, **options})
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"], reduced_motion=look["reduced_motion"])
        return Visitor(page, None if fresh else kind)

    def leave(self, visitor: Visitor, well: bool) -> None:
        """Close the visit. If all went well, the tab is kept for reuse."""
        visitor.close()
        page = visitor.page
        if well and visitor.kind is not None and page.url.startswith("http"):
            page.goto(urljoin(page.url, "api/ready"))  # a page that was left alone would go on to listen
            page.evaluate(FORGET)
            page.mouse.move(0, 0)
            self._left[visitor.kind].append(page)
        else:
            page.context.close()

    def _new(self, init: str, options: dict[str, Any]) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(1000 * WAIT_S)
        for script in (UNDRAWN, init):
            context.add_init_script(script)
        return context.new_page()
