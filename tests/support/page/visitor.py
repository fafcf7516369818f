"""A user at a browser, driven by the legal moves."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, ConsoleMessage, Error, Locator, Page, WebSocket

from support.page.live import WAIT_S

FAULTS = {"resultTypes": ["violations"]}
AXE = {**FAULTS, "rules": {"label-content-name-mismatch": {"enabled": True}}}
COLOURS = {**FAULTS, "runOnly": {"type": "rule", "values": ["color-contrast"]}}  # all that is other in the dark
TELL = """async options => (await axe.run(options)).violations.map(
    one => [one.id, one.nodes.slice(0, 3).map(node => node.html.slice(0, 200))])"""
STILL = """() => !document.querySelector('[aria-busy="true"]')
    && document.getAnimations().every(one => one.playState !== "running")"""
VISIBLE = "[...document.querySelectorAll(selector)].find(one => one.checkVisibility({ visibilityProperty: true }))"
SEEN = f"selector => Boolean({VISIBLE})"
OPEN = f"""selector => {{
    const one = {VISIBLE};
    if (!one || one.disabled || document.getAnimations().length) return null;
    const box = one.getBoundingClientRect();
    const point = [box.left + box.width / 2, box.top + box.height / 2];
    return one.contains(document.elementFromPoint(...point)) ? point : null;
}}"""
"""Where the mouse meets it now, if it stands still and nothing lies above it: playwright's own click looks so long that
it takes as much as the move that it makes."""
CONFIRM = '.action-bar [data-key="confirm"]'
HARMLESS = ("net::ERR_CONNECTION_REFUSED", "WebSocket connection to", "ERR_EMPTY_RESPONSE", "/favicon.ico")
"""A reused tab may still report a missing icon of the page before."""


class Visitor:
    """At a tab of a kind. `state` is the last one that the server told it."""

    def __init__(self, page: Page, kind: str | None = None) -> None:
        self.page, self.kind = page, kind
        self.states: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self.received = 0
        self._fingers: CDPSession | None = None
        self._ears = {"websocket": self._listen, "pageerror": self._error, "console": self._console}
        for event, ear in self._ears.items():
            page.on(event, ear)

    def close(self) -> None:
        """Hear nothing more of the tab."""
        for event, ear in self._ears.items():
            self.page.remove_listener(event, ear)

    def _error(self, error: Error) -> None:
        self.problems.append(str(error))

    def _console(self, message: ConsoleMessage) -> None:
        told = f"{message.text} {message.location['url']}"
        if message.type == "error" and not any(words in told for words in HARMLESS):
            self.problems.append(told)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        self.received += len(frame)
        message = json.loads(frame)
        if message["type"] == "state":
            self.states.append(message)

    @property
    def state(self) -> dict[str, Any]:
        return self.states[-1]

    def see_lobby(self, address: str, game: str = "") -> "Visitor":
        """Look at the page, of a game, until all of it has come."""
        self.page.goto(address)
        if game:
            self.page.locator(".lobby .field select").first.select_option(game)
        self.page.wait_for_load_state("networkidle")
        return self

    def enter(self, address: str, made: dict[str, Any], key: str) -> "Visitor":
        """Enter a game by its link."""
        self.page.goto("about:blank")  # or what is waited for may belong to the page before
        self.page.goto(f"{address}#game={made['id']}&key={key}")
        self.page.locator(".invitation, .action-bar").first.wait_for()
        if self.page.locator(".invitation").count():
            self.page.locator('[data-key="accept"]').click()
        self.wait(lambda: bool(self.states) and self.page.locator(".action-bar .prompt").count() > 0)
        return self

    @property
    def game(self) -> str:
        """The id of the game that the address names."""
        (found,) = re.findall(r"game=([\w-]{22})", self.page.url)
        return str(found)

    def wait(self, holds: Any) -> None:
        until = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < until, "the page did not get there in time"
            self.page.wait_for_timeout(15)

    def wait_for_turn(self) -> None:
        self.wait(lambda: self.state["may"]["move"] or self.state["over"])

    @property
    def moves(self) -> list[dict[str, Any]]:
        return [move for group in self.state["legal"] for move in group["moves"]]

    def spot(self, spot: str) -> Locator:
        """What is touched for a spot."""
        return self.page.locator(f'[data-touch="{spot}"]:visible').first

    def play(self, move: dict[str, Any]) -> None:
        """Play a move by clicks: touch its spots, or say it by its button; then confirm it."""
        moves, said = self.state["moves"], f'[data-word="{move["word"]}"]'
        for spot in move["path"]:
            if self.state["moves"] != moves or self.sees(CONFIRM):
                break
            if self.sees(said):
                self.click(said)
                break
            self.click(f'[data-touch="{spot}"]')
        self.wait(lambda: self.state["moves"] != moves or self.sees(CONFIRM))
        if self.state["moves"] == moves:
            self.click(CONFIRM)
        self.wait(lambda: self.state["moves"] != moves)

    def play_best(self) -> str:
        """Play a pair, by touching both cards, where there is one, else the best move; its word."""
        pairs = [move for move in self.moves if move.get("then")]
        move, moves = pairs[0] if pairs else self.best(), self.state["moves"]
        if pairs:
            self.click(f'[data-touch="{move["path"][0]}"]')
            self.click(f'[data-touch="{move["then"][0]["spot"]}"]')
            self.button("confirm").click()
            self.wait(lambda: self.state["moves"] >= moves + 2)
        else:
            self.play(move)
        return str(move["word"])

    def until(self, kind: str, fits: Any = bool) -> list[dict[str, Any]]:
        """Play until moves of a kind that fit are legal; those moves."""
        for _ in range(60):
            self.wait_for_turn()
            if found := [move for move in self.moves if move["word"].startswith(kind) and fits(move)]:
                self.page.wait_for_timeout(50)
                return found
            self.play_best()
        raise AssertionError(f"no {kind} comes up")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """Fingers that touch (`Start`), go on (`Move`) or are lifted (`End`)."""
        told = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._fingers = self._fingers or self.page.context.new_cdp_session(self.page)
        self._fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": told})

    def sees(self, selector: str) -> bool:
        return bool(self.page.evaluate(SEEN, selector))

    def click(self, selector: str) -> None:
        """Click on the first that is visible: by the mouse at once if it lies open, else when it can be reached."""
        if point := self.page.evaluate(OPEN, selector):
            self.page.mouse.click(*point)
        else:
            self.page.locator(f"{selector}:visible").first.click()

    def saved(self, key: str) -> bytes:
        """What is in the file that a button gives."""
        with self.page.expect_download() as download:
            self.page.locator(f'[data-key="{key}"]').click()
        return Path(download.value.path()).read_bytes()

    def button(self, key: str) -> Locator:
        return self.page.locator(f'.action-bar [data-key="{key}"]')

    def axe_faults(self) -> list[Any]:
        """What axe finds on the page when nothing moves any more, by light and in the dark."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
        self.page.wait_for_function(STILL)
        self.page.evaluate("document.adoptedStyleSheets = []")  # a new tab draws nothing
        if self.page.evaluate("!window.axe"):
            self.page.evaluate(axe.Axe().axe_script)
        told = []
        for scheme, options in (("light", AXE), ("dark", COLOURS)):
            self.page.emulate_media(color_scheme=scheme)
            told += [(scheme, *fault) for fault in self.page.evaluate(TELL, options)]
        return told

    def best(self) -> dict[str, Any]:
        """A sensible legal move: what brings most points, a build before all."""
        return max(self.moves, key=lambda move: (move["scores"][self.state["to_move"]], move["word"]))
