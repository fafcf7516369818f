"""The value function of `greedy`: what a seat may hope for, in points, and how likely each seat is to win.

A seat's standing is its score and its hopes: what its buildings to come promise, and the worth of its means. Its
prospects are its standing less the best rival's outlook. agents/README.md explains the formula, `weights.py` every
weight. All kernels here take `weights` as one record and look at nothing hidden.
"""

import math

import numpy as np

from oddville_agents._jit import kernel
from oddville_agents.projects import (
    end_of_game,
    later,
    promises,
    spare_workers,
    waiting,
    worth_of_character,
    worth_of_favour,
)
from oddville_env.cards.words import NOBODY, NOTHING
from oddville_env.rules import scoring, turn
from oddville_env.rules.actions import Kind
from oddville_env.rules.state import (
    BONUSES,
    CHARACTERS,
    GUILDS,
    LAST_WORKER,
    MOST_HELD,
    ROW,
    SUITS,
    WORKER_CARDS,
    Phase,
)


@kernel
def worth_of_move(box, game, action, seat, weights, scratch):
    """Play a move in an imagined game and look at the seat's prospects; game and scratch [A] are overwritten."""
    game.seed = 0
    if box.kind[action] == Kind.FLIP:
        worth = prospects(box, game, seat, weights)
        return worth + weights.flip if game.holding[seat] < MOST_HELD else -np.inf
    cards = unseen_cards(game)
    turn.step(box, game, action, scratch)
    if unseen_cards(game) < cards:
        game.row[ROW - 1] = NOTHING
    return prospects(box, game, seat, weights)


@kernel
def unseen_cards(game):
    """[K1] Cards that have never lain face up."""
    total = 0
    for suit in range(SUITS):
        total += game.unseen[suit]
    return total


@kernel
def prospects(box, game, seat, weights):
    """What a seat may hope for beyond its best rival, in points; higher is better for the seat."""
    if game.phase == Phase.OVER:
        lead = scoring.score(box, game, seat) - weights.rivals * best_rival(box, game, seat, 0.0, weights)
        return lead + (weights.win if winner(box, game) == seat else -weights.win)
    end = end_of_game(box, game, weights)
    own = standing(box, game, seat, end, True, weights)
    rival = best_rival(box, game, seat, end, weights)
    return own - weights.rivals * rival + weights.hurry * (own - rival) * (1.0 - left(box, game, seat, end, weights))


@kernel
def best_rival(box, game, seat, end, weights):
    """The best outlook among the others: score and a part of the hopes."""
    best = -np.inf
    for other in range(box.players):
        if other != seat:
            outlook = float(scoring.score(box, game, other))
            if weights.schemes > 0 and game.phase != Phase.OVER:
                outlook += weights.schemes * hopes(box, game, other, end, False, weights)
            best = max(best, outlook)
    return best


@kernel
def winner(box, game):
    """[E3] The seat with the highest score, among equals the first after the trigger."""
    best, most = NOBODY, 0
    for seat in range(box.players):
        points = scoring.score(box, game, seat)
        ahead = points > most or (
            points == most and scoring.after_trigger(box, game, seat) < scoring.after_trigger(box, game, best)
        )
        if best == NOBODY or ahead:
            best, most = seat, points
    return best


@kernel
def standing(box, game, seat, end, looks, weights):
    """Score and hopes of a seat by itself; end: turns of all seats until the game may be over."""
    return scoring.score(box, game, seat) + hopes(box, game, seat, end, looks, weights)


@kernel
def hopes(box, game, seat, end, looks, weights):
    """What a seat may add to its score: buildings to come, means, growth and what is pending."""
    worth = promises(box, game, seat, own_turns(box, game, seat, end), looks, weights)
    faded = 1.0 - weights.fade * (1.0 - left(box, game, seat, end, weights))
    worth += faded * worth_of_means(box, game, seat, weights)
    worth += weights.tempo * (1.0 - waiting(box, game, seat) / (box.players - 1))
    if weights.ripe > 0:
        worth += weights.ripe * worth_of_growth(box, game, seat, weights)
    if weights.loose > 0:
        worth -= weights.loose * left(box, game, seat, end, weights) * worth_of_loose(box, game, seat, weights)
    if game.to_move == seat and game.phase == Phase.BONUS:
        worth += worth_of_pending(box, game, seat, weights)
    return worth


@kernel
def own_turns(box, game, seat, end):
    """How many main actions a seat will play until the game may be over."""
    return max(math.floor((end - waiting(box, game, seat) + box.players - 1) / box.players), 0.0)


@kernel
def left(box, game, seat, end, weights):
    """The part of the game that is still to come, 0 to 1."""
    return min(own_turns(box, game, seat, end) / (weights.pace * LAST_WORKER), 1.0)


@kernel
def worth_of_means(box, game, seat, weights):
    """Coins, worker cards in hand, the use of characters, and workers that no held building needs."""
    worth = worth_of_coins(game.coins[seat], weights) + spare_workers(box, game, seat, weights)
    for worker in range(WORKER_CARDS):
        worth += weights.card[worker] * game.hand[seat, worker]
    for character in range(CHARACTERS):
        if game.owner[character] == seat:
            worth += weights.power[character]
    return worth


@kernel
def worth_of_coins(coins, weights):
    """Each further coin helps less."""
    worth, next_coin = 0.0, weights.coin
    for _ in range(coins):
        worth += next_coin
        next_coin *= weights.saving
    return worth


@kernel
def worth_of_growth(box, game, seat, weights):
    """[V1] What the seat's buildings in the city will yet gain."""
    worth = 0.0
    for entry in range(1, game.city_size):
        if game.city_owner[entry] == seat:
            card = game.city_card[entry]
            if box.counts[card] != NOTHING:
                worth += box.per[card] * later(game, seat, box.counts[card], weights)
    return worth


@kernel
def worth_of_loose(box, game, seat, weights):
    """[G2] Characters that the next building of their guild calls back."""
    worth = 0.0
    for character in range(CHARACTERS):
        if game.owner[character] == seat and game.pile_size[box.guild[character]] == 0:
            worth += worth_of_character(box, character, weights)
    return worth


@kernel
def worth_of_pending(box, game, seat, weights):
    """[N6 G1] Bonuses still to be resolved, and the favour that follows them."""
    worth = 0.0
    for bonus in range(BONUSES):
        worth += game.pending[bonus] * weights.bonus[bonus]
    suit = box.suit[game.city_card[game.city_size - 1]]
    if suit < GUILDS and weights.favour > 0:
        worth += weights.favour * worth_of_favour(box, game, seat, suit, weights)
    return worth


@kernel
def values(box, game, weights, out):
    """How likely each seat is to win: out [P] float, in 0..1, summing to 1; when the game is over 1 for the winner."""
    if game.phase == Phase.OVER:
        out[:] = 0.0
        out[winner(box, game)] = 1.0
        return
    end = end_of_game(box, game, weights)
    best, course = -np.inf, 0.0
    for seat in range(box.players):
        out[seat] = standing(box, game, seat, end, True, weights)
        best = max(best, out[seat])
        course = max(course, left(box, game, seat, end, weights))
    temperature = weights.temperature[1] + (weights.temperature[0] - weights.temperature[1]) * course
    total = 0.0
    for seat in range(box.players):
        out[seat] = math.exp((out[seat] - best) / temperature)
        total += out[seat]
    for seat in range(box.players):
        out[seat] /= total
