"""What prompts for language models say of OddVille: the rules in short, and a line for each kind of move."""

from functools import partial
from pathlib import Path

import numpy as np

from oddville_env.core.game.game_type import PromptTexts, Question
from oddville_env.core.game.view import View
from oddville_env.oddville import describe
from oddville_env.oddville.moves import NOTATION
from oddville_env.oddville.position import score_sheet
from oddville_env.oddville.rules.actions import Kind

DIGEST = (Path(__file__).parent / "rules" / "digest.txt").read_text(encoding="utf-8")

LEFT_OUT = {
    "W5": "a condition on card sets, not on play: some use of a card is always legal",
    "P5": "a bound that play never reaches: the deck does not run out",
}

MEANINGS = {
    Kind.SETUP: "first worker, free, on the upper slot of {0}",
    Kind.RECOVER: "take back played worker cards, then play one",
    Kind.COINS: "worker card {0}: gain its coins",
    Kind.TAKE: "worker card {0}: a worker to {1}",
    Kind.BUY: "worker card {0}: buy row position {1}",
    Kind.BUILD: "held building {0} to column,line {1}",
    Kind.EXTRA: "second worker, to {0}",
    Kind.BONUS: "bonus: a worker to {0}",
    Kind.ANY: "bonus any: a worker to {0}",
    Kind.DOUBLE: "bonus double: a worker to {0}",
    Kind.MOVE: "bonus transform: worker from {0} slot {1} to {2}",
    Kind.FLIP: "Cheater: last coin becomes a held building",
    Kind.SWAP: "Bookkeeper: held building {0} for row position {1}",
    Kind.SQUARE: "Traveller: a worker to the square's field {0}",
    Kind.DROP: "discard held building {0}",
    Kind.RETURN: "own worker from {0} slot {1} back to supply",
    Kind.DONE: "end this phase, give up what is optional",
}

PICTURE = """In the city ═ and ║ are streets, all other borders houses. Sq is the Main Square: points, +bonus, the seat
on each field. In a value r counts the line. Piles of characters: size, the top one with its points and its power.
The table has the columns -{0} to {0} and the lines 0 to {1}.
"""


def worth(view: View, rng: np.random.Generator) -> Question | None:
    """A question about the points of a building in the city; None where the city has none."""
    built = [building for seat in score_sheet(view.box, view.state) for building in seat.buildings]
    if not built:
        return None
    asked = built[int(rng.integers(len(built)))]
    where = f"at column {asked.column}, line {asked.line}"
    return Question(f"How many points is building {asked.card} {where} worth now?", str(asked.points))


def notes(view: View) -> str:
    """The signs of the picture, and the size of the table."""
    columns, lines = view.position()["table"]
    return PICTURE.format(columns // 2, lines - 1)


TEXTS = PromptTexts(DIGEST, LEFT_OUT, partial(NOTATION.meaning, MEANINGS), worth, describe.winners, notes)
