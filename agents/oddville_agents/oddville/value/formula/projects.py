"""Points of buildings that are not yet built, on their best cells, and of characters. Part of the formula of `greedy`.

    turns(building) = 1 + sum over resources of wait x missing + short x missing coins
    turns(sixth worker) = turns(nearest held building) + pace x (workers still to come - 1)
    discounted value = max(value - delay x turns - workers, 0) x turn ** turns x row x (1 - end x lateness)
    lateness = (turns - time) / slack, within 0..1

A project is a held building or one of the row; `row` counts for the latter only. time: turns that the seat has until
the game may be over.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING, NOWHERE, Counts
from oddville_env.oddville.rules import building, scoring, state, workers


@kernel
def turns_to_build(box, game, seat, card, price, before, weights):
    """Turns until a building stands, the last of them to build it: for missing resources, and for missing coins.

    price: coins that have to be paid beside the resources; before: the building that is built first, or NOTHING.
    """
    turns = 1.0
    for resource in range(state.RESOURCES):
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
    return nearest + weights.pace * (state.LAST_WORKER - 1 - game.settled[seat])


@kernel
def waiting(box, game, seat):
    """[T1] How many seats will play their turns before this one."""
    following = game.active if phase_of_turn(game) <= state.Phase.MAIN else game.active + 1
    return (seat - following) % box.players


@kernel
def phase_of_turn(game):
    """[T6] The phase, or the one that a discard interrupts."""
    return game.resume if game.phase == state.Phase.DISCARD else game.phase


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
    return min(time / (weights.pace * state.LAST_WORKER), 1.0)


@kernel
def faded(time, weights):
    """The part of the worth of assets that is left, 1 - fade to 1; time: own turns."""
    return 1.0 - weights.fade * (1.0 - left(time, weights))


@kernel
def worth_of_character(box, character, weights):
    """Points of a character: those printed on it, and its power's by the weights."""
    return box.points[character] + weights.power[character]


@kernel
def term_powers(game, seat, weights):
    """Points of the powers of all characters of a seat, beside those printed on them."""
    worth = 0.0
    for character in range(state.CHARACTERS):
        if game.owner[character] == seat:
            worth += weights.power[character]
    return worth


@kernel
def worth_of_next_of_suit(box, game, seat, suit, weights):
    """`worth_of_next_character` of the guild whose buildings a suit's are, 0 for a suit that is no guild's."""
    return (
        worth_of_next_character(box, game, seat, suit, weights) if suit < state.GUILDS and weights.favour > 0 else 0.0
    )


@kernel
def worth_of_next_character(box, game, seat, guild, weights):
    """[G1 G2] The points that a seat gains by the guild's next character, of a new pile where the old one is empty."""
    size = game.pile_size[guild]
    if size == 0:
        return worth_of_new_pile(box, game, seat, guild, weights)
    top = game.pile[guild, size - 1]
    if top == NOTHING:
        return worth_of_unknown(box, game, guild, weights)
    return worth_of_character(box, top, weights)


@kernel
def worth_of_unknown(box, game, guild, weights):
    """[K2] The mean points of the guild's unseen characters."""
    total, number = 0.0, 0
    for character in range(state.CHARACTERS):
        if box.guild[character] == guild and not game.character_seen[character]:
            total += worth_of_character(box, character, weights)
            number += 1
    return total / max(number, 1)


@kernel
def worth_of_new_pile(box, game, seat, guild, weights):
    """[G2] One of the characters that all seats give back, less its own ones; rivals' losses count as `rivals` says."""
    total, number, lost = 0.0, 0, 0.0
    for character in range(state.CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            worth = worth_of_character(box, character, weights)
            total += worth
            number += 1
            lost += worth if game.owner[character] == seat else -weights.rivals * worth / (box.players - 1)
    return total / max(number, 1) - lost


@kernel
def term_recall(box, game, seat, weights):
    """[G2] Points of a seat's characters that the next building of their guild calls back."""
    worth = 0.0
    for character in range(state.CHARACTERS):
        if game.owner[character] == seat and game.pile_size[box.guild[character]] == 0:
            worth += worth_of_character(box, character, weights)
    return worth


@kernel
def term_projects(box, game, seat, time, weights):
    """Points of a seat's best project, and `second` of the next one's if it comes after it."""
    first, second = NOTHING, NOTHING
    most, first_value, next_most, next_value = 0.0, 0.0, 0.0, 0.0
    for project in range(state.HELD + state.ROW if weights.row > 0 else state.HELD):
        card = card_of(game, seat, project)
        if card == NOTHING:
            continue
        value = best_place(box, game, seat, card, weights)
        discounted = discounted_value(box, game, seat, project, value, NOTHING, time, weights)
        if discounted > most:
            second, next_most, next_value = first, most, first_value
            first, most, first_value = project, discounted, value
        elif discounted > next_most:
            second, next_most, next_value = project, discounted, value
    if second != NOTHING:
        before = card_of(game, seat, first)
        most += weights.second * discounted_value(box, game, seat, second, next_value, before, time, weights)
    return most


@kernel
def card_of(game, seat, project):
    """The building of a project: the held ones come first, then the row."""
    return game.held[seat, project] if project < state.HELD else game.row[project - state.HELD]


@kernel
def discounted_value(box, game, seat, project, value, before, time, weights):
    """The discounted value of a project whose building has this value; before: the building done first, or NOTHING."""
    turns, card = turns_of(box, game, seat, project, before, weights), card_of(game, seat, project)
    return discounted_by(box, card, project, value, turns, weights.turn**turns, time, weights)


@kernel
def discounted_by(box, card, project, value, turns, discount, time, weights):
    """`discounted_value` by known turns; discount: the weight `turn` to their power."""
    worth = value - weights.delay * turns
    for resource in range(state.RESOURCES):
        worth -= box.cost[card, resource]
    worth = max(worth, 0.0) * discount
    if project >= state.HELD:
        worth *= weights.row
    return worth * (1.0 - weights.end * min(max((turns - time) / weights.slack, 0.0), 1.0))


@kernel
def turns_of(box, game, seat, project, before, weights):
    """Turns until a project is done, one to get a building of the row included; before: the building done first."""
    turns, price = 0.0, 0.0
    if project >= state.HELD:
        turns, price = 1.0, float(workers.lowest_row_price(box, game, seat, project - state.HELD))
    return turns + turns_to_build(box, game, seat, card_of(game, seat, project), price, before, weights)


@kernel
def best_place(box, game, seat, card, weights):
    """Points of a building on the cell where it would be worth most, `unplaced` at least."""
    counts = box.counts[card]
    of_suit = scoring.of_suit(box, game, counts) if counts != NOTHING and counts < state.SUITS else 0
    next_character = worth_of_next_of_suit(box, game, seat, box.suit[card], weights)
    everywhere = worth_everywhere(box, game, seat, card, of_suit, next_character, weights)
    worth = weights.unplaced
    for index in range(game.frontier_size):
        cell = game.frontier[index]
        if building.fits(box, game, card, cell):
            worth = max(worth, everywhere + worth_of_place(box, game, seat, card, cell, weights))
    return worth


@kernel
def worth_everywhere(box, game, seat, card, of_suit, next_character, weights):
    """Points of a building on any cell: base, suits counted, growth, its bonus and the guild's next character.

    of_suit: how many cards of the suit that it counts lie in the city; next_character: points of its guild's next one.
    """
    counts, suit = box.counts[card], box.suit[card]
    worth = box.base_value[card] + weights.bonus[box.bonus[card]]
    if counts != NOTHING:
        worth += box.per[card] * later(game, seat, counts, weights)
        if counts < state.SUITS:
            worth += box.per[card] * ((suit == counts) + of_suit)
    return worth + weights.favour * next_character


@kernel
def later(game, seat, counts, weights):
    """[V1] Cards that a formula will yet count, until the end of the game."""
    return weights.growth[counts] * max(state.LAST_WORKER - 1 - game.settled[seat], 0)


@kernel
def worth_of_lines(box, game, card, cell):
    """[V1] Points of a formula that counts its row or its column on a cell."""
    if box.counts[card] == Counts.ROW:
        return box.per[card] * (1.0 + scoring.same(box, game, cell, box.line))
    if box.counts[card] == Counts.COLUMN:
        return box.per[card] * (1.0 + scoring.same(box, game, cell, box.column))
    return 0.0


@kernel
def worth_of_place(box, game, seat, card, cell, weights):
    """Points of a cell: lines and neighbours counted, the neighbours' bonuses, and what the card adds to them."""
    worth = worth_of_lines(box, game, card, cell)
    for side in range(state.SIDES):
        beside = box.neighbour[cell, side]
        if beside != NOWHERE and game.ground[beside] != NOWHERE:
            entry = game.ground[beside]
            neighbour = game.city_card[entry]
            worth = with_neighbour(box, card, side, neighbour, worth, weights)
            if game.city_owner[entry] != NOBODY:
                added = box.per[neighbour] * counted(box, box.counts[neighbour], card)
                worth += added if game.city_owner[entry] == seat else -added
    return worth


@kernel
def with_neighbour(box, card, side, neighbour, worth, weights):
    """The worth, and what a neighbour adds to a card: it is counted, and a street to it brings its bonus."""
    worth += box.per[card] * counted(box, box.counts[card], neighbour)
    if box.streets[card, side]:
        worth += weights.bonus[box.bonus[neighbour]]
    return worth


@kernel
def counted(box, counts, beside):
    """[V1] How much a formula counts a card beside its own one."""
    if counts == Counts.ADJACENT:
        return 1
    return box.shield[beside] if counts == Counts.SHIELDS else 0
