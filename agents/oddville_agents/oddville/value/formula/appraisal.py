"""The formula of greedy as `prospects.values` computes it, but with what `places` keeps, for all seats and projects.

Its numbers go into `evaluator`, the record of `evaluator.EVALUATOR`.
"""

import math

import numpy as np

from oddville_agents.oddville.value.formula.clock import phase_of_turn, waiting
from oddville_agents.oddville.value.formula.favours import worth_of_favour
from oddville_agents.oddville.value.formula.projects import best_row_price, card_of, later
from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import workers
from oddville_env.oddville.rules.state import (
    BONUSES,
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
    value = max(weights.unplaced, worth_everywhere(box, game, seat, card, evaluator) + gain)
    evaluator.value[seat, project] = value
    worth = value - weights.delay * turns
    for resource in range(RESOURCES):
        worth -= box.cost[card, resource]
    worth = max(worth, 0.0) * math.exp(evaluator.log_turn * turns)
    if project >= HELD:
        worth *= weights.row
    worth *= 1.0 - weights.end * min(max((turns - time) / weights.slack, 0.0), 1.0)
    evaluator.promise[seat, project] = worth


@kernel
def worth_everywhere(box, game, seat, card, evaluator):
    """`projects.worth_everywhere`."""
    weights, counts, suit = evaluator.weights, box.counts[card], box.suit[card]
    worth = box.base_value[card] + weights.bonus[box.bonus[card]]
    if counts != NOTHING:
        worth += box.per[card] * later(game, seat, counts, weights)
        if counts < SUITS:
            worth += box.per[card] * ((suit == counts) + evaluator.suits[counts])
    if suit < GUILDS:
        worth += weights.favour * evaluator.favour[seat, suit]
    return worth


@kernel
def worth_of_pending(box, game, seat, evaluator):
    """`prospects.worth_of_pending`, for the seat to move."""
    worth = 0.0
    if game.to_move == seat and phase_of_turn(game) == Phase.BONUS:
        for bonus in range(BONUSES):
            worth += game.pending[bonus] * evaluator.weights.bonus[bonus]
        suit = box.suit[game.city_card[game.city_size - 1]]
        if suit < GUILDS:
            worth += evaluator.weights.favour * evaluator.favour[seat, suit]
    return worth


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
