"""What buildings that are not yet built promise, where they would fit best. Part of greedy's value function.

time: turns that the seat has until the game may be over.
"""

from oddville_agents.oddville.value.formula.clock import turns_to_build
from oddville_agents.oddville.value.formula.favours import favour_of_suit
from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING, NOWHERE, Counts
from oddville_env.oddville.rules import building, scoring, workers
from oddville_env.oddville.rules.state import HELD, LAST_WORKER, RESOURCES, ROW, SIDES, SUITS, WORKER_CARDS


@kernel
def promises(box, game, seat, time, weights):
    """The most promising project of a seat, and the second after it: held buildings and the row's."""
    first, second = NOTHING, NOTHING
    most, first_value, next_most, next_value = 0.0, 0.0, 0.0, 0.0
    for project in range(HELD + ROW if weights.row > 0 else HELD):
        card = card_of(game, seat, project)
        if card == NOTHING:
            continue
        value = best_place(box, game, seat, card, weights)
        promise = promise_of(box, game, seat, project, value, NOTHING, time, weights)
        if promise > most:
            second, next_most, next_value = first, most, first_value
            first, most, first_value = project, promise, value
        elif promise > next_most:
            second, next_most, next_value = project, promise, value
    if second != NOTHING:
        before = card_of(game, seat, first)
        most += weights.second * promise_of(box, game, seat, second, next_value, before, time, weights)
    return most


@kernel
def card_of(game, seat, project):
    """The building of a project: the held ones come first, then the row."""
    return game.held[seat, project] if project < HELD else game.row[project - HELD]


@kernel
def promise_of(box, game, seat, project, value, before, time, weights):
    """A value less the points of the workers that it costs, sooner being better, nothing after the end."""
    turns, card = turns_of(box, game, seat, project, before, weights), card_of(game, seat, project)
    return discounted(box, card, project, value, turns, weights.turn**turns, time, weights)


@kernel
def discounted(box, card, project, value, turns, discount, time, weights):
    """The same, where the turns are known; discount: the weight `turn` to their power."""
    worth = value - weights.delay * turns
    for resource in range(RESOURCES):
        worth -= box.cost[card, resource]
    worth = max(worth, 0.0) * discount
    if project >= HELD:
        worth *= weights.row
    return worth * (1.0 - weights.end * min(max((turns - time) / weights.slack, 0.0), 1.0))


@kernel
def turns_of(box, game, seat, project, before, weights):
    """Turns until a project is done, one to get a building of the row included; before: the building done first."""
    turns, price = 0.0, 0.0
    if project >= HELD:
        turns, price = 1.0, float(best_row_price(box, game, seat, project - HELD))
    return turns + turns_to_build(box, game, seat, card_of(game, seat, project), price, before, weights)


@kernel
def best_row_price(box, game, seat, position):
    """[W4] Coins for a position of the row with the best card in hand, or the worst of all while there is none."""
    price = workers.row_price(box, 0, position)
    for worker in range(WORKER_CARDS):
        price = max(price, workers.row_price(box, worker, position))
    for worker in range(WORKER_CARDS):
        if game.hand[seat, worker]:
            price = min(price, workers.row_price(box, worker, position))
    return price


@kernel
def best_place(box, game, seat, card, weights):
    """What a building is worth on the cell where it would be worth most."""
    counts = box.counts[card]
    of_suit = scoring.of_suit(box, game, counts) if counts != NOTHING and counts < SUITS else 0
    favour = favour_of_suit(box, game, seat, box.suit[card], weights)
    everywhere = worth_everywhere(box, game, seat, card, of_suit, favour, weights)
    worth = weights.unplaced
    for place in range(game.frontier_size):
        cell = game.frontier[place]
        if building.fits(box, game, card, cell):
            worth = max(worth, everywhere + worth_of_place(box, game, seat, card, cell, weights))
    return worth


@kernel
def worth_everywhere(box, game, seat, card, of_suit, favour, weights):
    """What a building is worth on any cell: base, suits counted, growth, its bonus and its guild's favour.

    of_suit: how many cards of the suit that it counts lie in the city; favour: what its guild's next character brings.
    """
    counts, suit = box.counts[card], box.suit[card]
    worth = box.base_value[card] + weights.bonus[box.bonus[card]]
    if counts != NOTHING:
        worth += box.per[card] * later(game, seat, counts, weights)
        if counts < SUITS:
            worth += box.per[card] * ((suit == counts) + of_suit)
    return worth + weights.favour * favour


@kernel
def later(game, seat, counts, weights):
    """[V1] Cards that a formula will yet count, until the end of the game."""
    return weights.growth[counts] * max(LAST_WORKER - 1 - game.settled[seat], 0)


@kernel
def worth_of_lines(box, game, card, cell):
    """[V1] What a formula that counts its row or its column is worth on a cell."""
    if box.counts[card] == Counts.ROW:
        return box.per[card] * (1.0 + scoring.same(box, game, cell, box.line))
    if box.counts[card] == Counts.COLUMN:
        return box.per[card] * (1.0 + scoring.same(box, game, cell, box.column))
    return 0.0


@kernel
def worth_of_place(box, game, seat, card, cell, weights):
    """What a cell adds: lines and neighbours counted, the neighbours' bonuses, and what the card adds to them."""
    worth = worth_of_lines(box, game, card, cell)
    for side in range(SIDES):
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
    """Worth, and what a neighbour adds to a card: it is counted, and a street to it brings its bonus."""
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
