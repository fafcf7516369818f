"""The encoding `summary`: some hundred numbers of float32 about -1..1, for plain networks that learn on few games.

It tells what the rules compute of the board and of the observer's cards, and gives no advice.
"""

import numpy as np

from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, lead_piece, lead_writer, put, scaled_writers
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, CARDS_OF, LOTS, NOTHING, TYPE_OF, CardType
from oddville_env.oldtown.observation.features import TABLE, TURN, TYPES, put_seats, put_turn
from oddville_env.oldtown.rules import clues, play, turn, worlds
from oddville_env.oldtown.rules.state import MOST_MINE, SEATS, TOKENS

put_leads = lead_writer(SEATS, turn.score)
UNITS: dict[str, int | tuple[int, ...]] = {"clock": (30, 30, 2, 4), "seats": (40, 6, 6)}
SUMMARY = (
    *(piece._replace(unit=UNITS.get(piece.name, 1)) for piece in (*TURN, *TABLE)),
    lead_piece(SEATS),
    Piece("supply", (BUILDINGS,), 1, "buildings in supply"),
    Piece("tokens", (BUILDINGS,), TOKENS, "tokens of each building, 0 where it stands or is unknown", 0, TOKENS),
    Piece("standing", (BUILDINGS,), 1, "buildings that stand"),
    Piece("on_lot", (LOTS,), TOKENS, "tokens on each lot", 0, 3),
    Piece("taken", (LOTS,), 1, "lots on which a building stands"),
    Piece("unseen", (TYPES,), CARDS, "cards neither in the observer's hand nor out of a hand, by type A C B", 0, 20),
    Piece("hand", (CARDS,), 1, "the observer's cards by their numbers"),
    Piece("counts", (CARDS,), 1, "those of them that confirm or contradict now, so that they count for a pair"),
    Piece("points", (CARDS, MOST_MINE), FULL, "points for playing each of them now with the observer's first and "
          "second own building; one that asks for none stands first", 0, TOKENS),
    Piece("plays", (CARDS, MOST_MINE), 1, "whether it could be played so, if the observer were to move"),
)  # fmt: skip

SPREAD = np.array(
    [sum((lots >> lot & 1) << worlds.BYTE * lot for lot in range(worlds.BYTE)) for lots in range(worlds.LOW_BYTE + 1)],
    np.uint64,
)
"""For each set of eight lots a number with a byte for each lot: sums of them count by lot."""

CARDS_OF_TYPE = np.array([sum(1 << card for card in range(CARDS) if TYPE_OF[card] == kind) for kind in CardType])
"""The set of all cards of each type."""
NUMBER_OF = np.array([CARDS_OF[kind] for kind in CardType])
NOT_JUDGED = NOTHING - 1
BY_CHOICE = ("i1", (CARDS, MOST_MINE))
JUDGED = np.dtype(
    (
        np.record,
        [("known", "i8"), ("sets", "u2", BUILDINGS), *((name, *BY_CHOICE) for name in ("own", "verdict", "points"))],
    )
)
"""What cards do on a board, which many moves leave as it is: `sets` is the board, `own` the own building with which a
card was judged."""


@kernel
def put_summary(box, game, me, kept, out):
    """All pieces, from the first one on."""
    at = put_turn(box, game, out, 0)
    at = put_seats(box, game, me, out, at)
    at = put_leads(box, game, me, out, at)
    at = put_tokens(game, out, at)
    at = put_unseen(box, game, me, out, at)
    put_hand(box, game, me, kept, out, at)


write_summary, update_summary = scaled_writers(SUMMARY, put_summary, JUDGED)


@kernel
def put_tokens(game, out, at):
    """Pieces supply to taken."""
    tokens, standing, on_lot = at + BUILDINGS, at + 2 * BUILDINGS, at + 3 * BUILDINGS
    low, high, taken = np.uint64(0), np.uint64(0), 0
    for building in range(BUILDINGS):
        lots = np.int64(game.sets[building])
        stands = worlds.is_single(lots)
        out[at + building] = game.supply[building]
        out[tokens + building] = 0 if stands else worlds.count(lots)
        out[standing + building] = stands
        several = 0 if stands else lots
        low += SPREAD[several & worlds.LOW_BYTE]
        high += SPREAD[several >> worlds.BYTE]
        taken |= lots if stands else 0
    for lot in range(worlds.BYTE):
        out[on_lot + lot] = low >> np.uint64(worlds.BYTE * lot) & np.uint64(worlds.LOW_BYTE)
        out[on_lot + worlds.BYTE + lot] = high >> np.uint64(worlds.BYTE * lot) & np.uint64(worlds.LOW_BYTE)
    for lot in range(LOTS):
        out[on_lot + LOTS + lot] = taken >> lot & 1
    return on_lot + 2 * LOTS


@kernel
def put_unseen(box, game, me, out, at):
    """Piece unseen; cards of a type have numbers that follow each other."""
    known = game.hand[me]
    for number in range(game.plays):
        known |= play.bit(game.played[number])
    for kind in range(TYPES):
        out[at + kind] = NUMBER_OF[kind] - count_cards(known & CARDS_OF_TYPE[kind])
    return at + TYPES


@kernel
def count_cards(cards):
    """The number of cards in a set."""
    number = 0
    while cards != 0:
        cards &= cards - 1
        number += 1
    return number


@kernel
def put_hand(box, game, me, kept, out, at):
    """Pieces hand to plays: what the board says of each of the observer's cards."""
    counts, points = at + CARDS, at + 2 * CARDS
    plays = points + CARDS * MOST_MINE
    judge_hand(box, game, me, kept)
    hand = game.hand[me]
    while hand != 0:
        card = play.lowest_card(hand)
        hand &= hand - 1
        out[at + card] = 1
        for choice in range(clues.choices(box, card)):
            verdict = kept.verdict[card, choice]
            if clues.counts(verdict):
                out[counts + card] = 1
            if clues.may_play(box, verdict):
                out[plays + card * MOST_MINE + choice] = 1
            put(out, points + card * MOST_MINE + choice, kept.points[card, choice])


@kernel
def judge_hand(box, game, me, kept):
    """Judge the observer's cards that have not been judged on this board with the same own buildings."""
    if kept.known == 0 or not is_board(game, kept.sets):
        kept.known = 1
        overwrite(kept.sets, game.sets)
        kept.own[:] = NOT_JUDGED
    hand, cards = game.hand[me], np.int64(0)
    while hand != 0:
        card = play.lowest_card(hand)
        hand &= hand - 1
        for choice in range(clues.choices(box, card)):
            if kept.own[card, choice] != own_of(box, game, me, card, choice):
                cards |= play.bit(card)
    if cards != 0:
        judge_cards(box, game, me, cards, kept)


@kernel
def own_of(box, game, me, card, choice):
    """The own building with which a card is judged; an A card asks for none."""
    return NOTHING if box.card_type[card] == CardType.A else game.mine[me, choice]


@kernel
def is_board(game, sets):
    """Whether the buildings have these sets."""
    different = 0
    for building in range(BUILDINGS):
        different |= sets[building] ^ game.sets[building]
    return different == 0


@kernel
def judge_cards(box, game, me, cards, kept):
    """Note the verdicts on a set of cards, and the points that they would bring."""
    board, copies = np.empty(1, worlds.WORLD), np.empty(1, worlds.WORLD)
    worlds.look(game, board[0])
    while cards != 0:
        card = play.lowest_card(cards)
        cards &= cards - 1
        for choice in range(clues.choices(box, card)):
            own = own_of(box, game, me, card, choice)
            if kept.own[card, choice] != own:
                verdict, points = clues.judge(box, game, board[0], card, own), 0
                if verdict == clues.Verdict.CHANGE:
                    copies[0] = board[0]
                    points = play.points_of(box, game, copies[0], card, own)
                kept.own[card, choice], kept.verdict[card, choice], kept.points[card, choice] = own, verdict, points
