"""The best cell of every building for all seats, cached by city: a transposition table for `projects.best_place`.

It is the slowest part of the value function, and neighbours in a tree share most of their cities.
"""

import numpy as np

from oddville_agents.oddville.value.formula.projects import counted, with_neighbour, worth_of_lines
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oddville.cards.words import NOBODY, NOWHERE
from oddville_env.oddville.rules import building
from oddville_env.oddville.rules.state import BUILDINGS, SEATS, SIDES

CITIES = 256  # that are kept, a power of two
UNKNOWN = np.float32(-1e9)  # not computed yet
NO_PLACE = np.float32(-1e6)  # it fits nowhere

PLACES = [
    ("city", "u8", (CITIES,)),  # hash of the city whose numbers these are
    ("best", "f4", (CITIES, BUILDINGS, SEATS)),  # what the best cell adds to a card, for each seat
    ("gain", "f8", (SEATS,)),  # scratch
]


@kernel
def hash_of_city(game):
    """A hash of the city's cards, cells and owners, uint64, never 0."""
    number = np.uint64(0)
    for entry in range(1, game.city_size):
        card = np.uint64(game.city_card[entry]) | np.uint64(game.city_owner[entry] + 1) << np.uint64(8)
        number = chance.scatter(number ^ (card | np.uint64(game.city_cell[entry]) << np.uint64(16)))
    return number | np.uint64(1)  # 0 stands for no city


@kernel
def find_city(game, evaluator):
    """Return the entry of this city, which replaces another one with the same index."""
    number = hash_of_city(game)
    at = np.int64((number >> np.uint64(8)) & np.uint64(CITIES - 1))
    if evaluator.city[at] != number:
        evaluator.city[at] = number
        best = evaluator.best[at]
        for card in range(BUILDINGS):
            for seat in range(SEATS):
                best[card, seat] = UNKNOWN
    return at


@kernel
def look_for_places(box, game, card, evaluator, at):
    """Fill in what the best cell for a card adds for each seat, if it is not known."""
    best = evaluator.best[at, card]
    if best[0] != UNKNOWN:
        return
    for seat in range(SEATS):
        best[seat] = NO_PLACE
    for place in range(game.frontier_size):
        cell = game.frontier[place]
        if building.fits(box, game, card, cell):
            worth = worth_of_cell(box, game, card, cell, evaluator)
            for seat in range(box.players):
                best[seat] = max(best[seat], np.float32(worth + 2 * evaluator.gain[seat]))


@kernel
def worth_of_cell(box, game, card, cell, evaluator):
    """Points that a cell adds for a seat that owns nothing beside it; `gain` says what each seat's own cards gain."""
    worth = worth_of_lines(box, game, card, cell)
    for seat in range(SEATS):
        evaluator.gain[seat] = 0.0
    for side in range(SIDES):
        beside = box.neighbour[cell, side]
        if beside != NOWHERE and game.ground[beside] != NOWHERE:
            entry = game.ground[beside]
            neighbour = game.city_card[entry]
            worth = with_neighbour(box, card, side, neighbour, worth, evaluator.weights)
            if game.city_owner[entry] != NOBODY:
                gain = box.per[neighbour] * counted(box, box.counts[neighbour], card)
                worth -= gain
                evaluator.gain[game.city_owner[entry]] += gain
    return worth
