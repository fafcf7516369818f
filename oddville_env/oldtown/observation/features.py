"""The pieces, each group beside the compiled function that writes it.

Nothing is read here that the observer may not know: of other hands and of stacks only the sizes.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, put
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING, CardType
from oddville_env.oldtown.rules import play, worlds
from oddville_env.oldtown.rules.box import CARD
from oddville_env.oldtown.rules.state import MOST_MINE, SEATS, Phase
from oddville_env.oldtown.rules.worlds import BYTE, LOW_BYTE

MARKS = 3  # numbers of a seat in the piece marks: takes part, is to move, was first
SIZES = 3  # numbers of a seat in the piece seats: score, cards in hand, cards of the own stack
CLUES = 20  # cards of the observer's hand that are described one by one
PHASES = len(Phase)
TYPES = len(CardType)

TURN = (
    Piece("phase", (PHASES,), 1, "one-hot: setup, take, main, show, remove, draw, over"),
    Piece("players", (SEATS,), 1, "one-hot: how many play, 1 to 4"),
    Piece("lone_confirm", (1,), 1, "a confirming card may be played by itself"),
    Piece("clock", (4,), FULL, "turn, cards of the common stack, cards still to draw, passes in a row"),
)


@kernel
def put_turn(box, game, out, at):
    """TURN."""
    out[at + int(game.phase)] = 1
    at += PHASES
    out[at + box.players - 1] = 1
    at += SEATS
    at = put(out, at, box.lone_confirm)
    at = put(out, at, game.turn)
    at = put(out, at, game.common)
    at = put(out, at, game.draws)
    return put(out, at, game.passes)


TABLE = (
    Piece("marks", (SEATS, MARKS), 1, "each seat: takes part, is to move, was first"),
    Piece("seats", (SEATS, SIZES), FULL, "each seat: score, cards in hand, cards of its own stack"),
    Piece("mine", (SEATS, BUILDINGS), 1, "each seat's own buildings"),
)


@kernel
def put_seats(box, game, me, out, at):
    """TABLE, every seat in the observer's order: 0 is the observer, then clockwise."""
    sizes = at + SEATS * MARKS
    mine = sizes + SEATS * SIZES
    for place in range(box.players):
        seat = (me + place) % box.players
        out[at + place * MARKS] = 1
        out[at + place * MARKS + 1] = seat == game.to_move
        out[at + place * MARKS + 2] = seat == game.first
        following = put(out, sizes + place * SIZES, game.score[seat])
        following = put(out, following, game.hand_size[seat])
        put(out, following, game.own[seat])
        for choice in range(MOST_MINE):
            if game.mine[seat, choice] != NOTHING:
                out[mine + place * BUILDINGS + int(game.mine[seat, choice])] = 1
    return mine + SEATS * BUILDINGS


MARKED = np.arange(LOW_BYTE + 1)[:, None].astype(np.uint8) >> np.arange(BYTE, dtype=np.uint8) & 1
"""The numbers that show eight lots: a look-up is an eighth of the time of asking for each of them."""


@kernel
def put_lots(out, at, lots):
    """A set of lots, a number for each."""
    low, high, part = lots & LOW_BYTE, lots >> BYTE, out[at : at + LOTS]
    for lot in range(BYTE):
        part[lot] = MARKED[low, lot]
        part[BYTE + lot] = MARKED[high, lot]


BOARD = (
    Piece("supply", (BUILDINGS,), 1, "buildings in supply"),
    Piece("unknown", (BUILDINGS,), 1, "buildings not on the board"),
    Piece("tokens", (BUILDINGS, LOTS), 1, "the lots of each building that has tokens"),
    Piece("standing", (BUILDINGS, LOTS), 1, "the lot of each building that stands"),
)


@kernel
def put_board(game, out, at):
    """BOARD."""
    unknown, tokens = at + BUILDINGS, at + 2 * BUILDINGS
    standing = tokens + BUILDINGS * LOTS
    for building in range(BUILDINGS):
        lots = np.int64(game.sets[building])
        out[at + building] = game.supply[building]
        out[unknown + building] = lots == 0
        put_lots(out, building * LOTS + (standing if worlds.is_single(lots) else tokens), lots)
    return standing + BUILDINGS * LOTS


HAND = (
    Piece("hand", (CARDS,), 1, "the observer's cards by their numbers"),
    Piece("shown", (CARDS,), 1, "one-hot: the first card of a pair"),
    Piece("clues", (CLUES, CARD), 1, "the observer's cards, lowest first: type A C B, building, its lots (of a C card: "
          "those that have a partner), the own building's lots of a C card that have one"),
)  # fmt: skip


@kernel
def put_clue(box, card, out, at):
    """A card by what it does, as the box describes it."""
    building = at + TYPES
    lots = building + BUILDINGS
    out[at + int(box.card_type[card])] = 1
    if box.named[card] != NOTHING:
        out[building + int(box.named[card])] = 1
    put_lots(out, lots, box.clue_lots[card, 0])
    put_lots(out, lots + LOTS, box.clue_lots[card, 1])


@kernel
def put_hand(box, game, me, out, at):
    """HAND: the observer's own cards, and the first card of a pair."""
    shown, clues = at + CARDS, at + 2 * CARDS
    hand, number = game.hand[me], 0
    while hand != 0:
        card = play.lowest_card(hand)
        hand &= hand - 1
        out[at + card] = 1
        if number < CLUES:
            put_clue(box, card, out, clues + number * CARD)
            number += 1
    if game.shown != NOTHING:
        out[shown + int(game.shown)] = 1
    return clues + CLUES * CARD


PLAYED = (Piece("played", (CARDS,), 1, "cards played or shown so far"),)


PIECES = (*TURN, *TABLE, *BOARD, *HAND)
"""Those of `features` and `memoryless`."""


@kernel
def write_pieces(box, game, me, out):
    """Write what seat `me` sees of a game but for the cards that were played; returns where it ended."""
    out[:] = 0
    at = put_turn(box, game, out, 0)
    at = put_seats(box, game, me, out, at)
    at = put_board(game, out, at)
    return put_hand(box, game, me, out, at)


@kernel
def write_features(boxes, games, index, me, out):
    """Write what seat `me` sees of a game, and PLAYED as a perfect memory has them: out [N] uint8."""
    at, game = write_pieces(boxes[0], games[index], me, out), games[index]
    for number in range(game.plays):
        out[at + int(game.played[number])] = 1


@kernel
def write_memoryless(boxes, games, index, me, out):
    """Write what seat `me` sees of a game now: out [N] uint8."""
    write_pieces(boxes[0], games[index], me, out)
