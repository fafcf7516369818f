"""Chapter W: a worker card gives coins, a resource or a building."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOTHING

from . import board, characters, coins, limits
from .actions import Kind, allow
from .state import RESOURCES, ROW, WORKER_CARDS, Phase

DEAREST = 127  # no price is higher


@kernel
def coins_shown(box, game, seat, worker):
    """[W2] The number of coins that a worker card shows."""
    return characters.ghost(game, seat, box.shown[worker])


@kernel
def take_price(box, game, seat, resource):
    """[W3 P4] The price of a resource's cheapest available slot, in coins."""
    price = box.slot_price[board.cheapest_slot(box, game, resource)]
    return max(price - characters.landowner(game, seat), 0)


@kernel
def can_take(box, game, seat, worker, resource):
    """[W3] The card shows the resource, a worker is in supply, and there are coins for the price."""
    if not (box.takes[worker, resource] or characters.human_resources_manager(game, seat)):
        return False
    return game.supply[seat] > 0 and game.coins[seat] >= take_price(box, game, seat, resource)


@kernel
def row_price(box, worker, position):
    """[W4] The price of a position of the row with a worker card, in coins."""
    return box.price[worker, position]


@kernel
def lowest_row_price(box, game, seat, position):
    """[W4] The price of a position of the row with the best worker card in hand, in coins."""
    lowest = DEAREST  # a hand is never empty, T3
    for worker in range(WORKER_CARDS):
        price = int(row_price(box, worker, position))
        if game.hand[seat, worker]:  # no load behind it, so no branch: it would be mispredicted
            lowest = min(lowest, price)
    return lowest


@kernel
def can_buy(box, game, seat, worker, position):
    """[W4] There are coins for the card's price at this position."""
    return game.coins[seat] >= row_price(box, worker, position)


@kernel
def legal_workers(box, game, mask):
    """[W1 W5] The uses of every worker card in hand."""
    seat = game.to_move
    for worker in range(WORKER_CARDS):
        if not game.hand[seat, worker]:
            continue
        if coins_shown(box, game, seat, worker) > 0:
            allow(box, game, mask, Kind.COINS, worker)
        for resource in range(RESOURCES):
            if can_take(box, game, seat, worker, resource):
                allow(box, game, mask, Kind.TAKE, worker, resource)
        for position in range(ROW):
            if can_buy(box, game, seat, worker, position):
                allow(box, game, mask, Kind.BUY, worker, position)


@kernel
def hand_size(game, seat):
    """Worker cards not yet played."""
    size = 0
    for worker in range(WORKER_CARDS):
        size += game.hand[seat, worker]
    return size


@kernel
def take_back(game, seat):
    """[T2 T3] All worker cards return to the hand."""
    for worker in range(WORKER_CARDS):
        game.hand[seat, worker] = True


@kernel
def play_card(game, seat, worker):
    """[W1 T3] The card leaves the hand; when it is the last one, all four return."""
    game.hand[seat, worker] = False
    if hand_size(game, seat) == 0:
        take_back(game, seat)


@kernel
def take_resource(box, game, seat, resource):
    """[W3] The worker goes to the cheapest available slot; its price is paid."""
    price = take_price(box, game, seat, resource)
    board.gain_resource(box, game, seat, resource)
    characters.pay(game, seat, price)


@kernel
def fill_row(box, game):
    """[W4 S5 K1] The deck's top card fills the last position, building side up."""
    card = coins.top_card(game)
    game.row[ROW - 1] = card
    coins.reveal(box, game, card)


@kernel
def take_from_row(box, game, position):
    """[W4] A card leaves the row; those to its right move left; a new one appears."""
    card = game.row[position]
    for at in range(position, ROW - 1):
        game.row[at] = game.row[at + 1]
    fill_row(box, game)
    return card


@kernel
def buy(box, game, seat, worker, position):
    """[W4] Pay first: the coin just paid may be the card that appears at position 6."""
    characters.pay(game, seat, row_price(box, worker, position))
    limits.hold(box, game, seat, take_from_row(box, game, position))


@kernel
def apply_worker(box, game, kind, worker, choice):
    """[W1] Carry out the one chosen use; after a resource the seignior may take another [C3]."""
    seat = game.to_move
    play_card(game, seat, worker)
    game.phase = Phase.END
    if kind == Kind.COINS:
        coins.gain(game, seat, coins_shown(box, game, seat, worker))
    elif kind == Kind.BUY:
        buy(box, game, seat, worker, choice)
    else:
        take_resource(box, game, seat, choice)
        if characters.seignior(game, seat):
            game.phase = Phase.EXTRA
            game.worker = worker


@kernel
def legal_extra(box, game, mask):
    """[C3] A second resource, by the same rule for which and for the price."""
    for resource in range(RESOURCES):
        if can_take(box, game, game.to_move, game.worker, resource):
            allow(box, game, mask, Kind.EXTRA, resource)


@kernel
def apply_extra(box, game, resource):
    """[C3] The second resource is taken, and with it the phase is over."""
    take_resource(box, game, game.to_move, resource)
    end_extra(game)


@kernel
def end_extra(game):
    """[C3 T6] The main action is over."""
    game.worker = NOTHING
    game.phase = Phase.END
