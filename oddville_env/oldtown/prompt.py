"""What prompts for language models say of Old Town: the rules in short, and a line for each kind of move."""

from functools import partial
from pathlib import Path

import numpy as np

from oddville_env.core.game.game_type import PromptTexts, Question
from oddville_env.core.game.view import View
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards.words import CardType
from oddville_env.oldtown.moves import NOTATION
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.clues import Verdict
from oddville_env.oldtown.scene.table import verdicts

DIGEST = (Path(__file__).parent / "rules" / "digest.txt").read_text(encoding="utf-8")

SOLO = "puzzles for one: a game of several players has none"
LEFT_OUT = {f"O{number}": SOLO for number in range(1, 10)}

MEANINGS = {
    Kind.TAKE: "take {0} as an own building",
    Kind.PLAY_A: "play card {0}",
    Kind.PLAY_B: "play card {0} for your building {1}",
    Kind.PLAY_C: "play card {0} with your building {1}",
    Kind.SHOW: "show card {0} as one of a pair",
    Kind.REMOVE: "remove the token of {0} on lot {1}",
    Kind.DRAW: "draw from the {0} stack",
    Kind.PASS: "pass: nothing can be used or drawn",
}

VERDICTS = "One of these words: {} (five: too wide; three: blocked for now; change: it can be played)."


def card_now(view: View, rng: np.random.Generator) -> Question | None:
    """A question about what a card of the hand is now; None where no card can be used."""
    hand = view.position()["seats"][view.seat]["hand"]
    found = [(card, each) for card in hand for each in verdicts(view.box, view.state, view.seat, card)]
    if not found:
        return None
    card, asked = found[int(rng.integers(len(found)))]
    own = f" with your building {asked['building']}" if asked["building"] else ""
    words = tuple(verdict.word for verdict in Verdict if verdict != Verdict.SILENT)
    return Question(f"What is card {card}{own} now? {VERDICTS.format(', '.join(words))}", asked["verdict"], words)


def notes(view: View) -> str:
    """The pairs of lots of the C cards in the hand."""
    deck, hand = view.box.deck, view.position()["seats"][view.seat]["hand"]
    cards = [card for card in hand if deck.cards[card - 1].type == CardType.C]
    return "".join(f"Card {card}: {describe.pairs_of(deck, card)}\n" for card in cards)


TEXTS = PromptTexts(DIGEST, LEFT_OUT, partial(NOTATION.meaning, MEANINGS), card_now, describe.winners, notes)
