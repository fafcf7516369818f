"""[O1 O2] A puzzle: its clues, its own buildings, and its solution; read from JSON and checked."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.checked import ValueKind, anything, faults, having, label, one_of, several, whole
from oddville_env.core.disk.reading import all_lines, parse_json, read_json
from oddville_env.core.errors import GameError, first_of, located, shown, shown_path
from oddville_env.oldtown.cards import MOST_LETTERS, Deck, base_deck
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, CARDS_OF, FIRST_CARD, LETTERS, LOTS

PRINTED = Path(__file__).parents[1] / "cards" / "base" / "puzzles.json"
MOST_MINE = 3
OPTIONAL = ("puzzle", "level", "solution", "mine_solutions")


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


LABEL = ValueKind(
    "a short text or a number",
    lambda value: (
        value == "" or label(MOST_LETTERS).holds(value) or (type(value) is int and abs(value) < 10**MOST_LETTERS)
    ),
)
"""The number or the name of a puzzle."""


def _kinds(deck: Deck) -> dict[str, ValueKind]:
    """[O1] The fields of a puzzle."""
    key, numbers = one_of(*deck.keys), {}
    for name, kind in LETTERS.items():
        numbers[name] = whole(FIRST_CARD[kind] + 1, FIRST_CARD[kind] + CARDS_OF[kind])
    return {
        "a": several(numbers["a"], 0, CARDS),
        "b": several(having({"card": numbers["b"], "building": key}), 0, CARDS),
        "c": several(numbers["c"], 0, CARDS),
        "mine": several(key, 0, BUILDINGS).or_none(),
        "mine_count": whole(1, MOST_MINE),
        "puzzle": LABEL,
        "level": LABEL,
        "solution": several(key, LOTS, LOTS).or_none(),
        "mine_solutions": anything(),
    }


def puzzle_of(plain: Any, deck: Deck | None = None) -> Puzzle:
    """The puzzle that plain JSON says; raises PuzzleError."""
    deck = deck or base_deck()
    if problems := faults("the puzzle", plain, _kinds(deck), OPTIONAL):
        raise PuzzleError("; ".join(first_of(problems)))
    a, c, mine_count = tuple(plain["a"]), tuple(plain["c"]), plain["mine_count"]
    b = tuple((each["card"], each["building"]) for each in plain["b"])
    mine, solution = (None if plain.get(name) is None else tuple(plain[name]) for name in ("mine", "solution"))
    name, level = (str(plain.get(name, "")) for name in ("puzzle", "level"))
    return _whole(Puzzle(a, b, c, mine, mine_count, solution, name, level), deck)


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
    return tuple(puzzle_of(plain) for plain in read_json(PRINTED, "puzzles", PuzzleError)["puzzles"])


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
    found = []
    for number, each in enumerate(puzzles, 1):
        with located(f"{name}, puzzle {number}", PuzzleError):
            found.append(puzzle_of(each, deck))
    return found


def _plain(lines: list[str]) -> Any:
    """The value of a JSON text, or the list of its lines' values; raises ValueError."""
    try:
        return parse_json("".join(lines))
    except ValueError:
        return [parse_json(line) for line in lines]
