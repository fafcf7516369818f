"""The state of a game as one numpy record: `FIELDS` gives its dtype, its printed table, its range test and its reset.

A set of lots is a mask of 16 bits, a set of cards one of 60 in a signed number of 64 bits; lots, cards and buildings
count from 0. Seats are absolute. All that is hidden is which card lies on which **place** of the deal (`deal`): the
places are the hands as dealt, the own stacks, the common stack (each top first) and those out of the game, in this
order. All seats see which seat took which place, and when.
"""

from enum import IntEnum

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.core.parts.fields import Field, make_reset, record_dtype
from oddville_env.core.parts.values import Word
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOBODY, NOTHING

SEATS = 4  # at most, S
HAND = 4  # S3
HAND_A = 2  # S3: of a hand's four cards; the others are C
OWN_STACK = 6  # S3
OWN_A = 3  # S3: of an own stack's six cards
COMMON_A, COMMON_C = 3, 2  # S3: with three players
TWO_PLAYERS, THREE_PLAYERS = 2, 3  # S3: numbers of players with a deal of their own
TOKENS = 5  # S1
MOST_ON_A_LOT = 3  # P4
MOST_MINE = 2  # B1
PAIR = 2  # Q2
STANDING_AT_END = 16  # E1
EVERY_LOT = (1 << LOTS) - 1
HOLDINGS = 34  # cards that a seat takes in a whole game: a hand, the common stack and its own one
STUCKS = 64  # positions that are remembered in which a seat could do nothing

LARGEST = np.iinfo(np.int16).max
LARGEST_SEED = np.iinfo(np.uint64).max
EVERY_CARD = (1 << CARDS) - 1


class Phase(Word):
    """[T5] The phases, each with moves of its own."""

    SETUP, TAKE, MAIN, SHOW, REMOVE, DRAW, OVER = range(7)


class End(Word):
    """[E1 E2] The ends of a game."""

    COMPLETE, EXHAUSTED = range(2)


class Stack(Word):
    """[D2] The stacks that cards are drawn from."""

    COMMON, OWN = range(2)


class Stream(IntEnum):
    """The uses of random numbers: every event has its own numbers, whatever happened before it."""

    DECK_A, DECK_B, DECK_C, STACK, FIRST = range(5)
    MOVE, TABLE = chance.MOVE, chance.TABLE
    SAMPLE = 7


SOURCES = ("a_cards", "c_cards", "b_cards", "pairs")
"""[P7] The sources of points: plays by the type of their card, and pairs."""
FROM_PAIRS = SOURCES.index("pairs")

STREAMS = len(Stream)
STACKS = len(Stack)


@kernel
def event_of(stream, index):
    """The number of the index-th event of a stream."""
    return index * STREAMS + stream


_SEAT, _CARD, _BUILDING = SEATS - 1, CARDS - 1, BUILDINGS - 1

FIELDS = (
    Field("seed", "u8", (), 0, LARGEST_SEED, "the source of all chance in the game"),
    Field("turn", "i2", (), 0, LARGEST, "counts from 1; 0 in setup"),
    Field("first", "i1", (), 0, _SEAT, "the seat that began"),
    Field("to_move", "i1", (), NOBODY, _SEAT, "the seat to move; NOBODY when the game is over", NOBODY),
    Field("phase", "i1", (), 0, len(Phase) - 1, "one of T5", Phase.SETUP),
    Field("end", "i1", (), NOTHING, len(End) - 1, "how the game ended, E1 E2", NOTHING),
    Field("legal_count", "i2", (), 0, LARGEST, "how many moves are legal"),
    Field("draws", "i2", (), 0, PAIR, "cards still to draw, D1"),
    Field("passes", "i2", (), 0, SEATS, "passes in a row, E2"),
    Field("shown", "i1", (), NOTHING, _CARD, "the first card of a pair, Q2", NOTHING),
    Field("counting", "i8", (), 0, EVERY_CARD, "cards of the seat to move that confirm or contradict, Q1"),
    Field("sets", "u2", (BUILDINGS,), 0, EVERY_LOT, "the set of each building, W1; none while it is unknown"),
    Field("supply", "u1", (BUILDINGS,), 0, 1, "the tile lies beside the board", 1),
    Field("mine", "i1", (SEATS, MOST_MINE), NOTHING, _BUILDING, "own buildings in the order of taking, B1", NOTHING),
    Field("score", "i2", (SEATS,), 0, LARGEST, "points, P7"),
    Field("earned", "i2", (SEATS, len(SOURCES)), 0, LARGEST, "points by what brought them, SOURCES"),
    Field("hand", "i8", (SEATS,), 0, EVERY_CARD, "the cards in each hand, K1"),
    Field("hand_size", "i2", (SEATS,), 0, HOLDINGS, "how many"),
    Field("common", "i2", (), 0, CARDS, "cards of the common stack that are left"),
    Field("own", "i2", (SEATS,), 0, OWN_STACK, "cards of each own stack that are left"),
    Field("deal", "i1", (CARDS,), NOTHING, _CARD, "the card that was dealt to each place, K2", NOTHING),
    Field("holder", "i1", (CARDS,), NOBODY, _SEAT, "the seat that took the card of a place", NOBODY),
    Field("order", "i1", (CARDS,), NOTHING, HOLDINGS, "how many cards it had taken before", NOTHING),
    Field("taken", "i2", (SEATS,), 0, HOLDINGS, "cards that a seat has taken so far"),
    Field("played", "i1", (CARDS,), NOTHING, _CARD, "cards out of hands in the order of play, P8", NOTHING),
    Field("played_by", "i1", (CARDS,), NOBODY, _SEAT, "whose hand they came from", NOBODY),
    Field("played_after", "i1", (CARDS,), NOTHING, HOLDINGS, "how many cards that seat had taken by then", NOTHING),
    Field("plays", "i2", (), 0, CARDS, "how many cards were played or shown"),
    Field("from_deal", "?", (), 0, 1, "the game is known from its deal on, not from a position in its middle", 1),
    Field("stucks", "i2", (), 0, STUCKS, "how often a seat could neither play nor show, K3; the last ones follow"),
    Field("stuck_seat", "i1", (STUCKS,), NOBODY, _SEAT, "who", NOBODY),
    Field("stuck_taken", "i1", (STUCKS,), NOTHING, HOLDINGS, "how many cards it had taken by then", NOTHING),
    Field("stuck_plays", "i1", (STUCKS,), NOTHING, CARDS, "how many cards all had played by then", NOTHING),
    Field("stuck_mine", "i1", (STUCKS, MOST_MINE), NOTHING, _BUILDING, "its own buildings then", NOTHING),
    Field("stuck_sets", "u2", (STUCKS, BUILDINGS), 0, EVERY_LOT, "the board then"),
)

DEALT = ("seed", "first", "deal")
"""The fields that a shuffled game holds before its table is laid."""
reset = make_reset(field for field in FIELDS if field.name not in DEALT)

STATE = record_dtype(FIELDS)
"""The record of a game."""
