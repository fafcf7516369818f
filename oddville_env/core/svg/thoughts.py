"""A panel of an agent's opinion: for each move the share of visits, every seat's chance to win, the expected line."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from oddville_env.core.svg.elements import Fragment, at, below, bold, box, extent, text
from oddville_env.core.svg.page import HEADING, INNER, PAD, SMALL, badge, panel
from oddville_env.core.svg.palette import GLOW, MARK, MUTED, PLAYED, SEAT_COLOURS, WHITE

WIDTH = INNER - 2 * PAD
LINE = 26.0
BAR = 18.0
MOVE, SHARE, CHANCES = 0.0, 215.0, 402.0  # where the columns begin
SHARE_WIDTH, CHANCES_WIDTH = 130.0, 300.0
FOLLOWS = 720.0
LEGIBLE = 0.11  # a part of a bar that has room for its number


class Thought(NamedTuple):
    """A move as an agent sees it: its visits and their share, every seat's chance to win, what it expects to follow."""

    word: str
    visits: int
    share: float
    values: tuple[float, ...]
    line: tuple[str, ...] = ()
    played: bool = False

    def plain(self) -> dict[str, Any]:
        """It in plain values: nothing is said of the chances behind a move that was never looked at."""
        return {**self._asdict(), "values": self.values or None}


def thoughts_panel(candidates: Sequence[Thought]) -> Fragment:
    """A panel with a line for each move."""
    lines = below([_line(thought) for thought in candidates], 2)
    remark = "for each move the share of the search, every seat's chance to win, and what is expected to follow"
    return panel("Candidates", remark, Fragment(lines.body, WIDTH, lines.height), lines.height + HEADING + 2 * PAD)


def _line(thought: Thought) -> Fragment:
    middle = LINE / 2
    body = bold(MOVE, middle, thought.word, 12.5)
    if thought.played:
        mark = badge("played", GLOW, WHITE)
        body += at(MOVE + extent(thought.word, 12.5) + 8, middle - mark.height / 2, mark.body)
    body += at(SHARE, (LINE - BAR) / 2, _share(thought.share))
    body += at(CHANCES, (LINE - BAR) / 2, _chances(thought.values))
    body += text(FOLLOWS, middle, _as_far_as_fits(thought.line), SMALL, fill=MUTED)
    return Fragment(body, WIDTH, LINE)


def _share(share: float) -> str:
    bar = box(0, 0, SHARE_WIDTH, BAR, 4, fill=PLAYED) + box(0, 0, max(SHARE_WIDTH * share, 2.0), BAR, 4, fill=MARK)
    return bar + text(SHARE_WIDTH + 8, BAR / 2, f"{share:.0%}", 11.5)


def _chances(values: Sequence[float]) -> str:
    """One bar, divided among the seats."""
    body, left = "", 0.0
    for seat, value in enumerate(values):
        width = CHANCES_WIDTH * value
        body += box(left, 0, width, BAR, fill=SEAT_COLOURS[seat].full)
        if value >= LEGIBLE:
            shown = f"{value:.0%}"
            body += bold(left + width / 2, BAR / 2, shown, 11.5, fill=SEAT_COLOURS[seat].ink, text_anchor="middle")
        left += width
    return body


def _as_far_as_fits(line: Sequence[str]) -> str:
    """The expected words with arrows between them, whole words only."""
    shown = ""
    for word in line:
        longer = f"{shown} → {word}" if shown else word
        if extent(longer, SMALL) > WIDTH - FOLLOWS:
            break
        shown = longer
    return shown
