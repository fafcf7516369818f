"""[O5-O7] A puzzle as a game for one: build the town, with few mistakes; and what its player sees, as a flat vector."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from oddville_env.core.checked import whole_number
from oddville_env.core.errors import IllegalMoveError, NotationError, RecordError, named, shown
from oddville_env.core.parts.moves import is_id, several_moves
from oddville_env.core.parts.pieces import FULL, Piece, PieceVector
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, CardType
from oddville_env.oldtown.deduction.puzzle import MOST_MINE, Puzzle, PuzzleError, printed_puzzles, puzzle_of
from oddville_env.oldtown.deduction.solver import all_placements
from oddville_env.oldtown.rules.box import CARD
from oddville_env.oldtown.settings import make_box, read_deck

FORMAT, VERSION = "oldtown-solo-record", 1
MISTAKES = 3  # O7
WORD = "build:{building}@{lot}"


class OldTownSolo:
    """A puzzle for one, played word by word.

    Args:
        puzzle: A Puzzle, its plain JSON, or the number of a printed one.
        mistakes: The number of mistakes that are allowed.
        deck: A deck, or None for the base deck.
        moves: Words to begin with.

    Raises:
        SettingError: For a wrong argument.
        PuzzleError: For a puzzle without a solution.
    """

    ACTIONS = BUILDINGS * LOTS

    def __init__(
        self,
        puzzle: Puzzle | Mapping[str, Any] | int = 1,
        mistakes: int = MISTAKES,
        deck: Deck | None = None,
        moves: Iterable[str] = (),
    ) -> None:
        self.deck = read_deck(deck)
        self.puzzle = _puzzle(puzzle, self.deck)
        self.mistakes = whole_number("mistakes", mistakes, 0, 1000)
        self.town = self.puzzle.town(self.deck)
        self._placements = all_placements(self.puzzle, self.deck)
        if not self._placements:
            raise PuzzleError("the puzzle has no solution")
        self._moves: list[tuple[str, int, float]] = []
        for move in several_moves(moves):
            self.push(move)

    @property
    def at(self) -> dict[str, int]:
        """The lots of the buildings that stand, in the order of building."""
        return {building: lot for building, lot, reward in self._moves if reward > 0}

    @property
    def wrong(self) -> list[tuple[str, int]]:
        """[O5] The wrong answers so far, in order."""
        return [(building, lot) for building, lot, reward in self._moves if reward < 0]

    @property
    def score(self) -> int:
        """[O7] The sum of rewards."""
        return int(sum(reward for _, _, reward in self._moves))

    @property
    def is_solved(self) -> bool:
        """[O7] All 16 stand."""
        return len(self.at) == LOTS

    @property
    def is_over(self) -> bool:
        """[O7] All stand, or there was one mistake more than allowed."""
        return self.is_solved or len(self.wrong) > self.mistakes

    @property
    def moves(self) -> list[str]:
        """All words so far."""
        return [f"build:{building}@{lot}" for building, lot, _ in self._moves]

    @property
    def mask(self) -> np.ndarray:
        """[O5] The legal words as bool [288]: building x 16 + lot, both from 0."""
        mask = np.zeros((BUILDINGS, LOTS), np.bool_)
        if not self.is_over:
            mask[[self.deck.index(key) for key in self.town]] = True
            for building, lot in self.at.items():
                mask[self.deck.index(building)], mask[:, lot - 1] = False, False
            for building, lot in self.wrong:
                mask[self.deck.index(building), lot - 1] = False
        return mask.ravel()

    @property
    def legal_moves(self) -> list[str]:
        """[O5] The legal words, sorted."""
        return sorted(self.word(action) for action in np.flatnonzero(self.mask).tolist())

    def word(self, action: int) -> str:
        """The word of an id."""
        return f"build:{self.deck.keys[action // LOTS]}@{action % LOTS + 1}"

    def push(self, move: str | int) -> float:
        """Say a word, or its id, for a reward. Raises NotationError, IllegalMoveError, and then changes nothing."""
        action = self.action(move)
        if action is None or not self.mask[action]:
            raise IllegalMoveError(f"{named(move)} is not legal now")
        building, lot = self.deck.keys[action // LOTS], action % LOTS + 1
        reward = 1.0 if self.is_right(building, lot) else -1.0
        self._moves.append((building, lot, reward))
        return reward

    def pop(self) -> str:
        """Take the last word back and return it; raises IllegalMoveError where there is none."""
        if not self._moves:
            raise IllegalMoveError("there is no move to undo")
        building, lot, _ = self._moves.pop()
        return f"build:{building}@{lot}"

    def action(self, move: str | int) -> int | None:
        """The id of a word or an id, None where there is none; raises NotationError."""
        if is_id(move):
            return int(move) if 0 <= int(move) < self.ACTIONS else None
        head, _, rest = move.partition(":") if isinstance(move, str) else ("", "", "")
        building, _, lot = rest.partition("@")
        if head != "build" or building not in self.deck.keys or lot not in map(str, range(1, LOTS + 1)):
            expected = f"{WORD} with a building's key and a lot 1-{LOTS}"
            raise NotationError(f"cannot read the move {shown(move)}, expected {expected}")
        return self.deck.index(building) * LOTS + int(lot) - 1

    def is_right(self, building: str, lot: int) -> bool:
        """[O6] Some solution agrees with everything that stands and with this."""
        built = {**self.at, building: lot}
        return any(all(placement[at - 1] == key for key, at in built.items()) for placement in self._placements)

    def position(self) -> dict[str, Any]:
        """The position as OLDTOWN.md's solo format has it."""
        plain, wrong = self.puzzle._replace(solution=None).plain(), [list(pair) for pair in self.wrong]
        return {**plain, "town": list(self.town), "at": self.at, "wrong": wrong, "mistakes": self.mistakes}

    def __str__(self) -> str:
        """The clues and the town in plain text."""
        from oddville_env.oldtown.svg.puzzles import clue_lines
        from oddville_env.oldtown.text import draw_town

        town = draw_town({building: [lot] for building, lot in self.at.items()}, self.deck)
        left = f"{len(self.wrong)} of {self.mistakes} mistakes made"
        return "\n".join([*clue_lines(self.puzzle, self.deck), "", *town, left]) + "\n"

    def record(self) -> dict[str, Any]:
        """The game as OLDTOWN.md's solo record has it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "puzzle": self.puzzle.plain(),
            "mistakes": self.mistakes,
            "moves": self.moves,
            "score": self.score,
            "solved": self.is_solved,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], deck: Deck | None = None) -> "OldTownSolo":
        """Returns the game of a record, replayed and compared; raises RecordError."""
        if not isinstance(record, Mapping) or (record.get("format"), record.get("version")) != (FORMAT, VERSION):
            raise RecordError(f"a solo record has format {FORMAT!r} and version {VERSION}")
        try:
            game = cls(puzzle_of(record["puzzle"], deck), record["mistakes"], deck, record["moves"])
        except KeyError as error:
            raise RecordError(f"field {error} is missing") from None
        except ValueError as error:
            raise RecordError(str(error)) from None
        for name, value in (("score", game.score), ("solved", game.is_solved)):
            if record.get(name) != value:
                raise RecordError(f"{name}: the record says {shown(record.get(name))}, the game has {value}")
        return game


def _puzzle(puzzle: Puzzle | Mapping[str, Any] | int, deck: Deck) -> Puzzle:
    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, Mapping):
        return puzzle_of(puzzle, deck)
    return printed_puzzles()[whole_number("puzzle", puzzle, 1, len(printed_puzzles())) - 1]


PIECES = (
    Piece("clues", (CARDS, CARD), 1, "the puzzle's cards in the places of their numbers: type A C B, building (of a B "
          "card: the one that it is about), its lots, the own building's lots of a C card; zeros for all other cards"),
    Piece("town", (BUILDINGS,), 1, "the buildings that are to be built"),
    Piece("mine", (BUILDINGS,), 1, "the own buildings; zeros where the puzzle does not name them"),
    Piece("mine_count", (MOST_MINE,), 1, "one-hot: how many own buildings there are, 1 to 3"),
    Piece("standing", (BUILDINGS, LOTS), 1, "the lot of each building that stands"),
    Piece("wrong", (BUILDINGS, LOTS), 1, "what was wrong before"),
    Piece("mistakes", (1,), FULL, "how many more mistakes may be made"),
)  # fmt: skip
VECTOR = PieceVector(PIECES)


def observe(game: OldTownSolo) -> np.ndarray:
    """The observation of the player: uint8 [N], as VECTOR lays it out."""
    deck, puzzle = game.deck, game.puzzle
    described = make_box(deck=deck).record[0].described
    clues = np.zeros((CARDS, CARD), np.uint8)
    cards = [card - 1 for card in (*puzzle.a, *puzzle.c, *(card for card, _ in puzzle.b))]
    clues[cards] = described[cards]
    for card, building in puzzle.b:
        clues[card - 1, len(CardType) + deck.index(building)] = 1
    standing, wrong = np.zeros((2, BUILDINGS, LOTS), np.uint8)
    for building, lot in game.at.items():
        standing[deck.index(building), lot - 1] = 1
    for building, lot in game.wrong:
        wrong[deck.index(building), lot - 1] = 1
    town, mine = np.isin(deck.keys, game.town), np.isin(deck.keys, puzzle.mine or ())
    count = np.arange(1, MOST_MINE + 1) == puzzle.mine_count
    left = min(max(game.mistakes - len(game.wrong), 0), FULL)
    return np.concatenate([clues.ravel(), town, mine, count, standing.ravel(), wrong.ravel(), [left]]).astype(np.uint8)
