"""The network's inputs: named groups of numbers, `OWN` once for every seat, `SHARED` once for all of them.

`seat_features.py` and `features.py` write them in this order. Numbers are unscaled; training scales them.
"""

from oddville_agents.networks.value_files import Group, digest_of, size_of
from oddville_env.oddville.cards.words import Counts
from oddville_env.oddville.rules.state import (
    BONUSES,
    CHARACTERS,
    GUILDS,
    HELD,
    LAST_WORKER,
    MOST_COINS,
    MOST_HELD,
    RESOURCES,
    ROW,
    SEATS,
    SUITS,
    WORKER_CARDS,
    Phase,
)

PROJECTS = HELD + ROW  # held buildings and the row's
BEST = 2  # projects that are described, of the held ones and of the row's
PROJECT = 8 + RESOURCES  # numbers that describe one
THROUGH = LAST_WORKER + 1  # workers in the city, at most

OWN = (
    Group("formula", 12, "log odds, score, expected gain, and its terms: projects, the first, the second, worker "
          "cards, coins, spare workers, powers of characters, characters called back, what is pending"),
    Group("clock", 3 + SEATS, "own turns until the end, turns to the sixth worker, the part to come, turns to wait"),
    Group("held", BEST * PROJECT, "the best held projects: there, discounted value, value, turns, next character, "
          "price, workers, per, missing resources"),
    Group("row", BEST * PROJECT, "the row's best projects, alike"),
    Group("hand", WORKER_CARDS + 2, "worker cards, how many, coins to recover"),
    Group("stock", 2 * RESOURCES + 2, "workers on each resource, those on its upper slot, supply, whether it is empty"),
    Group("coins", MOST_COINS, "at least 1, at least 2, ..."),
    Group("settled", THROUGH, "workers in the city: at least 1, at least 2, ..."),
    Group("holding", MOST_HELD, "held buildings: at least 1, at least 2"),
    Group("characters", CHARACTERS, "which ones the seat has"),
    Group("city", len(Counts) + 2, "points for each further card that own formulas count, own cards and their value"),
    Group("marks", 5, "has the turn, is to move, was first, is the trigger, is on the square"),
    Group("phase", len(Phase) + 1, "of the seat to move: the phase, and whether it must discard"),
    Group("turn", 4, "of the seat that has the turn: recovered, flipped, swapped, built"),
    Group("pending", BONUSES, "of the seat to move: bonuses not yet resolved"),
)  # fmt: skip
SHARED = (
    Group("board", 2 * RESOURCES, "price of each resource's cheapest slot, how many of the dear ones are free"),
    Group("city", 2 + SUITS, "cards in the city, cells to build on, cards of each suit"),
    Group("deck", SUITS, "unseen cards of each suit"),
    Group("offer", SUITS + RESOURCES, "the row's suits and costs"),
    Group("piles", GUILDS + CHARACTERS, "how many characters each has, and which ones lie on top"),
    Group("time", 4, "rounds, turns of all seats until the end, the part to come, whether the end is near"),
)

OWN_SIZE, SHARED_SIZE = size_of(OWN), size_of(SHARED)
DIGEST = digest_of(OWN + SHARED)
