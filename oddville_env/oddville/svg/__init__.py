"""A position as one picture: plain SVG 1.1 that a browser, a notebook and a rasteriser show alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.elements import Fragment, at, below, beside, bold, box, disc, extent, symbol, text
from oddville_env.core.svg.page import GAP, INNER, SMALL, picture
from oddville_env.core.svg.palette import KERB, MUTED, SEAT_COLOURS, WHITE
from oddville_env.core.svg.thoughts import Thought, thoughts_panel
from oddville_env.oddville import describe
from oddville_env.oddville.cards import Bonus, CardSet, Counts, Suit
from oddville_env.oddville.moves import Move
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.svg import symbols
from oddville_env.oddville.svg.city import city, window_of
from oddville_env.oddville.svg.market import market
from oddville_env.oddville.svg.palette import SUIT_COLOURS
from oddville_env.oddville.svg.seats import seats


def marks_of(thoughts: Sequence[Thought], seat: int) -> dict[tuple[int, int], str]:
    """A seat's chance to win after building on a cell, as its label: of the builds there the first one's."""
    marks: dict[tuple[int, int], str] = {}
    for thought in thoughts:
        move = Move.parse(thought.word)
        if move.kind == Kind.BUILD and thought.values:
            marks.setdefault(move.parts[1], f"{thought.values[seat]:.0%}")
    return marks


def draw(
    position: Mapping[str, Any],
    cards: CardSet,
    last: Mapping[str, Any] | None = None,
    fixed: bool = False,
    thoughts: Sequence[Thought] = (),
) -> str:
    """The position as an SVG, with room for what a later position, the last one, has built.

    `thoughts` are moves and what an agent thinks of them: cells show the chance to win after a build there. `fixed`
    makes all pictures of a game equally high, an even number of pixels, as films want it: the cards of the city get
    smaller as it grows.
    """
    marks = marks_of(thoughts, position["to_move"]) if thoughts else {}
    table = city(position, cards, marks, INNER, window_of(last, {}) if last else None, fixed)
    minds = [thoughts_panel(thoughts)] if thoughts else []
    areas = seats(position, cards, fixed)
    page = below([header(position), market(position, cards), table, *minds, areas, legend()], GAP)
    return picture(page, even=fixed)


HEADER = 54.0
SPEECH = 250.0

BONUS_KEYS = {
    Bonus.ANY: "any resource",
    Bonus.DOUBLE: "resource where you are",
    Bonus.TRANSFORM: "move a worker",
    Bonus.COIN: "a coin",
}
COUNT_KEYS = {
    Counts.ADJACENT: "per adjacent card",
    Counts.SHIELDS: "per adjacent shield",
    Counts.ROW: "per card in its line",
    Counts.COLUMN: "per card in its column",
}


def header(position: Mapping[str, Any]) -> Fragment:
    """The seat to move and its prompt, the pending bonuses, the round; at the end the result."""
    seat = describe.ranking(position)[0] if position["to_move"] is None else position["to_move"]
    remarks = (describe.prompt(position), describe.happened(position), describe.notice(position))
    remark = " · ".join(filter(None, remarks))
    body = (
        box(0.5, 0.5, INNER - 1, HEADER - 1, 9, fill=SEAT_COLOURS[seat].pale, stroke=SEAT_COLOURS[seat].full)
        + symbol(34, HEADER / 2 - 1, 34, symbols.houses(SUIT_COLOURS[Suit.ROOSTER].full))
        + bold(58, HEADER / 2, "OddVille", 24)
        + symbol(SPEECH - 28, HEADER / 2, 38, symbols.pawn(seat))
        + bold(SPEECH, 18, describe.headline(position), 16)
        + text(SPEECH, 38, remark, 12)
        + at(SPEECH + extent(remark, 12) + 8, 26, _pending(position["pending"]).body)
        + bold(INNER - 16, 18, f"Round {position['round']}", 16, text_anchor="end")
        + text(INNER - 16, 38, f"of at most {position['max_rounds']}", 11, fill=MUTED, text_anchor="end")
    )
    return Fragment(body, INNER, HEADER)


def _pending(bonuses: Sequence[str]) -> Fragment:
    """[N6] The bonuses that may still be taken."""
    window = disc(12, 12, 11.5, fill=WHITE, stroke=KERB)
    signs = [symbols.bonus(Bonus[word.upper()]) for word in bonuses]
    return beside([Fragment(window + symbol(12, 12, 16, sign), 24, 24) for sign in signs], 4)


def legend() -> Fragment:
    """A legend of the less plain signs."""
    bonuses = [_key(symbols.bonus(kind), words) for kind, words in BONUS_KEYS.items()]
    counts = [_key(symbols.counted(kind), words) for kind, words in COUNT_KEYS.items()]
    keys = beside([*bonuses, *counts], 12)
    return Fragment(at((INNER - keys.width) / 2, 0, keys.body), INNER, keys.height)


def _key(sign: str, words: str) -> Fragment:
    return Fragment(symbol(9, 9, 15, sign) + text(21, 9, words, SMALL, fill=MUTED), 21 + extent(words, SMALL), 18)
