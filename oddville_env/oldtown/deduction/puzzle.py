"""[O1 O2] A puzzle: its clues, its own buildings, and its solution; read from JSON and checked."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.disk.reading import all_lines, parse_json
from oddville_env.core.errors import GameError, first_of, shown, shown_path
from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.checks import MOST_LETTERS, Checks, read_json
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, CARDS_OF, FIRST_CARD, LETTERS, LOTS, NOTHING, CardType

PRINTED = Path(__file__).parents[1] / "cards" / "base" / "puzzles.json"
MOST_MINE = 3


class PuzzleError(GameError):
    """Something that is no puzzle."""


class Puzzle(NamedTuple):
    """[O1] Cards by their numbers, buildings by their keys; `mine` is None where it is to be found out."""

    a: tuple[int, ...]
    b: tuple[tuple[int, str], ...]
    """B cards, each with its building."""
    c: tuple[int, ...]
    mine: tuple[str, ...] | None
    mine_count: int
    solution: tuple[str, ...] | None = None
    """The buildings of lots 1..16."""
    name: str = ""
    level: str = ""

    def town(self, deck: Deck) -> tuple[str, ...]:
        """[O2] The buildings that the cards and the list name, in the order of the deck."""
        named = {deck.keys[deck.cards[card - 1].building] for card in (*self.a, *self.c)}
        named |= {building for _, building in self.b} | set(self.mine or ())
        return tuple(key for key in deck.keys if key in named)

    def plain(self) -> dict[str, Any]:
        """The puzzle as JSON has it."""
        head = {"puzzle": int(self.name) if self.name.isdecimal() else self.name, "level": self.level}
        return {
            **{key: value for key, value in head.items() if value != ""},
            "a": list(self.a),
            "b": [{"card": card, "building": building} for card, building in self.b],
            "c": list(self.c),
            "mine": None if self.mine is None else list(self.mine),
            "mine_count": self.mine_count,
            **({} if self.solution is None else {"solution": list(self.solution)}),
        }


def puzzle_of(plain: object, deck: Deck | None = None) -> Puzzle:
    """The puzzle that plain JSON says; raises PuzzleError."""
    deck, checks = deck or base_deck(), Checks()
    if not isinstance(plain, Mapping):
        raise PuzzleError(f"a puzzle is a JSON object, not {shown(plain)}")
    fields = checks.fields(
        "the puzzle",
        plain,
        ("a", "b", "c", "mine", "mine_count"),
        optional=("puzzle", "level", "solution", "mine_solutions"),
        nullable=("mine",),
    )
    cards = {name: _cards(checks, name, fields.get(name)) for name in ("a", "c")}
    b = [_pair(checks, deck, entry) for entry in checks.entries("field b", fields.get("b"))]
    mine = fields.get("mine")
    if mine is not None:
        mine = tuple(_key(checks, deck, "mine", key) for key in checks.entries("field mine", mine))
    count = checks.number("the puzzle", "mine_count", fields.get("mine_count"), 1, MOST_MINE)
    solution = plain.get("solution")
    if solution is not None:
        solution = tuple(_key(checks, deck, "solution", key) for key in checks.entries("field solution", solution))
    name, level = (_label(checks, name, plain.get(name, "")) for name in ("puzzle", "level"))
    if checks.problems:
        raise PuzzleError("; ".join(first_of(checks.problems)))
    return _whole(Puzzle(cards["a"], tuple(b), cards["c"], mine, count, solution, name, level), deck)


def _cards(checks: Checks, name: str, plain: object) -> tuple[int, ...]:
    first, size = FIRST_CARD[LETTERS[name]] + 1, CARDS_OF[LETTERS[name]]
    entries = checks.entries(f"field {name}", plain)
    return tuple(checks.number("the puzzle", name, card, first, first + size - 1) for card in entries)


def _label(checks: Checks, name: str, plain: object) -> str:
    """A number or a text that says which puzzle it is; it may be empty."""
    label = str(plain) if type(plain) is int and abs(plain) < 10**MOST_LETTERS else plain
    if not isinstance(label, str) or len(label) > MOST_LETTERS or not label.isprintable():
        checks.blame("the puzzle", f"field {name}: expected a short text or a number, found {shown(plain)}")
        return ""
    return label


def _pair(checks: Checks, deck: Deck, plain: object) -> tuple[int, str]:
    fields = checks.fields("field b", plain, ("card", "building"))
    card = checks.number("field b", "card", fields.get("card"), FIRST_CARD[CardType.B] + 1, CARDS)
    return card, _key(checks, deck, "b", fields.get("building"))


def _key(checks: Checks, deck: Deck, name: str, plain: object) -> str:
    place = checks.one_of("the puzzle", name, plain, deck.keys)
    return "" if place == NOTHING else deck.keys[place]


def _whole(puzzle: Puzzle, deck: Deck) -> Puzzle:
    """[O2] Exactly 16 buildings, and as many own ones as it says."""
    cards = (*puzzle.a, *puzzle.c, *(card for card, _ in puzzle.b))
    if len(set(cards)) != len(cards):
        raise PuzzleError("a card stands twice in the puzzle")
    if len(puzzle.town(deck)) != LOTS:
        raise PuzzleError(f"cards and list name {len(puzzle.town(deck))} buildings, expected {LOTS}")
    if puzzle.mine is not None and len(set(puzzle.mine)) != puzzle.mine_count:
        raise PuzzleError(f"mine names {len(set(puzzle.mine))} buildings, mine_count says {puzzle.mine_count}")
    if puzzle.solution is not None and sorted(puzzle.solution) != sorted(puzzle.town(deck)):
        raise PuzzleError("the solution is no placement of the town")
    assert len(deck.keys) == BUILDINGS
    return puzzle


@cache
def printed_puzzles() -> tuple[Puzzle, ...]:
    """The eight puzzles of the rulebook, 1 first."""
    return tuple(puzzle_of(plain) for plain in read_json(PRINTED)["puzzles"])


def read_puzzles(path: Path, deck: Deck | None = None) -> list[Puzzle]:
    """Puzzles from a file: an object with `puzzles`, a list, or a line of JSON for each; raises PuzzleError."""
    name, lines = shown_path(path), [line for _, line in all_lines(path, PuzzleError)]
    try:
        plain = _plain(lines)
    except ValueError as error:
        raise PuzzleError(f"{name} holds no puzzles ({error})") from None
    puzzles = plain.get("puzzles", [plain]) if isinstance(plain, Mapping) else plain
    if not isinstance(puzzles, list):
        raise PuzzleError(f"{name} holds no puzzles, expected a list of them, not {shown(puzzles)}")
    return [_puzzle_at(f"{name}, puzzle {number}", each, deck) for number, each in enumerate(puzzles, 1)]


def _plain(lines: list[str]) -> Any:
    """The value of a JSON text, or the list of its lines' values; raises ValueError."""
    try:
        return parse_json("".join(lines))
    except ValueError:
        return [parse_json(line) for line in lines]


def _puzzle_at(where: str, plain: object, deck: Deck | None) -> Puzzle:
    try:
        return puzzle_of(plain, deck)
    except PuzzleError as error:
        raise PuzzleError(f"{where}: {error}") from None
