"""Puzzles on paper: pages of them with an empty town to fill, and pages of their solutions, for A4."""

from collections.abc import Mapping, Sequence

from oddville_env.core.svg.elements import Fragment, at, below, beside, bold, box, symbol, text
from oddville_env.core.svg.page import PAD, picture, sheet
from oddville_env.core.svg.palette import INK, MUTED, RIM, WHITE
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import LOTS
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.svg.clues import SIDE, lot_place, wrapped
from oddville_env.oldtown.svg.symbols import tile, token
from oddville_env.oldtown.svg.town import miniature

WIDTH, HEIGHT = 1000.0, 1414.0  # A4
MARGIN = 50.0
INNER = WIDTH - 2 * MARGIN
HEAD = 62.0
ON_A_PAGE = 2
ROOM = (HEIGHT - 2 * MARGIN - HEAD) / ON_A_PAGE
CLUES = 480.0  # the width of the clues
WRITING, LINE = 12.0, 16.0
CELL, STREET = 86.0, 14.0
TOWN = SIDE * CELL + STREET
REMARK = "Sixteen buildings, one on each lot, north is up. A clue about my building is true for at least one of mine."
ACROSS, DOWN = 3, 4  # solutions on a page
STYLE = "@page{size:A4;margin:0}body{margin:0}svg{display:block;width:210mm;height:297mm;break-after:page}"


def pages(puzzles: Sequence[Puzzle], deck: Deck, solutions: bool = True) -> list[str]:
    """Every page as an SVG: first the puzzles, then their solutions."""
    names = [_name(puzzle, number) for number, puzzle in enumerate(puzzles, 1)]
    drawn = [_puzzle(puzzle, name, deck) for puzzle, name in zip(puzzles, names, strict=True)]
    found = [_page("Old Town", below(part, 0), deck) for part in _parts(drawn, ON_A_PAGE)]
    if solutions:
        solved = [_solution(puzzle, name, deck) for puzzle, name in zip(puzzles, names, strict=True)]
        for part in _parts(solved, ACROSS * DOWN):
            found.append(_page("Solutions", below([beside(row, 20) for row in _parts(part, ACROSS)], 18), deck))
    return found


def table(puzzle: Puzzle, built: Mapping[str, int], remark: str, deck: Deck) -> str:
    """A puzzle that is being solved as an SVG: its clues beside the town, with the lots (from 1) of what is built."""
    at_lot = {lot: key for key, lot in built.items()}
    town = miniature(deck, [at_lot.get(lot) for lot in range(1, LOTS + 1)], TOWN)
    said = Fragment(text(0, 10, remark, WRITING), TOWN, 16)
    return picture(beside([_clues(puzzle, _name(puzzle, 1), deck), below([town, said], PAD)], PAD))


def html(drawn: Sequence[str]) -> str:
    """Pages as a document that a browser prints page by page."""
    head = f'<meta charset="utf-8"><title>Old Town: puzzles</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{chr(10).join(drawn)}\n</body></html>\n'


def _parts(fragments: Sequence[Fragment], size: int) -> list[Sequence[Fragment]]:
    return [fragments[start : start + size] for start in range(0, len(fragments), size)]


def _name(puzzle: Puzzle, number: int) -> str:
    level = f" · {puzzle.level}" if puzzle.level else ""
    return f"Puzzle {puzzle.name or number}{level}"


def _page(title: str, content: Fragment, deck: Deck) -> str:
    scale = min(1.0, (HEIGHT - 2 * MARGIN - HEAD) / content.height)
    sign = at(0, 0, tile(deck, deck.index("saloon") if "saloon" in deck.keys else 0), 0.5)
    heading = at(MARGIN, MARGIN - 14, sign) + bold(MARGIN + 64, MARGIN + 4, title, 24)
    heading += text(MARGIN + 64, MARGIN + 26, REMARK, 11, fill=MUTED)
    body = box(0, 0, WIDTH, HEIGHT, fill=WHITE) + heading + at(MARGIN, MARGIN + HEAD, content.body, scale)
    return sheet(body, WIDTH, HEIGHT, round(HEIGHT))


def _puzzle(puzzle: Puzzle, name: str, deck: Deck) -> Fragment:
    """The clues beside an empty town, and the buildings below it; smaller where there are many clues."""
    right = below([_empty_town(), _names(puzzle, deck)], 14)
    content = beside([_clues(puzzle, name, deck), right], INNER - CLUES - TOWN)
    scale = min(1.0, (ROOM - 3 * PAD) / content.height)
    return Fragment(at(0, 0, content.body, scale) + box(0, ROOM - PAD, INNER, 1, fill=RIM), INNER, ROOM)


def _clues(puzzle: Puzzle, name: str, deck: Deck) -> Fragment:
    heading = Fragment(bold(0, 12, name, 17), CLUES, 30)
    return below([heading, *(_clue(line) for line in clue_lines(puzzle, deck))], 3)


def _clue(words: str) -> Fragment:
    lines = wrapped(words, WRITING, CLUES - 16)
    mark = box(0, 4, 7, 7, 1.5, fill="none", stroke=MUTED)
    body = "".join(text(16, 8 + LINE * place, line, WRITING) for place, line in enumerate(lines))
    return Fragment(mark + body, CLUES, LINE * len(lines))


def clue_lines(puzzle: Puzzle, deck: Deck) -> list[str]:
    """[O1] All that the puzzle says, a sentence each."""
    own = [f"the {deck.buildings[deck.index(key)].name}" for key in puzzle.mine or ()]
    if not own:
        mine = f"Which {puzzle.mine_count} buildings are mine is to be found out."
    elif len(own) == 1:
        mine = f"My building is {own[0]}."
    else:
        mine = f"My buildings are {', '.join(own[:-1])} and {own[-1]}."
    return [
        *(describe.clue(deck, card) for card in puzzle.a),
        *(describe.clue_of(deck, card, deck.index(key)) for card, key in puzzle.b),
        mine,
        *(describe.clue(deck, card) for card in puzzle.c),
    ]


def _empty_town() -> Fragment:
    lots = [lot_place(lot, CELL, STREET) for lot in range(LOTS)]
    cells = [
        box(x + 1, y + 1, CELL - 2, CELL - 2, 5, fill=WHITE, stroke=INK) + bold(x + 8, y + 14, lot, 11, fill=MUTED)
        for lot, (x, y) in enumerate(lots, 1)
    ]
    return Fragment("".join(cells), TOWN, TOWN)


def _names(puzzle: Puzzle, deck: Deck) -> Fragment:
    """[O2] The town's buildings, to be crossed out."""
    lines = []
    for place, key in enumerate(puzzle.town(deck)):
        column, row = divmod(place, LOTS // 2)
        building = deck.index(key)
        drawn = symbol(10, 10, 18, token(deck, building)) + text(26, 10, deck.buildings[building].name, 11.5)
        lines.append(at(column * TOWN / 2, row * 22, drawn))
    return Fragment("".join(lines), TOWN, 22 * LOTS / 2)


def _solution(puzzle: Puzzle, name: str, deck: Deck) -> Fragment:
    width = (INNER - 2 * 20) / ACROSS
    drawn = miniature(deck, puzzle.solution or (None,) * LOTS, width)
    return below([Fragment(bold(0, 10, name, 13), width, 22), drawn], 0)
