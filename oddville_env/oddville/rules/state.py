"""The state of a game as one numpy record: `FIELDS` gives its dtype, its printed table, its range test and its reset.

Seats are absolute. A list of cards is an array with its size beside it; what lies beyond the size is NOTHING. Entries
of the city count from 0, the square, in the order of building. A cell is a number, line by line from the top left one.
"""

from enum import IntEnum
from functools import cache

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.core.parts.fields import Field, make_reset, record_dtype
from oddville_env.core.parts.values import Word
from oddville_env.oddville.cards.words import BUILDINGS as BUILDINGS
from oddville_env.oddville.cards.words import IN_GUILD as IN_GUILD
from oddville_env.oddville.cards.words import MOST_COINS as MOST_COINS
from oddville_env.oddville.cards.words import MOST_HELD as MOST_HELD
from oddville_env.oddville.cards.words import NOBODY, NOTHING, NOWHERE, Bonus, Character, Resource, Side, Suit
from oddville_env.oddville.cards.words import ROW as ROW
from oddville_env.oddville.cards.words import SEATS as SEATS
from oddville_env.oddville.cards.words import WORKER_CARDS as WORKER_CARDS
from oddville_env.oddville.cards.words import WORKERS as WORKERS

# Sizes that the rules name (not the cards): they are numbers of RULES.md.
RESOURCES = len(Resource)
SIDES = len(Side)
GUILDS = len(Suit) - 1
SUITS = len(Suit)
CHARACTERS = len(Character)
BONUSES = len(Bonus) - 1  # a coin never waits, N1
HELD = MOST_HELD + 1  # places for held buildings: one of three must be discarded
LAST_WORKER = 6  # E1
SQUARE = BUILDINGS  # the square's card, after the buildings
CITY = 23  # the square and at most 22 buildings, P5
FRONTIER = 3 + 2 * (CITY - 1)  # each card takes one free place and adds at most three
DEFAULT_TABLE = (17, 9)  # B8
DEFAULT_CELLS = DEFAULT_TABLE[0] * DEFAULT_TABLE[1]
BUILT = 255  # `facing` of a cell with a card: streets and houses on every side, so nothing fits

LARGEST = np.iinfo(np.int16).max
LARGEST_SEED = np.iinfo(np.uint64).max
_SEAT, _CARD, _CHARACTER = SEATS - 1, BUILDINGS - 1, CHARACTERS - 1


class Phase(Word):
    """[T6] The phases, each with moves of its own."""

    SETUP, MAIN, EXTRA, BONUS, DISCARD, END, BUILDER, OVER = range(8)


class Stream(IntEnum):
    """The uses of random numbers: every event has its own numbers, whatever happened before it."""

    DECK, FIRST, PILE, RESHUFFLE, SAMPLE = range(5)
    MOVE, TABLE = chance.MOVE, chance.TABLE


STREAMS = len(Stream)


@kernel
def event_of(stream, index):
    """The number of the index-th event of a stream."""
    return index * STREAMS + stream


TURN = (
    Field("seed", "u8", (), 0, LARGEST_SEED, "the source of all chance in the game"),
    Field("rounds", "i2", (), 0, LARGEST, "counts from 1; 0 in setup"),
    Field("first", "i1", (), 0, _SEAT, "the seat that began"),
    Field("active", "i1", (), 0, _SEAT, "the seat whose turn it is"),
    Field("to_move", "i1", (), NOBODY, _SEAT, "the seat to move; NOBODY when the game is over", NOBODY),
    Field("phase", "i1", (), 0, len(Phase) - 1, "one of T6"),
    Field("resume", "i1", (), NOTHING, len(Phase) - 1, "the phase that a discard interrupts", NOTHING),
    Field("trigger", "i1", (), NOBODY, _SEAT, "the first seat with six workers in the city, E1", NOBODY),
    Field("truncated", "?", (), 0, 1, "cut off at the limit of rounds, E4"),
    Field("recovered", "?", (), 0, 1, "this turn has seen `recover`, T2"),
    Field("flipped", "?", (), 0, 1, "this turn has seen `flip`, C4"),
    Field("swapped", "?", (), 0, 1, "this turn has seen `swap`, C6"),
    Field("built", "?", (), 0, 1, "the active seat has built in this turn, C11"),
    Field("legal_count", "i2", (), 0, LARGEST, "how many moves are legal"),
    Field("worker", "i1", (), NOTHING, WORKER_CARDS - 1, "the card that an extra resource comes from, C3", NOTHING),
    Field("pending", "i2", (BONUSES,), 0, SIDES + 1, "unresolved bonuses by kind, N6"),
)


def fields(cells: int, slots: int) -> tuple[Field, ...]:
    """FIELDS for a table of at most `cells` cells and a board of at most `slots` slots for each resource."""
    return (
        *TURN,
        Field("deck", "i1", (BUILDINGS,), NOTHING, _CARD, "a ring of cards", NOTHING),
        Field("deck_top", "i2", (), 0, _CARD, "where the ring's top card lies"),
        Field("deck_size", "i2", (), 0, BUILDINGS, "cards in the deck"),
        Field("row", "i1", (ROW,), NOTHING, _CARD, "position 1 first", NOTHING),
        Field("coin", "i1", (SEATS, MOST_COINS), NOTHING, _CARD, "coin cards, the last gained last", NOTHING),
        Field("coins", "i2", (SEATS,), 0, MOST_COINS, "how many"),
        Field("held", "i1", (SEATS, HELD), NOTHING, _CARD, "building projects, oldest first", NOTHING),
        Field("holding", "i2", (SEATS,), 0, HELD, "how many"),
        Field("hand", "u1", (SEATS, WORKER_CARDS), 0, 1, "worker cards not yet played", 1),
        Field("supply", "i2", (SEATS,), 0, WORKERS, "workers not on the table", WORKERS),
        Field(
            "lodger", "i1", (RESOURCES, slots), NOBODY, _SEAT, "whose worker stands on a slot that holds one", NOBODY
        ),
        Field("upper", "i2", (RESOURCES, SEATS), 0, WORKERS, "workers on the upper slot"),
        Field("stock", "i2", (SEATS, RESOURCES), 0, WORKERS, "a seat's workers on a resource, all slots"),
        Field("on_square", "i1", (RESOURCES,), NOBODY, _SEAT, "whose worker stands on a field of the square", NOBODY),
        Field("settled", "i2", (SEATS,), 0, LAST_WORKER + 1, "a seat's workers in the city"),
        Field("owner", "i1", (CHARACTERS,), NOBODY, _SEAT, "the seat that has a character", NOBODY),
        Field("pile", "i1", (GUILDS, IN_GUILD), NOTHING, _CHARACTER, "characters, the top one last", NOTHING),
        Field("pile_size", "i2", (GUILDS,), 0, IN_GUILD, "how many"),
        Field("reshuffles", "i2", (GUILDS,), 0, LARGEST, "how often a guild has been reshuffled, G2"),
        Field("next_pile", "i1", (IN_GUILD,), NOTHING, _CHARACTER, "the next reshuffle, top first, if given", NOTHING),
        Field("city_size", "i2", (), 1, CITY, "cards in the city, the square too"),
        Field("city_card", "i1", (CITY,), NOTHING, SQUARE, "in the order of building; the square is entry 0", NOTHING),
        Field("city_cell", "i2", (CITY,), NOWHERE, LARGEST, "where an entry lies", NOWHERE),
        Field("city_owner", "i1", (CITY,), NOBODY, _SEAT, "whose worker stands on an entry", NOBODY),
        Field("value", "i2", (CITY,), 0, LARGEST, "what an entry is worth now, V1; the square's is 0"),
        Field("ground", "i1", (cells,), NOWHERE, CITY - 1, "the city's entry on a cell", NOWHERE),
        Field("facing", "u1", (cells,), 0, BUILT, "streets (bits 0-3) and houses (4-7) that neighbours turn to a cell"),
        Field("frontier", "i2", (FRONTIER,), NOWHERE, LARGEST, "empty cells beside a card of the city", NOWHERE),
        Field("frontier_size", "i2", (), 0, FRONTIER, "how many"),
        Field("card_seen", "u1", (BUILDINGS,), 0, 1, "has lain face up, K1"),
        Field("unseen", "i2", (SUITS,), 0, BUILDINGS, "cards of each suit that have not"),
        Field("character_seen", "u1", (CHARACTERS,), 0, 1, "has lain on top or before a seat, K2"),
    )


DEALT = ("seed", "deck", "pile", "first")
"""The fields that a shuffled game holds before its table is laid."""
reset = make_reset(field for field in fields(DEFAULT_CELLS, 1) if field.name not in DEALT)


@cache
def state_dtype(cells: int, slots: int) -> np.dtype:
    """The record of a game. Smaller tables share the default one's, and so its compiled code."""
    return record_dtype(fields(cells, slots))
