"""The network's inputs, as `files.OWN` and `files.SHARED` list them, and on the way the formula of `greedy`.

`evaluator` is a record of `evaluator.evaluator_record`; a writer takes the index to write at and returns the next one.
"""

import numpy as np

from oddville_agents.oddville.value.formula import appraisal, projects, values
from oddville_agents.oddville.value.network import BEST, OWN_SIZE, PROJECT, PROJECTS, SHARED_SIZE, THROUGH
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Counts
from oddville_env.oddville.rules import board, characters, scoring, state, turn, workers

COUNTS = len(Counts)
PHASES = len(state.Phase)


@kernel
def put(out, at, number):
    """Write one number."""
    out[at] = number
    return at + 1


@kernel
def put_steps(out, at, number, size):
    """Write a number as a thermometer code [size]: at least 1, at least 2, ..."""
    for step in range(size):
        out[at + step] = number > step
    return at + size


@kernel
def put_seat(box, game, seat, end, time, evaluator):
    """Write all groups of a seat but its log odds, which need the values of all seats."""
    out = evaluator.own[seat]
    at = put_formula(box, game, seat, time, evaluator, out, 0)
    at = put_clock(box, game, seat, time, evaluator, out, at)
    at = put_best(box, game, seat, 0, state.HELD, evaluator, out, at)
    at = put_best(box, game, seat, state.HELD, PROJECTS, evaluator, out, at)
    at = put_holdings(game, seat, out, at)
    at = put_city(seat, evaluator, out, at)
    put_turn(game, seat, out, at)


@kernel
def put_formula(box, game, seat, time, evaluator, out, at):
    """Write the score, the expected gain and its terms, in points; the first number, the log odds, comes later."""
    weights = evaluator.weights
    score = evaluator.built[seat, 1] + scoring.points_beside_city(box, game, seat)
    first, second = appraisal.two_best(game, seat, 0, PROJECTS, evaluator)
    most = evaluator.discounted[seat, first] if first != NOTHING else 0.0
    other = 0.0
    if second != NOTHING:
        before, value = projects.card_of(game, seat, first), evaluator.value[seat, second]
        turns = projects.turns_of(box, game, seat, second, before, weights)
        if evaluator.second_turns[seat] != turns:
            evaluator.second_turns[seat], evaluator.second_discount[seat] = turns, weights.turn**turns
        card, discount = projects.card_of(game, seat, second), evaluator.second_discount[seat]
        other = weights.second * projects.discounted_by(box, card, second, value, turns, discount, time, weights)
    keeps = projects.faded(time, weights)
    coins = keeps * values.term_coins(game.coins[seat], weights)
    cards = 0.0
    for worker in range(state.WORKER_CARDS):
        cards += keeps * weights.card[worker] * game.hand[seat, worker]
    spare = keeps * values.term_spare(box, game, seat, weights)
    powers = projects.term_powers(game, seat, weights)
    recall = weights.loose * projects.left(time, weights) * projects.term_recall(box, game, seat, weights)
    pending = appraisal.kept_term_pending(box, game, seat, evaluator)
    gain = most + other + cards + coins + spare + powers - recall + pending
    evaluator.score[seat], evaluator.seat_value[seat] = score, score + gain
    at += 1
    for points in (score, gain, most + other, most, other, cards, coins, spare, powers, recall, pending):
        at = put(out, at, points)
    return at


@kernel
def put_clock(box, game, seat, time, evaluator, out, at):
    """Write own turns until the end, turns to the sixth worker, the part to come, and turns to wait, one-hot."""
    at = put(out, at, time)
    at = put(out, at, appraisal.turns_to_last(box, game, seat, evaluator))
    at = put(out, at, projects.left(time, evaluator.weights))
    out[at + projects.waiting(box, game, seat)] = 1
    return at + state.SEATS


@kernel
def put_best(box, game, seat, low, high, evaluator, out, at):
    """Write the BEST projects among low..high-1; the first ones there are where none has a value above 0."""
    first, second = appraisal.two_best(game, seat, low, high, evaluator)
    for rank in range(BEST):
        project = first if rank == 0 else second
        if project == NOTHING:
            project = low + rank if low + rank != first else low
        if projects.card_of(game, seat, project) != NOTHING:
            put_project(box, game, seat, project, evaluator, out, at)
        at += PROJECT
    return at


@kernel
def put_project(box, game, seat, project, evaluator, out, at):
    """Write the PROJECT numbers of a project."""
    card, paid = projects.card_of(game, seat, project), 0
    at = put(out, at, 1)
    at = put(out, at, evaluator.discounted[seat, project])
    at = put(out, at, evaluator.value[seat, project])
    at = put(out, at, evaluator.turns[seat, project])
    at = put(out, at, appraisal.kept_worth_of_next(seat, box.suit[card], evaluator))
    at = put(out, at, evaluator.price[seat, project])
    for resource in range(state.RESOURCES):
        out[at + 2 + resource] = evaluator.missing[seat, project, resource]
        paid += box.cost[card, resource]
    at = put(out, at, paid)
    at = put(out, at, box.per[card])
    return at + state.RESOURCES


@kernel
def put_holdings(game, seat, out, at):
    """Write hand, stock, coins, settled and held buildings, and characters."""
    for worker in range(state.WORKER_CARDS):
        at = put(out, at, game.hand[seat, worker])
    at = put(out, at, workers.hand_size(game, seat))
    at = put(out, at, turn.recover_price(game, seat))
    for resource in range(state.RESOURCES):
        out[at + resource] = game.stock[seat, resource]
        out[at + state.RESOURCES + resource] = game.upper[resource, seat]
    at = put(out, at + 2 * state.RESOURCES, game.supply[seat])
    at = put(out, at, game.supply[seat] == 0)
    at = put_steps(out, at, game.coins[seat], state.MOST_COINS)
    at = put_steps(out, at, game.settled[seat], THROUGH)
    at = put_steps(out, at, game.holding[seat], state.MOST_HELD)
    for character in range(state.CHARACTERS):
        out[at + character] = game.owner[character] == seat
    return at + state.CHARACTERS


@kernel
def put_city(seat, evaluator, out, at):
    """Write the points for each further card that own formulas count, own cards in the city, and their value."""
    for counts in range(COUNTS):
        at = put(out, at, evaluator.formula[seat, counts])
    at = put(out, at, evaluator.built[seat, 0])
    return put(out, at, evaluator.built[seat, 1])


@kernel
def put_turn(game, seat, out, at):
    """Write marks, the phase and bonuses of the seat to move, and the turn of the active seat; zeros for others."""
    mine, moves = game.active == seat, game.to_move == seat
    at = put(out, at, mine)
    at = put(out, at, moves)
    at = put(out, at, game.first == seat)
    at = put(out, at, game.trigger == seat)
    at = put(out, at, characters.on_square(game, seat))
    if moves:
        out[at + projects.phase_of_turn(game)] = 1
        out[at + PHASES] = game.phase == state.Phase.DISCARD
    at = put(out, at + PHASES + 1, mine and game.recovered)
    at = put(out, at, mine and game.flipped)
    at = put(out, at, mine and game.swapped)
    at = put(out, at, mine and game.built)
    if moves:
        for bonus in range(state.BONUSES):
            out[at + bonus] = game.pending[bonus]


NUMBERS = [
    ("own", "f4", (state.SEATS, OWN_SIZE)),  # inputs of each seat
    ("shared", "f4", (SHARED_SIZE,)),  # inputs of the table
    ("odds", "f8", (state.SEATS,)),  # each seat's log odds by the formula
    ("seat_value", "f8", (state.SEATS,)),  # score and expected gain, in points
    ("score", "f8", (state.SEATS,)),
    ("value", "f8", (state.SEATS, PROJECTS)),  # points of projects on their best cells
    ("turns", "f8", (state.SEATS, PROJECTS)),  # until they are built
    ("discounted", "f8", (state.SEATS, PROJECTS)),  # points of projects, less for those that are far
    ("discount_turns", "f8", (state.SEATS, PROJECTS)),  # of the discounts below, which are kept
    ("discount", "f8", (state.SEATS, PROJECTS)),
    ("second_turns", "f8", (state.SEATS,)),  # the same of the second best project, done after the best one
    ("second_discount", "f8", (state.SEATS,)),
    ("price", "f8", (state.SEATS, PROJECTS)),  # missing coins
    ("missing", "f4", (state.SEATS, PROJECTS, state.RESOURCES)),
    ("next_character", "f8", (state.SEATS, state.GUILDS)),  # what each guild's next character is worth
    ("take", "f8", (state.SEATS, state.RESOURCES)),  # what each resource costs
    ("formula", "f8", (state.SEATS, len(Counts))),  # points for a further card, over all own buildings
    ("built", "f8", (state.SEATS, 2)),  # own buildings and their value
    ("suits", "f8", (state.SUITS,)),  # cards of each suit in the city
]


@kernel
def look(box, game, evaluator):
    """Write own, shared and odds of a game that is not over."""
    evaluator.own[:] = np.float32(0)
    evaluator.shared[:] = np.float32(0)
    appraisal.count_city(box, game, evaluator)
    kept = appraisal.find_city(game, evaluator)
    appraisal.count_characters(box, game, evaluator)
    for seat in range(box.players):
        appraisal.count_prices(box, game, seat, evaluator)
        for project in range(PROJECTS):
            if projects.card_of(game, seat, project) != NOTHING:
                appraisal.count_turns(box, game, seat, project, evaluator)
    end = appraisal.end_of_game(box, game, evaluator)
    remaining = 0.0
    for seat in range(box.players):
        time = projects.own_turns(box, game, seat, end)
        remaining = max(remaining, projects.left(time, evaluator.weights))
        for project in range(PROJECTS):
            card = projects.card_of(game, seat, project)
            if card != NOTHING:
                if seat == 0 or project < state.HELD:  # the row's places are found for all seats at once
                    appraisal.look_for_places(box, game, card, evaluator, kept)
                appraisal.appraise(box, game, seat, project, card, time, evaluator.best[kept, card, seat], evaluator)
        put_seat(box, game, seat, end, time, evaluator)
    put_odds(box, game, remaining, evaluator)
    put_shared(box, game, end, remaining, evaluator, evaluator.shared)


@kernel
def put_odds(box, game, remaining, evaluator):
    """Every seat's log odds by the formula, less their mean: the softmax of them is `formula.values`."""
    weights, mean = evaluator.weights, 0.0
    certainty = weights.certainty[1] + (weights.certainty[0] - weights.certainty[1]) * remaining
    for seat in range(box.players):
        tempo = weights.tempo * (1.0 - remaining) * values.next_up(box, game, seat)
        evaluator.odds[seat] = certainty * evaluator.seat_value[seat] + tempo
        mean += evaluator.odds[seat] / box.players
    for seat in range(box.players):
        evaluator.odds[seat] -= mean
        evaluator.own[seat, 0] = evaluator.odds[seat]


@kernel
def put_shared(box, game, end, remaining, evaluator, out):
    """Write the inputs of the table; end: turns of all seats until the game may end; remaining: fraction left, 0..1."""
    for resource in range(state.RESOURCES):
        slot = board.cheapest_slot(box, game, resource)
        out[resource] = box.slot_price[slot]
        for other in range(slot, box.upper_slot):
            out[state.RESOURCES + resource] += game.lodger[resource, other] == NOBODY
    at = put(out, 2 * state.RESOURCES, game.city_size)
    at = put(out, at, game.frontier_size)
    for suit in range(state.SUITS):
        out[at + suit] = evaluator.suits[suit]
        out[at + state.SUITS + suit] = game.unseen[suit]
    at += 2 * state.SUITS
    for position in range(state.ROW):
        card = game.row[position]
        if card != NOTHING:
            out[at + box.suit[card]] += 1
            for resource in range(state.RESOURCES):
                out[at + state.SUITS + resource] += box.cost[card, resource]
    at += state.SUITS + state.RESOURCES
    for guild in range(state.GUILDS):
        size = game.pile_size[guild]
        out[at + guild] = size
        if size > 0 and game.pile[guild, size - 1] != NOTHING:
            out[at + state.GUILDS + game.pile[guild, size - 1]] = 1
    at = put(out, at + state.GUILDS + state.CHARACTERS, game.rounds)
    at = put(out, at, end)
    at = put(out, at, remaining)
    put(out, at, game.trigger != NOBODY)
