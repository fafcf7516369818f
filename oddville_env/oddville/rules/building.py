"""Chapter B: building a held project, and what the city's cells ask of a card."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOTHING, NOWHERE, Bonus

from . import board, characters, coins, guilds, limits, scoring
from .actions import Kind, allow
from .state import BUILT, GUILDS, RESOURCES, SIDES, Phase


@kernel
def can_pay(box, game, seat, card):
    """[B1 B2] The seat has the resources, and after paying a worker in supply."""
    free = game.supply[seat]
    for resource in range(RESOURCES):
        if game.stock[seat, resource] < box.cost[card, resource]:
            return False
        free += box.cost[card, resource]
    return free > 0


@kernel
def fits(box, game, card, cell):
    """[B3] A card fits on a cell: where two cards touch, street meets street and houses meet houses."""
    return game.facing[cell] & box.clash[card] == 0


@kernel
def legal_builds(box, game, mask):
    """[B1 B2 B7] Every held building that can be paid, on every cell of the frontier where it fits."""
    seat = game.to_move
    for index in range(game.holding[seat]):
        card = game.held[seat, index]
        if can_pay(box, game, seat, card):
            for at in range(game.frontier_size):
                if fits(box, game, card, game.frontier[at]):
                    allow(box, game, mask, Kind.BUILD, index, game.frontier[at])


@kernel
def pay_cost(box, game, seat, card):
    """[B1] One own worker for each resource, from the cheapest slot, goes to supply."""
    for resource in range(RESOURCES):
        for _ in range(box.cost[card, resource]):
            board.pay_resource(box, game, seat, resource)


@kernel
def leave_frontier(game, cell):
    """A cell is no longer free: the frontier's last one takes its place in the list."""
    for at in range(game.frontier_size):
        if game.frontier[at] == cell:
            game.frontier_size -= 1
            game.frontier[at] = game.frontier[game.frontier_size]
            game.frontier[game.frontier_size] = NOWHERE
            return


@kernel
def press(box, game, card, cell):
    """[B2 B3] A placed card turns its sides to the empty cells around it."""
    for side in range(SIDES):
        beside = box.neighbour[cell, side]
        if beside == NOWHERE or game.facing[beside] == BUILT:
            continue
        if game.facing[beside] == 0:
            game.frontier[game.frontier_size] = beside
            game.frontier_size += 1
        game.facing[beside] |= box.presses[card, side]


@kernel
def place(box, game, card, cell, owner):
    """[B2 B4] A card comes to lie in the city for good."""
    entry = game.city_size
    game.city_card[entry], game.city_cell[entry], game.city_owner[entry] = card, cell, owner
    game.city_size += 1
    game.ground[cell] = entry
    leave_frontier(game, cell)
    game.facing[cell] = BUILT
    press(box, game, card, cell)
    scoring.appraise(box, game)


@kernel
def receive(game, bonus):
    """[N1 N6] A coin is taken at once by itself; every other bonus waits."""
    if bonus == Bonus.COIN:
        coins.gain(game, game.to_move, 1)
    else:
        game.pending[bonus] += 1


@kernel
def joined(box, game, seat, card, cell, side):
    """[B5 C10] The adjacent card on a side that brings the seat its bonus, as a street joins it; else NOTHING."""
    beside = box.neighbour[cell, side]
    if beside == NOWHERE or game.ground[beside] == NOWHERE:
        return NOTHING
    if box.streets[card, side] or characters.lamplighter(game, seat):
        return int(game.city_card[game.ground[beside]])
    return NOTHING


@kernel
def receive_bonuses(box, game, card, cell):
    """[B5] The placed card's bonus, and those of adjacent cards that are joined to it."""
    receive(game, box.bonus[card])
    for side in range(SIDES):
        neighbour = joined(box, game, game.to_move, card, cell, side)
        if neighbour != NOTHING:
            receive(game, box.bonus[neighbour])


@kernel
def apply_build(box, game, index, cell):
    """[B1 B2 B5] Pay, place the card with a worker on it, receive the bonuses."""
    seat = game.to_move
    card = limits.let_go(game, seat, index)
    pay_cost(box, game, seat, card)
    place(box, game, card, cell, seat)
    characters.settle_worker(game, seat)
    game.built = True
    game.phase = Phase.BONUS
    receive_bonuses(box, game, card, cell)


@kernel
def end_build(box, game):
    """[B6 G3] After the bonuses the card just placed, if it is a guild's, brings a character."""
    suit = box.suit[game.city_card[game.city_size - 1]]
    if suit < GUILDS:
        guilds.favour(box, game, game.to_move, suit)
