"""The network's inputs, as `layout.OWN` and `layout.SHARED` list them, and on the way the formula of `greedy`.

`evaluator` is a record of `evaluator.evaluator_record`. The groups of a seat are written by `seat_features.py`.
"""

import numpy as np

from oddville_agents.oddville.value.formula.appraisal import (
    appraise,
    count_city,
    count_prices,
    count_turns,
    end_of_game,
)
from oddville_agents.oddville.value.formula.clock import left, own_turns
from oddville_agents.oddville.value.formula.places import find_city, look_for_places
from oddville_agents.oddville.value.formula.projects import card_of
from oddville_agents.oddville.value.formula.values import next_up
from oddville_agents.oddville.value.network.layout import OWN_SIZE, PROJECTS, SHARED_SIZE
from oddville_agents.oddville.value.network.seat_features import put, put_seat
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Counts
from oddville_env.oddville.rules import board
from oddville_env.oddville.rules.state import CHARACTERS, GUILDS, RESOURCES, ROW, SEATS, SUITS

NUMBERS = [
    ("own", "f4", (SEATS, OWN_SIZE)),  # inputs of each seat
    ("shared", "f4", (SHARED_SIZE,)),  # inputs of the table
    ("odds", "f8", (SEATS,)),  # each seat's log odds by the formula
    ("seat_value", "f8", (SEATS,)),  # score and expected gain, in points
    ("score", "f8", (SEATS,)),
    ("value", "f8", (SEATS, PROJECTS)),  # points of projects on their best cells
    ("turns", "f8", (SEATS, PROJECTS)),  # until they are built
    ("discounted", "f8", (SEATS, PROJECTS)),  # points of projects, less for those that are far
    ("price", "f8", (SEATS, PROJECTS)),  # missing coins
    ("missing", "f4", (SEATS, PROJECTS, RESOURCES)),
    ("next_character", "f8", (SEATS, GUILDS)),  # what each guild's next character is worth
    ("take", "f8", (SEATS, RESOURCES)),  # what each resource costs
    ("formula", "f8", (SEATS, len(Counts))),  # points for a further card that is counted, over all own buildings
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
                count_turns(box, game, seat, project, evaluator)
    end = end_of_game(box, game, evaluator)
    remaining = 0.0
    for seat in range(box.players):
        time = own_turns(box, game, seat, end)
        remaining = max(remaining, left(time, evaluator.weights))
        for project in range(PROJECTS):
            card = card_of(game, seat, project)
            if card != NOTHING:
                look_for_places(box, game, card, evaluator, kept)
                appraise(box, game, seat, project, card, time, evaluator.best[kept, card, seat], evaluator)
        put_seat(box, game, seat, end, time, evaluator)
    put_odds(box, game, remaining, evaluator)
    put_shared(box, game, end, remaining, evaluator, evaluator.shared)


@kernel
def put_odds(box, game, remaining, evaluator):
    """Every seat's log odds by the formula, less their mean: the softmax of them is `formula.values`."""
    weights, mean = evaluator.weights, 0.0
    certainty = weights.certainty[1] + (weights.certainty[0] - weights.certainty[1]) * remaining
    for seat in range(box.players):
        tempo = weights.tempo * (1.0 - remaining) * next_up(box, game, seat)
        evaluator.odds[seat] = certainty * evaluator.seat_value[seat] + tempo
        mean += evaluator.odds[seat] / box.players
    for seat in range(box.players):
        evaluator.odds[seat] -= mean
        evaluator.own[seat, 0] = evaluator.odds[seat]


@kernel
def put_shared(box, game, end, remaining, evaluator, out):
    """Write the inputs of the table; end: turns of all seats until the game may end; remaining: fraction left, 0..1."""
    for resource in range(RESOURCES):
        slot = board.cheapest_slot(box, game, resource)
        out[resource] = box.slot_price[slot]
        for other in range(slot, box.upper_slot):
            out[RESOURCES + resource] += game.lodger[resource, other] == NOBODY
    at = put(out, 2 * RESOURCES, game.city_size)
    at = put(out, at, game.frontier_size)
    for suit in range(SUITS):
        out[at + suit] = evaluator.suits[suit]
        out[at + SUITS + suit] = game.unseen[suit]
    at += 2 * SUITS
    for position in range(ROW):
        card = game.row[position]
        if card != NOTHING:
            out[at + box.suit[card]] += 1
            for resource in range(RESOURCES):
                out[at + SUITS + resource] += box.cost[card, resource]
    at += SUITS + RESOURCES
    for guild in range(GUILDS):
        size = game.pile_size[guild]
        out[at + guild] = size
        if size > 0 and game.pile[guild, size - 1] != NOTHING:
            out[at + GUILDS + game.pile[guild, size - 1]] = 1
    at = put(out, at + GUILDS + CHARACTERS, game.rounds)
    at = put(out, at, end)
    at = put(out, at, remaining)
    put(out, at, game.trigger != NOBODY)
