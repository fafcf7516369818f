"""The resources board (S3): the cheapest slot to get, the cheapest worker to take off."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY


@kernel
def cheapest_slot(box, game, resource):
    """[S3] The lowest free slot; the upper one is always free."""
    for slot in range(box.upper_slot):
        if game.lodger[resource, slot] == NOBODY:
            return slot
    return box.upper_slot


@kernel
def lodges(box, game, seat, resource, slot):
    """A seat has a worker on this slot."""
    if slot < box.upper_slot:
        return game.lodger[resource, slot] == seat
    return game.upper[resource, seat] > 0


@kernel
def put_worker(game, seat, resource, slot, upper):
    """[L3] A worker comes from supply to a slot, which holds one unless it is the upper one."""
    if slot < upper:
        game.lodger[resource, slot] = seat
    else:
        game.upper[resource, seat] += 1
    game.stock[seat, resource] += 1
    game.supply[seat] -= 1


@kernel
def gain_resource(box, game, seat, resource):
    """[N2] A worker from supply goes to the cheapest available slot."""
    put_worker(game, seat, resource, cheapest_slot(box, game, resource), box.upper_slot)


@kernel
def take_off(box, game, seat, resource, slot):
    """A worker goes from a slot back to supply."""
    if slot < box.upper_slot:
        game.lodger[resource, slot] = NOBODY
    else:
        game.upper[resource, seat] -= 1
    game.stock[seat, resource] -= 1
    game.supply[seat] += 1


@kernel
def pay_resource(box, game, seat, resource):
    """[B1 C12] The worker on the cheapest slot where the seat has one goes back to supply."""
    slot = 0
    while not lodges(box, game, seat, resource, slot):
        slot += 1
    take_off(box, game, seat, resource, slot)
