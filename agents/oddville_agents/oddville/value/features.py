"""How the numbers of `layout.OWN` and `layout.SHARED` are written: compiled, one function a group, in their order.

A writer puts its numbers from `at` on into `out`, float32, which is zero before, and returns where it ended. On the way
the formula of greedy is computed, as `prospects.values` does it, but with what `places` keeps. `evaluator` is the
record of `evaluator.EVALUATOR`.
"""

import math

import numpy as np

from oddville_agents.oddville.greedy.clock import faded, left, own_turns, phase_of_turn, waiting
from oddville_agents.oddville.greedy.favours import worth_of_favour, worth_of_loose, worth_of_uses
from oddville_agents.oddville.greedy.projects import card_of, later, promise_of
from oddville_agents.oddville.greedy.prospects import next_up, worth_of_coins, worth_of_spare
from oddville_agents.oddville.value.layout import BEST, OWN_SIZE, PROJECT, PROJECTS, SHARED_SIZE, THROUGH
from oddville_agents.oddville.value.places import find_city, look_for_places
from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Counts
from oddville_env.oddville.rules import board, characters, scoring, turn, workers
from oddville_env.oddville.rules.state import (
    BONUSES,
    CHARACTERS,
    GUILDS,
    HELD,
    LAST_WORKER,
    MOST_COINS,
    MOST_HELD,
    RESOURCES,
    ROW,
    SEATS,
    SUITS,
    WORKER_CARDS,
    Phase,
)

COUNTS = len(Counts)
PHASES = len(Phase)

NUMBERS = [
    ("own", "f4", (SEATS, OWN_SIZE)),  # what the network sees of each seat
    ("shared", "f4", (SHARED_SIZE,)),  # and of all of them together
    ("odds", "f8", (SEATS,)),  # each seat's log odds by the formula
    ("standing", "f8", (SEATS,)),
    ("score", "f8", (SEATS,)),
    ("value", "f8", (SEATS, PROJECTS)),  # of projects, as the three next ones are
    ("turns", "f8", (SEATS, PROJECTS)),
    ("promise", "f8", (SEATS, PROJECTS)),
    ("price", "f8", (SEATS, PROJECTS)),
    ("missing", "f4", (SEATS, PROJECTS, RESOURCES)),
    ("favour", "f8", (SEATS, GUILDS)),  # what each guild's next character is worth
    ("take", "f8", (SEATS, RESOURCES)),  # what each resource costs
    ("formula", "f8", (SEATS, COUNTS)),  # points for a further card that is counted, over all own buildings
    ("built", "f8", (SEATS, 2)),  # own buildings and their value
    ("suits", "f8", (SUITS,)),  # cards of each suit in the city
]


@kernel
def look(box, game, evaluator):
    """Write own, shared and odds of a game that is not over."""
    for seat in range(box.players):
        evaluator.own[seat, :] = np.float32(0)
    evaluator.shared[:] = np.float32(0)
    count_city(box, game, evaluator)
    kept = find_city(game, evaluator)
    for seat in range(box.players):
        count_prices(box, game, seat, evaluator)
        for project in range(PROJECTS):
            if card_of(game, seat, project) != NOTHING:
                measure(box, game, seat, project, evaluator)
    end = end_of_game(box, game, evaluator)
    course = 0.0
    for seat in range(box.players):
        time = own_turns(box, game, seat, end)
        course = max(course, left(time, evaluator.weights))
        for project in range(PROJECTS):
            card = card_of(game, seat, project)
            if card != NOTHING:
                look_for_places(box, game, card, evaluator, kept)
                appraise(box, game, seat, project, card, time, evaluator.best[kept, card, seat], evaluator)
        put_seat(box, game, seat, end, time, evaluator)
    put_odds(box, game, course, evaluator)
    put_shared(box, game, end, course, evaluator, evaluator.shared)


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
        turns, price = 2.0, dearness(box, game, seat, project - HELD)
    for resource in range(RESOURCES):
        missing = float(max(box.cost[card, resource] - game.stock[seat, resource], 0))
        evaluator.missing[seat, project, resource] = missing
        turns += weights.wait[resource] * missing
        price += missing * evaluator.take[seat, resource]
    short = max(price - game.coins[seat], 0.0)
    evaluator.price[seat, project] = short
    evaluator.turns[seat, project] = turns + weights.short * short


@kernel
def dearness(box, game, seat, position):
    """`projects.row_price` [W4]."""
    most, least = 0, 1000
    for worker in range(WORKER_CARDS):
        most = max(most, box.price[worker, position])
        if game.hand[seat, worker]:
            least = min(least, box.price[worker, position])
    return float(min(least, most))


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
def put(out, at, number):
    """One number; returns where the next one goes."""
    out[at] = number
    return at + 1


@kernel
def put_steps(out, at, number, size):
    """At least 1, at least 2, ..."""
    for step in range(size):
        out[at + step] = number > step
    return at + size


@kernel
def put_seat(box, game, seat, end, time, evaluator):
    """All groups of a seat but its log odds, which need all seats' course."""
    out = evaluator.own[seat]
    at = put_formula(box, game, seat, time, evaluator, out, 0)
    at = put_clock(box, game, seat, time, evaluator, out, at)
    at = put_best(box, game, seat, 0, HELD, evaluator, out, at)
    at = put_best(box, game, seat, HELD, PROJECTS, evaluator, out, at)
    at = put_hand(game, seat, out, at)
    at = put_stock(game, seat, out, at)
    at = put_steps(out, at, game.coins[seat], MOST_COINS)
    at = put_steps(out, at, game.settled[seat], THROUGH)
    at = put_steps(out, at, game.holding[seat], MOST_HELD)
    at = put_characters(game, seat, out, at)
    at = put_city(seat, evaluator, out, at)
    at = put_marks(game, seat, out, at)
    at = put_phase(game, seat, out, at)
    at = put_turn(game, seat, out, at)
    put_pending(game, seat, out, at)


@kernel
def put_formula(box, game, seat, time, evaluator, out, at):
    """Group formula, without its first number; `prospects.hopes`."""
    weights = evaluator.weights
    score = float(scoring.score(box, game, seat))
    first, second = two_best(game, seat, 0, PROJECTS, evaluator)
    most = evaluator.promise[seat, first] if first != NOTHING else 0.0
    other = 0.0
    if second != NOTHING:
        before, value = card_of(game, seat, first), evaluator.value[seat, second]
        other = weights.second * promise_of(box, game, seat, second, value, before, time, weights)
    keeps = faded(time, weights)
    coins = keeps * worth_of_coins(game.coins[seat], weights)
    means = 0.0
    for worker in range(WORKER_CARDS):
        means += keeps * weights.card[worker] * game.hand[seat, worker]
    spare = keeps * worth_of_spare(box, game, seat, weights)
    uses = worth_of_uses(game, seat, weights)
    loose = weights.loose * left(time, weights) * worth_of_loose(box, game, seat, weights)
    pending = worth_of_pending(box, game, seat, evaluator)
    hopes = most + other + means + coins + spare + uses - loose + pending
    evaluator.score[seat], evaluator.standing[seat] = score, score + hopes
    at = put(out, at + 1, score)
    at = put(out, at, hopes)
    at = put(out, at, most + other)
    at = put(out, at, most)
    at = put(out, at, other)
    at = put(out, at, means)
    at = put(out, at, coins)
    at = put(out, at, spare)
    at = put(out, at, uses)
    at = put(out, at, loose)
    return put(out, at, pending)


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


@kernel
def put_clock(box, game, seat, time, evaluator, out, at):
    """Group clock."""
    at = put(out, at, time)
    at = put(out, at, turns_to_last(game, seat, evaluator))
    at = put(out, at, left(time, evaluator.weights))
    out[at + waiting(box, game, seat)] = 1
    return at + SEATS


@kernel
def put_best(box, game, seat, low, high, evaluator, out, at):
    """Groups held and row; the first ones there are where nothing is promised."""
    first, second = two_best(game, seat, low, high, evaluator)
    for rank in range(BEST):
        project = first if rank == 0 else second
        if project == NOTHING:
            project = low + rank if low + rank != first else low
        if card_of(game, seat, project) != NOTHING:
            put_project(box, game, seat, project, evaluator, out, at)
        at += PROJECT
    return at


@kernel
def put_project(box, game, seat, project, evaluator, out, at):
    """What a project is like."""
    card, paid = card_of(game, seat, project), 0
    at = put(out, at, 1)
    at = put(out, at, evaluator.promise[seat, project])
    at = put(out, at, evaluator.value[seat, project])
    at = put(out, at, evaluator.turns[seat, project])
    at = put(out, at, evaluator.favour[seat, box.suit[card]] if box.suit[card] < GUILDS else 0.0)
    at = put(out, at, evaluator.price[seat, project])
    for resource in range(RESOURCES):
        out[at + 2 + resource] = evaluator.missing[seat, project, resource]
        paid += box.cost[card, resource]
    at = put(out, at, paid)
    at = put(out, at, box.per[card])
    return at + RESOURCES


@kernel
def put_hand(game, seat, out, at):
    """Group hand."""
    for worker in range(WORKER_CARDS):
        at = put(out, at, game.hand[seat, worker])
    at = put(out, at, workers.hand_size(game, seat))
    return put(out, at, turn.recover_price(game, seat))


@kernel
def put_stock(game, seat, out, at):
    """Group stock."""
    for resource in range(RESOURCES):
        out[at + resource] = game.stock[seat, resource]
        out[at + RESOURCES + resource] = game.upper[resource, seat]
    at = put(out, at + 2 * RESOURCES, game.supply[seat])
    return put(out, at, game.supply[seat] == 0)


@kernel
def put_characters(game, seat, out, at):
    """Group characters."""
    for character in range(CHARACTERS):
        out[at + character] = game.owner[character] == seat
    return at + CHARACTERS


@kernel
def put_city(seat, evaluator, out, at):
    """Group city of a seat."""
    for counts in range(COUNTS):
        at = put(out, at, evaluator.formula[seat, counts])
    at = put(out, at, evaluator.built[seat, 0])
    return put(out, at, evaluator.built[seat, 1])


@kernel
def put_marks(game, seat, out, at):
    """Group marks."""
    at = put(out, at, game.active == seat)
    at = put(out, at, game.to_move == seat)
    at = put(out, at, game.first == seat)
    at = put(out, at, game.trigger == seat)
    return put(out, at, characters.on_square(game, seat))


@kernel
def put_phase(game, seat, out, at):
    """Group phase."""
    if game.to_move == seat:
        out[at + phase_of_turn(game)] = 1
        out[at + PHASES] = game.phase == Phase.DISCARD
    return at + PHASES + 1


@kernel
def put_turn(game, seat, out, at):
    """Group turn."""
    mine = game.active == seat
    at = put(out, at, mine and game.recovered)
    at = put(out, at, mine and game.flipped)
    at = put(out, at, mine and game.swapped)
    return put(out, at, mine and game.built)


@kernel
def put_pending(game, seat, out, at):
    """Group pending."""
    if game.to_move == seat:
        for bonus in range(BONUSES):
            out[at + bonus] = game.pending[bonus]
    return at + BONUSES


@kernel
def put_odds(box, game, course, evaluator):
    """`prospects.values` before the softmax, less the mean, so that it says something of one seat."""
    weights, mean = evaluator.weights, 0.0
    certainty = weights.certainty[1] + (weights.certainty[0] - weights.certainty[1]) * course
    for seat in range(box.players):
        tempo = weights.tempo * (1.0 - course) * next_up(box, game, seat)
        evaluator.odds[seat] = certainty * evaluator.standing[seat] + tempo
        mean += evaluator.odds[seat] / box.players
    for seat in range(box.players):
        evaluator.odds[seat] -= mean
        evaluator.own[seat, 0] = evaluator.odds[seat]


@kernel
def put_shared(box, game, end, course, evaluator, out):
    """All groups of the table."""
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
    at = put(out, at, course)
    put(out, at, game.trigger != NOBODY)


@kernel
def put_board(box, game, out, at):
    """Group board."""
    for resource in range(RESOURCES):
        slot = board.cheapest_slot(box, game, resource)
        out[at + resource] = box.slot_price[slot]
        for other in range(slot, box.upper_slot):
            out[at + RESOURCES + resource] += game.lodger[resource, other] == NOBODY
    return at + 2 * RESOURCES


@kernel
def put_offer(box, game, out, at):
    """Group offer."""
    for position in range(ROW):
        card = game.row[position]
        if card != NOTHING:
            out[at + box.suit[card]] += 1
            for resource in range(RESOURCES):
                out[at + SUITS + resource] += box.cost[card, resource]
    return at + SUITS + RESOURCES


@kernel
def put_piles(game, out, at):
    """Group piles."""
    for guild in range(GUILDS):
        size = game.pile_size[guild]
        out[at + guild] = size
        if size > 0 and game.pile[guild, size - 1] != NOTHING:
            out[at + GUILDS + game.pile[guild, size - 1]] = 1
    return at + GUILDS + CHARACTERS
