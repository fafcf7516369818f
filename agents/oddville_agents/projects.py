"""What buildings that are not yet built promise: their value where they fit best, and the turns until then."""

import numpy as np

from oddville_agents._jit import kernel
from oddville_env.cards.words import NOBODY, NOTHING, NOWHERE, Counts
from oddville_env.rules import building, scoring, workers
from oddville_env.rules.state import (
    CHARACTERS,
    GUILDS,
    LAST_WORKER,
    RESOURCES,
    ROW,
    SIDES,
    SUITS,
    WORKER_CARDS,
)


@kernel
def promises(box, game, seat, time, looks, weights):
    """The two most promising buildings that a seat holds or, if it looks, that lie in the row; time: turns it has."""
    first, second = 0.0, 0.0
    for index in range(game.holding[seat]):
        promise = worth_of_project(box, game, seat, game.held[seat, index], 0.0, 0, time, weights)
        first, second = max(first, promise), max(min(first, promise), second)
    if looks and weights.row > 0:
        for position in range(ROW):
            if game.row[position] != NOTHING:
                price = row_price(box, game, seat, position)
                card = game.row[position]
                promise = weights.row * worth_of_project(box, game, seat, card, 1.0, price, time, weights)
                first, second = max(first, promise), max(min(first, promise), second)
    return first + weights.second * second


@kernel
def row_price(box, game, seat, position):
    """[W4] Coins for a position of the row with the best card in hand."""
    price = box.price[0, position]
    for worker in range(WORKER_CARDS):
        if game.hand[seat, worker]:
            price = min(price, box.price[worker, position])
    return price


@kernel
def worth_of_project(box, game, seat, card, before, price, time, weights):
    """A building's value less its workers' points, sooner being better; before: turns, and price: coins, to get it."""
    turns = before + turns_to_build(box, game, seat, card, price, weights)
    lost = weights.end * min(max((turns - time) / weights.slack, 0.0), 1.0)
    if lost >= 1.0:
        return 0.0
    worth = best_place(box, game, seat, card, weights) - weights.delay * turns
    for resource in range(RESOURCES):
        worth -= box.cost[card, resource]
    return max(worth, 0.0) * weights.turn**turns * (1.0 - lost)


@kernel
def turns_to_build(box, game, seat, card, price, weights):
    """Turns until a building stands: for its missing resources, for the coins they cost, and one to build."""
    turns = 1.0
    for resource in range(RESOURCES):
        missing = box.cost[card, resource] - game.stock[seat, resource]
        if missing > 0:
            turns += weights.wait[resource] * missing
            if weights.short > 0:
                price += missing * workers.take_price(box, game, seat, resource)
    return turns + weights.short * max(price - game.coins[seat], 0)


@kernel
def best_place(box, game, seat, card, weights):
    """What a building is worth on the cell where it would be worth most."""
    everywhere = worth_everywhere(box, game, seat, card, weights)
    worth = weights.unplaced
    for place in range(game.frontier_size):
        cell = game.frontier[place]
        if building.fits(box, game, card, cell):
            worth = max(worth, everywhere + worth_of_place(box, game, seat, card, cell, weights))
    return worth


@kernel
def worth_everywhere(box, game, seat, card, weights):
    """What a building is worth on any cell: base, growth, suits counted, its bonus and its guild's favour."""
    counts, suit = box.counts[card], box.suit[card]
    worth = box.base_value[card] + weights.bonus[box.bonus[card]]
    if counts != NOTHING:
        worth += box.per[card] * later(game, seat, counts, weights)
        if counts < SUITS:
            worth += box.per[card] * ((suit == counts) + scoring.of_suit(box, game, counts))
    if suit < GUILDS and weights.favour > 0:
        worth += weights.favour * worth_of_favour(box, game, seat, suit, weights)
    return worth


@kernel
def later(game, seat, counts, weights):
    """[V1] Cards that a formula will yet count, until the end of the game."""
    return weights.growth[counts] * max(LAST_WORKER - 1 - game.settled[seat], 0)


@kernel
def worth_of_place(box, game, seat, card, cell, weights):
    """What a cell adds: lines and neighbours counted, the neighbours' bonuses, and what the card adds to them."""
    counts, worth = box.counts[card], 0.0
    if counts == Counts.ROW:
        worth += box.per[card] * (1 + scoring.same(box, game, cell, box.line))
    elif counts == Counts.COLUMN:
        worth += box.per[card] * (1 + scoring.same(box, game, cell, box.column))
    for side in range(SIDES):
        beside = box.neighbour[cell, side]
        if beside != NOWHERE and game.ground[beside] != NOWHERE:
            entry = game.ground[beside]
            neighbour = game.city_card[entry]
            worth += box.per[card] * counted(box, counts, neighbour)
            if box.streets[card, side]:
                worth += weights.bonus[box.bonus[neighbour]]
            if game.city_owner[entry] != NOBODY:
                added = box.per[neighbour] * counted(box, box.counts[neighbour], card)
                worth += added if game.city_owner[entry] == seat else -added
    return worth


@kernel
def counted(box, counts, beside):
    """[V1] How much a formula counts a card beside its own one."""
    if counts == Counts.ADJACENT:
        return 1
    return box.shield[beside] if counts == Counts.SHIELDS else 0


@kernel
def worth_of_favour(box, game, seat, guild, weights):
    """[G1 G2] What a seat gains by the guild's next character, of a new pile where the old one is empty."""
    size = game.pile_size[guild]
    if size == 0:
        return worth_of_return(box, game, seat, guild, weights)
    top = game.pile[guild, size - 1]
    return worth_of_character(box, top, weights) if top != NOTHING else worth_of_unknown(box, game, guild, weights)


@kernel
def worth_of_character(box, character, weights):
    """Points and use."""
    return box.points[character] + weights.power[character]


@kernel
def worth_of_unknown(box, game, guild, weights):
    """[K2] The mean of the guild's characters that nobody has seen."""
    total, number = 0.0, 0
    for character in range(CHARACTERS):
        if box.guild[character] == guild and not game.character_seen[character]:
            total += worth_of_character(box, character, weights)
            number += 1
    return total / max(number, 1)


@kernel
def worth_of_return(box, game, seat, guild, weights):
    """[G2] One of the characters that all seats give back, less those that the seat itself loses."""
    total, number, lost = 0.0, 0, 0.0
    for character in range(CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            worth = worth_of_character(box, character, weights)
            number += 1
            total += worth
            if game.owner[character] == seat:
                lost += worth
            else:
                lost -= weights.rivals * worth / (box.players - 1)
    return total / max(number, 1) - lost


@kernel
def spare_workers(box, game, seat, weights):
    """Workers on the board beyond what the held buildings cost together."""
    worth = 0.0
    for resource in range(RESOURCES):
        spare = game.stock[seat, resource]
        for index in range(game.holding[seat]):
            spare -= box.cost[game.held[seat, index], resource]
        worth += weights.spare[resource] * max(spare, 0)
    return worth


@kernel
def turns_to_last(box, game, seat, weights):
    """[E1] Turns that a seat needs until its sixth worker is in the city."""
    nearest = weights.pace
    for index in range(game.holding[seat]):
        nearest = min(nearest, turns_to_build(box, game, seat, game.held[seat, index], 0, weights))
    return nearest + weights.pace * (LAST_WORKER - 1 - game.settled[seat])


@kernel
def end_of_game(box, game, weights):
    """[E1] In how many turns of all seats the game may be over."""
    if game.trigger != NOBODY:
        return 0.0
    soonest = np.inf
    for seat in range(box.players):
        turns = turns_to_last(box, game, seat, weights)
        soonest = min(soonest, (turns - 1) * box.players + waiting(box, game, seat) + 1)
    return soonest


@kernel
def waiting(box, game, seat):
    """How many seats will play a main action before this one."""
    return (seat - following(box, game)) % box.players


@kernel
def following(box, game):
    """[T1] The seat whose main action comes next."""
    return game.active if game.phase <= 1 else (game.active + 1) % box.players
