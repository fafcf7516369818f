"""The formula of `values.py` for all seats and projects at once, with the best cell of every building cached by city.

The best cells are the slowest part of the value function, and neighbours in a tree share most of their cities. Numbers
go into `evaluator`, a record of `evaluator.evaluator_record`.
"""

import math

import numpy as np

from oddville_agents.oddville.value.formula import projects, values
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oddville.cards.words import NOBODY, NOTHING, NOWHERE
from oddville_env.oddville.rules import building, state, workers

CITIES = 256  # that are kept, a power of two
UNKNOWN = np.float32(-1e9)  # not computed yet
NO_PLACE = np.float32(-1e6)  # it fits nowhere

PLACES = [
    ("city", "u8", (CITIES,)),  # hash of the city whose numbers these are
    ("best", "f4", (CITIES, state.BUILDINGS, state.SEATS)),  # what the best cell adds to a card, for each seat
    ("gain", "f8", (state.SEATS,)),  # scratch
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
        for card in range(state.BUILDINGS):
            for seat in range(state.SEATS):
                best[card, seat] = UNKNOWN
    return at


@kernel
def look_for_places(box, game, card, evaluator, at):
    """Fill in what the best cell for a card adds for each seat, if it is not known."""
    best = evaluator.best[at, card]
    if best[0] != UNKNOWN:
        return
    for seat in range(state.SEATS):
        best[seat] = NO_PLACE
    for index in range(game.frontier_size):
        cell = game.frontier[index]
        if building.fits(box, game, card, cell):
            worth = worth_of_cell(box, game, card, cell, evaluator)
            for seat in range(box.players):
                best[seat] = max(best[seat], np.float32(worth + 2 * evaluator.gain[seat]))


@kernel
def worth_of_cell(box, game, card, cell, evaluator):
    """Points that a cell adds for a seat that owns nothing beside it; `gain` says what each seat's own cards gain."""
    worth = projects.worth_of_lines(box, game, card, cell)
    for seat in range(state.SEATS):
        evaluator.gain[seat] = 0.0
    for side in range(state.SIDES):
        beside = box.neighbour[cell, side]
        if beside != NOWHERE and game.ground[beside] != NOWHERE:
            entry = game.ground[beside]
            neighbour = game.city_card[entry]
            worth = projects.with_neighbour(box, card, side, neighbour, worth, evaluator.weights)
            if game.city_owner[entry] != NOBODY:
                gain = box.per[neighbour] * projects.counted(box, box.counts[neighbour], card)
                worth -= gain
                evaluator.gain[game.city_owner[entry]] += gain
    return worth


@kernel
def count_city(box, game, evaluator):
    """Count the city: cards by suit; by owner buildings, their value, and points for each further card counted."""
    evaluator.suits[:] = 0.0
    evaluator.formula[:] = 0.0
    evaluator.built[:] = 0.0
    for entry in range(1, game.city_size):
        card, owner = game.city_card[entry], game.city_owner[entry]
        evaluator.suits[box.suit[card]] += 1.0
        if owner != NOBODY:
            evaluator.built[owner, 0] += 1.0
            evaluator.built[owner, 1] += game.value[entry]
            if box.counts[card] != NOTHING:
                evaluator.formula[owner, box.counts[card]] += box.per[card]


@kernel
def count_prices(box, game, seat, evaluator):
    """Coins of each resource for a seat."""
    for resource in range(state.RESOURCES):
        evaluator.take[seat, resource] = workers.take_price(box, game, seat, resource)


@kernel
def count_characters(box, game, evaluator):
    """Points of each guild's next character for each seat: the same for all, but of a new pile."""
    for guild in range(state.GUILDS):
        worth = 0.0
        for seat in range(box.players):
            if seat == 0 or game.pile_size[guild] == 0:
                worth = projects.worth_of_next_character(box, game, seat, guild, evaluator.weights)
            evaluator.next_character[seat, guild] = worth


@kernel
def count_turns(box, game, seat, project, evaluator):
    """Turns until a project that is built first is done, and what is missing for it: as `projects.turns_of` counts."""
    weights, card = evaluator.weights, projects.card_of(game, seat, project)
    turns, price = 1.0, 0.0
    if project >= state.HELD:
        turns, price = 2.0, float(workers.lowest_row_price(box, game, seat, project - state.HELD))
    for resource in range(state.RESOURCES):
        missing = float(max(box.cost[card, resource] - game.stock[seat, resource], 0))
        evaluator.missing[seat, project, resource] = missing
        turns += weights.wait[resource] * missing
        price += missing * evaluator.take[seat, resource]
    short = max(price - game.coins[seat], 0.0)
    evaluator.price[seat, project] = short
    evaluator.turns[seat, project] = turns + weights.short * short


@kernel
def turns_to_last(box, game, seat, evaluator):
    """[E1] Turns that a seat needs until its sixth worker is in the city, by the turns that were counted."""
    nearest = evaluator.weights.pace
    for index in range(game.holding[seat]):
        nearest = min(nearest, evaluator.turns[seat, index])
    return nearest + evaluator.weights.pace * (state.LAST_WORKER - 1 - game.settled[seat])


end_of_game = projects.end_by(turns_to_last)


@kernel
def appraise(box, game, seat, project, card, time, gain, evaluator):
    """Points of a project on its best cell and its discounted value; gain: the points that this cell adds."""
    weights, turns = evaluator.weights, evaluator.turns[seat, project]
    counts = box.counts[card]
    of_suit = evaluator.suits[counts] if counts != NOTHING and counts < state.SUITS else 0.0
    next_character = kept_worth_of_next(seat, box.suit[card], evaluator)
    value = max(
        weights.unplaced, projects.worth_everywhere(box, game, seat, card, of_suit, next_character, weights) + gain
    )
    if evaluator.discount_turns[seat, project] != turns:
        evaluator.discount_turns[seat, project] = turns
        evaluator.discount[seat, project] = math.exp(evaluator.log_turn * turns)
    discount = evaluator.discount[seat, project]
    evaluator.value[seat, project] = value
    evaluator.discounted[seat, project] = projects.discounted_by(
        box, card, project, value, turns, discount, time, weights
    )


@kernel
def kept_worth_of_next(seat, suit, evaluator):
    """The points that the next character of a suit's guild brings a seat, 0 for a suit that is no guild's."""
    return evaluator.next_character[seat, suit] if suit < state.GUILDS else 0.0


@kernel
def kept_term_pending(box, game, seat, evaluator):
    """Points of pending bonuses: 0 but for the seat to move."""
    if game.to_move == seat and projects.phase_of_turn(game) == state.Phase.BONUS:
        suit = box.suit[game.city_card[game.city_size - 1]]
        return values.term_pending(game, kept_worth_of_next(seat, suit, evaluator), evaluator.weights)
    return 0.0


@kernel
def two_best(game, seat, low, high, evaluator):
    """The projects low..high-1 with the highest and the second-highest discounted value above 0, or NOTHING."""
    first, second = NOTHING, NOTHING
    most, next_most = 0.0, 0.0
    for project in range(low, high):
        if projects.card_of(game, seat, project) != NOTHING:
            discounted = evaluator.discounted[seat, project]
            if discounted > most:
                first, second, most, next_most = project, first, discounted, most
            elif discounted > next_most:
                second, next_most = project, discounted
    return first, second
