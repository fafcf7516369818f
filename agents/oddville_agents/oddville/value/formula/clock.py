"""Distances in turns: to a building, and to the end of the game. Part of greedy's value function.

turns(building) = 1 + sum over resources of wait x missing + short x missing coins
turns(sixth worker) = turns(nearest held building) + pace x (workers still to come - 1)
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import workers
from oddville_env.oddville.rules.state import LAST_WORKER, RESOURCES, Phase


@kernel
def turns_to_build(box, game, seat, card, price, before, weights):
    """Turns until a building stands, the last of them to build it: for missing resources, and for missing coins.

    price: coins that have to be paid beside the resources; before: the building that is built first, or NOTHING.
    """
    turns = 1.0
    for resource in range(RESOURCES):
        stock = float(game.stock[seat, resource])
        if before != NOTHING:
            stock = max(stock - weights.shared * box.cost[before, resource], 0.0)
        missing = box.cost[card, resource] - stock
        if missing > 0:
            turns += weights.wait[resource] * missing
            if weights.short > 0:
                price += missing * workers.take_price(box, game, seat, resource)
    return turns + weights.short * max(price - game.coins[seat], 0)


@kernel
def turns_to_last(box, game, seat, weights):
    """[E1] Turns that a seat needs until its sixth worker is in the city."""
    nearest = weights.pace
    for index in range(game.holding[seat]):
        nearest = min(nearest, turns_to_build(box, game, seat, game.held[seat, index], 0.0, NOTHING, weights))
    return nearest + weights.pace * (LAST_WORKER - 1 - game.settled[seat])


@kernel
def waiting(box, game, seat):
    """[T1] How many seats will play their turns before this one."""
    following = game.active if phase_of_turn(game) <= Phase.MAIN else game.active + 1
    return (seat - following) % box.players


@kernel
def phase_of_turn(game):
    """[T6] The phase, or the one that a discard interrupts."""
    return game.resume if game.phase == Phase.DISCARD else game.phase


def end_by(turns_to_last: Callable[..., Any]) -> Any:
    """The kernel of the end of the game, by a kernel turns_to_last(box, game, seat, known)."""

    @kernel
    def end_of_game(box, game, known):
        """[E1] In how many turns of all seats the game may be over."""
        if game.trigger != NOBODY:
            return 0.0
        soonest = np.inf
        for seat in range(box.players):
            turns = turns_to_last(box, game, seat, known)
            soonest = min(soonest, (turns - 1) * box.players + waiting(box, game, seat) + 1)
        return soonest

    return end_of_game


end_of_game = end_by(turns_to_last)


@kernel
def own_turns(box, game, seat, end):
    """The turns that a seat will have until the game may be over; end: turns of all seats."""
    return max(math.floor((end - waiting(box, game, seat) + box.players - 1) / box.players), 0.0)


@kernel
def left(time, weights):
    """The part of the game that is still to come, 0 to 1; time: own turns."""
    return min(time / (weights.pace * LAST_WORKER), 1.0)


@kernel
def faded(time, weights):
    """The part of the worth of assets that is left, 1 - fade to 1; time: own turns."""
    return 1.0 - weights.fade * (1.0 - left(time, weights))
