"""The formula of greedy as `prospects.values` computes it, but with what `places` keeps, for all seats and projects.

Its numbers go into `evaluator`, the record of `evaluator.EVALUATOR`.
"""

import math

import numpy as np

from oddville_agents.oddville.value.formula.clock import phase_of_turn, waiting
from oddville_agents.oddville.value.formula.favours import worth_of_favour
from oddville_agents.oddville.value.formula.projects import best_row_price, card_of, discounted, worth_everywhere
from oddville_agents.oddville.value.formula.prospects import worth_of_pending
from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import workers
from oddville_env.oddville.rules.state import (
    GUILDS,
    HELD,
    LAST_WORKER,
    RESOURCES,
    SUITS,
    Phase,
)


@kernel
def count_city(box, game, evaluator):
    """Suits, values and formulas of the city."""
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
    """What resources cost a seat, and what guilds bring it."""
    for resource in range(RESOURCES):
        evaluator.take[seat, resource] = workers.take_price(box, game, seat, resource)
    for guild in range(GUILDS):
        evaluator.favour[seat, guild] = worth_of_favour(box, game, seat, guild, evaluator.weights)


@kernel
def measure(box, game, seat, project, evaluator):
    """`projects.turns_of` for a project that is built first, and what is missing for it."""
    weights, card = evaluator.weights, card_of(game, seat, project)
    turns, price = 1.0, 0.0
    if project >= HELD:
        turns, price = 2.0, float(best_row_price(box, game, seat, project - HELD))
    for resource in range(RESOURCES):
        missing = float(max(box.cost[card, resource] - game.stock[seat, resource], 0))
        evaluator.missing[seat, project, resource] = missing
        turns += weights.wait[resource] * missing
        price += missing * evaluator.take[seat, resource]
    short = max(price - game.coins[seat], 0.0)
    evaluator.price[seat, project] = short
    evaluator.turns[seat, project] = turns + weights.short * short


@kernel
def end_of_game(box, game, evaluator):
    """`clock.end_of_game` [E1]."""
    if game.trigger != NOBODY:
        return 0.0
    soonest = np.inf
    for seat in range(box.players):
        turns = turns_to_last(game, seat, evaluator)
        soonest = min(soonest, (turns - 1) * box.players + waiting(box, game, seat) + 1)
    return soonest


@kernel
def turns_to_last(game, seat, evaluator):
    """`clock.turns_to_last` [E1]."""
    nearest = evaluator.weights.pace
    for index in range(game.holding[seat]):
        nearest = min(nearest, evaluator.turns[seat, index])
    return nearest + evaluator.weights.pace * (LAST_WORKER - 1 - game.settled[seat])


@kernel
def appraise(box, game, seat, project, card, time, gain, evaluator):
    """`projects.best_place` and `projects.promise_of`; gain: what the best cell adds."""
    weights, turns = evaluator.weights, evaluator.turns[seat, project]
    counts = box.counts[card]
    of_suit = evaluator.suits[counts] if counts != NOTHING and counts < SUITS else 0.0
    favour = kept_favour(seat, box.suit[card], evaluator)
    value = max(weights.unplaced, worth_everywhere(box, game, seat, card, of_suit, favour, weights) + gain)
    discount = math.exp(evaluator.log_turn * turns)
    evaluator.value[seat, project] = value
    evaluator.promise[seat, project] = discounted(box, card, project, value, turns, discount, time, weights)


@kernel
def kept_favour(seat, suit, evaluator):
    """What the next character of a suit's guild brings a seat, 0 for a suit that is no guild's."""
    return evaluator.favour[seat, suit] if suit < GUILDS else 0.0


@kernel
def worth_pending(box, game, seat, evaluator):
    """The worth of pending bonuses: 0 but for the seat to move."""
    if game.to_move == seat and phase_of_turn(game) == Phase.BONUS:
        suit = box.suit[game.city_card[game.city_size - 1]]
        return worth_of_pending(game, kept_favour(seat, suit, evaluator), evaluator.weights)
    return 0.0


@kernel
def two_best(game, seat, low, high, evaluator):
    """The projects low..high-1 with the highest and the second-highest promise above 0, or NOTHING."""
    first, second = NOTHING, NOTHING
    most, next_most = 0.0, 0.0
    for project in range(low, high):
        if card_of(game, seat, project) != NOTHING:
            promise = evaluator.promise[seat, project]
            if promise > most:
                first, second, most, next_most = project, first, promise, most
            elif promise > next_most:
                second, next_most = project, promise
    return first, second
