"""The inputs of the table, `layout.SHARED`: writers as in `seat_features.py`."""

from oddville_agents.oddville.value.network.seat_features import put
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import board
from oddville_env.oddville.rules.state import CHARACTERS, GUILDS, RESOURCES, ROW, SUITS


@kernel
def put_shared(box, game, end, remaining, evaluator, out):
    """Write all groups; end: turns of all seats until the game may be over; remaining: the part to come, 0..1."""
    at = put_board(box, game, out, 0)
    at = put(out, at, game.city_size)
    at = put(out, at, game.frontier_size)
    for suit in range(SUITS):
        out[at + suit] = evaluator.suits[suit]
        out[at + SUITS + suit] = game.unseen[suit]
    at = put_offer(box, game, out, at + 2 * SUITS)
    at = put_piles(game, out, at)
    at = put(out, at, game.rounds)
    at = put(out, at, end)
    at = put(out, at, remaining)
    put(out, at, game.trigger != NOBODY)


@kernel
def put_board(box, game, out, at):
    """Write the price of each resource's cheapest slot, and how many of the dear ones are free."""
    for resource in range(RESOURCES):
        slot = board.cheapest_slot(box, game, resource)
        out[at + resource] = box.slot_price[slot]
        for other in range(slot, box.upper_slot):
            out[at + RESOURCES + resource] += game.lodger[resource, other] == NOBODY
    return at + 2 * RESOURCES


@kernel
def put_offer(box, game, out, at):
    """Write the suits of the row's cards, and the workers that they cost together."""
    for position in range(ROW):
        card = game.row[position]
        if card != NOTHING:
            out[at + box.suit[card]] += 1
            for resource in range(RESOURCES):
                out[at + SUITS + resource] += box.cost[card, resource]
    return at + SUITS + RESOURCES


@kernel
def put_piles(game, out, at):
    """Write how many characters each guild's pile has, and which ones lie on top."""
    for guild in range(GUILDS):
        size = game.pile_size[guild]
        out[at + guild] = size
        if size > 0 and game.pile[guild, size - 1] != NOTHING:
            out[at + GUILDS + game.pile[guild, size - 1]] = 1
    return at + GUILDS + CHARACTERS
