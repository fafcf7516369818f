"""What prompts for language models say of OddVille: the rules in short, and a line for each kind of move."""

from functools import partial

import numpy as np

from oddville_env.core.game.game_type import PromptTexts, Question
from oddville_env.core.game.view import View
from oddville_env.oddville import describe
from oddville_env.oddville.moves import NOTATION
from oddville_env.oddville.outcome import score_sheet
from oddville_env.oddville.rules.actions import Kind

DIGEST = """OddVille in short, with ids of the law.

AIM. Highest score wins: your buildings, your characters, 1 point for each of your workers on the board [E2].
Ties: the seat that triggered the end, else the closest one clockwise [E3].

WORDS. A seat has a supply of workers, coins, a hand of worker cards, and held buildings. The row offers six
buildings; position 1 is the oldest. The city is the built cards.

SETUP. You start with worker cards 1-4, 9 workers, no coins, no buildings [S1]. The Main Square lies at column
0, line 0; lines grow downward, columns to the right [S2]. Each resource (wood, clay, stone, crystal) has
slots with prices. A slot holds one worker, the last (upper) slot any number. Cheapest means the lowest slot
[S3, L3]. Four piles of characters show their top card [S4]; six of 64 building cards form the row [S5]. From
the last seat back to the first, each places a worker free on the upper slot of a resource not yet chosen.
Then turns go clockwise [S6].

TURN. One main action: play a worker card or build; no passing [T1]. With 1-3 cards in hand you may first
`recover`: take back the played cards for 1 coin per card still in hand; then you must play a card [T2].
Playing the last card returns all four free [T3]. flip, swap and square need their character and your own
turn: phases main, extra, bonus, end [T4]. With an empty supply you may `return` one of your workers from the
board in main, extra and bonus [T5]. Optional phases end with `done`, or by themselves if nothing else is
possible [T6].

WORKER CARD. It has one use [W1]:
- coins: gain the coins it shows [W2];
- a resource it shows: a worker from supply to the cheapest free slot, at its price [W3];
- a building of the row at the card's price for that position; the row is refilled [W4].
Coins are face-down cards of the deck [P1]; 5 at most [P2, L1]. Payments go on top of the deck [P3]. No price
is negative; paying 0 is no payment [P4]. With a third held building, discard one at once [L2].

BUILD. Choose a held building and a cell. For each resource of its cost one of your workers goes from your
cheapest slot there to supply. Then a worker from supply goes on the building, which is yours [B1]. The cell
must be empty, inside the table, in line 0 or below, beside a card of the city; you need a worker in supply
after paying [B2, B8]. Cards are not turned: where cards touch, street meets street and house meets house
[B3]. Built cards never move [B4]. What cannot be paid or placed stays held [B7]. Then you receive, in any
order, the bonuses of the new card and of all neighbours that a street joins to it [B5]. If its suit is a
guild (any but diamond), you gain a character [B6].

BONUSES are free and optional: `done` gives up the rest [N6]. coin: 1 coin, automatic [N1]. A resource: a
worker from supply to its cheapest free slot [N2]. any: the same, resource of choice [N3]. double: the same
where you have a worker [N4]. transform: move a worker to the cheapest free slot of another resource [N5].

CHARACTERS. You take the top character of the guild's pile [G1]. If it is empty, all seats return their
characters of that guild; they are shuffled first [G2]. Only the new card counts; the character does not
affect this build [G3]. You keep it until G2 takes it [G4].
- Human Resources Manager: any worker card may take any resource [C1].
- Landowner: resources taken with a worker card cost 1 less [C2].
- Seignior: after taking a resource with a worker card, pay for a second one [C3].
- Cheater: once a turn `flip` your last coin into a held building [C4].
- Mistress: recovering costs 1 less [C5].
- Bookkeeper: once a turn `swap` a held building with one of the row [C6].
- Ghost: every worker card shows at least 3 coins [C7].
- Tax Collector: 1 coin whenever another seat pays coins [C8].
- Benefactor: 1 coin at the start of each of your turns [C9].
- Lamplighter: when building, bonuses of all neighbours, joined or not [C10].
- Builder: after another seat's turn with a build you may build too, for 2 coins and the cost [C11].
- Traveller: once a game put a worker on a free field of the `square`, paying that resource. Then its own
  points do not count [C12].

VALUES. A building is worth base + per x count: adjacent cards (the square too) or their shields, cards in its
line or column (itself and the square too), cards of a suit in the city (itself too) [V1]. The square gives
its points to each seat with a worker on it [V2].

END. When a seat has 6 workers on buildings and square, the turn is finished and the game ends [E1]. A limit
of rounds cuts it off [E4]. Coins and held buildings are worth nothing.

KNOWLEDGE. All seats see the same. Cards that lay face up stay known [K1]; piles below the top and removed
characters are unknown [K2]; what a draw reveals is chance [K3].
"""

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


def worth(view: View, rng: np.random.Generator) -> Question | None:
    """A question about the points of a building in the city; None where the city has none."""
    built = [building for seat in score_sheet(view.box, view.state) for building in seat.buildings]
    if not built:
        return None
    asked = built[int(rng.integers(len(built)))]
    where = f"at column {asked.column}, line {asked.line}"
    return Question(f"How many points is building {asked.card} {where} worth now?", str(asked.points))


TEXTS = PromptTexts(DIGEST, LEFT_OUT, partial(NOTATION.meaning, MEANINGS), worth, describe.winners)
