"""What prompts for language models say of Old Town: the rules in short, and a line for each kind of move."""

from functools import partial

import numpy as np

from oddville_env.core.game.game_type import PromptTexts, Question
from oddville_env.core.game.view import View
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards.words import CardType
from oddville_env.oldtown.moves import NOTATION
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.clues import Verdict
from oddville_env.oldtown.scene.table import verdicts

DIGEST = """Old Town in short, with ids of the law.

AIM. Most points win; equals share the better rank [E4]. You score a point for each token that goes in your
turn [P7].

WORDS. The town has 16 lots, numbered 1-16 row by row: row 1 is north (lots 1-4), column 1 is west. There are
18 buildings with five tokens each; at most 16 can stand [S1]. A token on a lot says "this building may have
stood here". A building is on the board if it has tokens there or stands; otherwise it is unknown. Own
buildings are tiles in front of a seat.

CARDS [S2]. There are 60:
- A (1-18) names a building and four lots: the building is on one of them.
- B (37-60) names seven or eight lots and speaks of "my building": one of your own buildings, your choice
  [C1].
- C (19-36) relates a named building to "my building": pairs of lots for both. You choose one of your own
  buildings, but not the named one; without another own building the card cannot be used [C2].

SETUP. Each hand has two A and two C cards. The common stack has the B cards, with three players also three A
and two C cards. With two players each seat also has an own stack, face down: three A and three C cards. The
rest is out of the game [S3]. A random seat is first [S4]. Each seat takes two own buildings, then turns go
clockwise [S5].

TURN. Fill up own buildings, then one action, then draw [T1]. The action is a play of one card or a pair; you
must do one of them if you can [T2]. If neither is possible, you draw one card and the turn is over [T3]; with
nothing to draw, you pass [T4]. Phases without a choice are skipped [T5].

OWN BUILDINGS. You have at most two [B1]. At the start of your turn you take buildings from supply until you
have two. While the supply has no more buildings than there are players, only a seat without any takes one
[B2]. A building that stands leaves its owner, who gets nothing [B3].

WHAT TOKENS MEAN. The set of a building is the lots of its tokens, or the one lot where it stands [W1].
Relations of played cards are forgotten. A world gives each building on the board a lot of its set, no two the
same [W2]. Every token that is in no world is removed at once: nothing shares a lot with a standing building;
two buildings with the same two lots keep all others off them; and so on [W3]. A card is true in a world if it
holds for the lots there [W4]. To judge a card, take the worlds of the buildings on the board and those it
speaks of (an unknown building may be anywhere), and keep those where the card is true. Each building keeps
the lots it has in some kept world [W5].

A CARD IS, with a choice of own building, the first that applies [P1]:
- contradicting: no world is left; confirming: its buildings are on the board and no set changes [P2];
- too wide: an unknown building would keep more than five lots [P3];
- blocked for now: an unknown building with two or more lots needs a token on each, and a lot would have more
  than three tokens, those before the play included [P4];
- a change: only this can be played. Every building keeps what is left: an unknown one gets tokens there; one
  with a single lot left stands [P5].
A confirming card alone cannot be played, unless a setting allows it; then it scores nothing [P6]. Used cards
leave the game [P8].

POINTS. A new building brings the tokens that are not laid: five less its lots, or five if it stands at once.
Each token that leaves the board brings one, of whatever building, also the last one of a building that comes
to stand [P7].

PAIR. Show two cards of your hand that each confirm or contradict; B and C cards need one fitting own building
[Q1]. Both are judged before anything changes; the lower number is named first [Q2]. Then remove one token of
your choice [Q3]. What follows is removed too, and you score all of it [Q4]. Without tokens on the board
nothing is removed [Q5].

DRAWING. One card after a play, two after a pair [D1]. With two players you choose, card by card, between the
common and your own stack [D2]. Where only one stack has cards there is no choice; where none has, nothing is
drawn [D3].

END. The game ends at once when 16 buildings stand [E1], or when all seats in a row pass [E2]. Remaining
tokens and unknown buildings score for nobody [E3].

WHO KNOWS WHAT. Hands are private: of other hands you know the size only. Board, own buildings, scores, sizes
of stacks and played cards are public [K1]. The order of stacks and the cards out of the game are unknown to
all [K2]. A seat that draws instead of acting, or passes, shows that no card of its hand could be used [K3].
"""

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
