"""The rulebook's words as small integers: what a card table may say, and how compiled code says it.

Every enumeration is used as an index; its member names, in lower case, are the words of the csv tables, of the move
notation and of the JSON formats.
"""

from oddville_env.core.parts.values import Word

NOBODY = NOTHING = NOWHERE = -1


class Resource(Word):
    """The resources that buildings cost."""

    WOOD, CLAY, STONE, CRYSTAL = range(4)


class Suit(Word):
    """The four guilds and the diamond."""

    MASK, ROOSTER, BELLS, LILY, DIAMOND = range(5)


class Counts(Word):
    """[V1] The things that a building's value counts; suits keep their numbers, `NOTHING` stands for an empty field."""

    MASK, ROOSTER, BELLS, LILY, DIAMOND, ADJACENT, SHIELDS, ROW, COLUMN = range(9)


class Bonus(Word):
    """[N1-N5] The resources keep their numbers."""

    WOOD, CLAY, STONE, CRYSTAL, ANY, DOUBLE, TRANSFORM, COIN = range(8)


class Side(Word):
    """[B3] A card's sides, clockwise; in tables one letter each."""

    N, E, S, W = range(4)


class Character(Word):
    """[C1-C12] In the order of their rules."""

    (
        HUMAN_RESOURCES_MANAGER, LANDOWNER, SEIGNIOR, CHEATER, MISTRESS, BOOKKEEPER, GHOST, TAX_COLLECTOR,
        BENEFACTOR, LAMPLIGHTER, BUILDER, TRAVELLER,
    ) = range(12)  # fmt: skip


PLAYERS = range(2, 5)  # S
SEATS = PLAYERS[-1]
WORKER_CARDS = 4  # S1
WORKERS = 9  # S1
MOST_SLOTS = 4  # S3: what a resource's record has room for, the upper slot included
IN_GUILD = 3  # S4
BUILDINGS = 64  # S5
ROW = 6  # S5
MOST_COINS = 5  # L1
MOST_HELD = 2  # L2
