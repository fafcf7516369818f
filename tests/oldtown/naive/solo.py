"""The solo game (O5-O7): build the town of a puzzle word by word."""

from typing import Any

from .deck import ALL_LOTS, MOST_STANDING, Deck
from .puzzle import Puzzle
from .worlds import World


class NaiveSolo:
    """One solo game. To be read: `at`, `wrong`, `score`, `over`, `solved`, `moves`."""

    def __init__(self, deck: Deck, puzzle: dict[str, Any], mistakes: int = 3) -> None:
        """[O5, O7] `mistakes` are allowed; the next one ends the game."""
        self.puzzle = puzzle
        self.mistakes = mistakes
        asked = Puzzle(deck, puzzle)
        self.town = asked.town
        self.answers: list[World] = asked.placements()
        self.at: World = {}
        self.wrong: list[tuple[str, int]] = []
        self.moves: list[str] = []
        self.score = 0

    @property
    def solved(self) -> bool:
        """[O7] All stand."""
        return len(self.at) == MOST_STANDING

    @property
    def over(self) -> bool:
        """[O7] Solved, or one mistake more than allowed."""
        return self.solved or len(self.wrong) > self.mistakes

    def legal(self) -> list[str]:
        """[O5] Every building that does not stand on every empty lot, but for the words that were wrong."""
        if self.over:
            return []
        return sorted(
            f"build:{building}@{lot}"
            for building in self.town
            for lot in ALL_LOTS
            if building not in self.at and lot not in self.at.values() and (building, lot) not in self.wrong
        )

    def play(self, word: str) -> int:
        """[O6] Say a word; return its reward."""
        if word not in self.legal():
            raise ValueError(f"{word!r} is not legal")
        self.moves.append(word)
        building, _, lot = word.removeprefix("build:").partition("@")
        with_it = self.at | {building: int(lot)}
        if any(with_it.items() <= answer.items() for answer in self.answers):
            self.at = with_it
            reward = 1
        else:
            self.wrong.append((building, int(lot)))
            reward = -1
        self.score += reward
        return reward

    def position(self) -> dict[str, Any]:
        """The puzzle without its solution, and what has been built and said."""
        return {
            **{key: value for key, value in self.puzzle.items() if key not in ("solution", "mine_solutions")},
            "town": list(self.town),
            "at": dict(self.at),
            "wrong": [[building, lot] for building, lot in self.wrong],
            "mistakes": self.mistakes,
        }

    def record(self) -> dict[str, Any]:
        """The puzzle and the words so far."""
        return {
            "format": "oldtown-solo-record",
            "version": 1,
            "puzzle": self.puzzle,
            "mistakes": self.mistakes,
            "moves": list(self.moves),
            "score": self.score,
            "solved": self.solved,
        }
