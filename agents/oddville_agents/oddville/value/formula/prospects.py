"""The value function of `greedy`: what a seat may hope for, in points, and how likely each seat is to win.

A seat's standing is its score and its hopes: what its buildings to come promise, and the worth of its means. Its
prospects are its standing less the best rival's outlook. agents/README.md explains the formula, `weights.py` every
weight. All kernels take `weights` as one record and look at nothing hidden.
"""

import math

import numpy as np

from oddville_agents.oddville.value.formula.clock import end_of_game, faded, left, own_turns, phase_of_turn, waiting
from oddville_agents.oddville.value.formula.favours import favour_of_suit, worth_of_loose, worth_of_uses
from oddville_agents.oddville.value.formula.projects import promises
from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules import scoring, turn
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.state import (
    BONUSES,
    CHARACTERS,
    MOST_HELD,
    RESOURCES,
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
    imagine(box, game, action, scratch)
    return prospects(box, game, seat, weights)


@kernel
def imagine(box, game, action, scratch):
    """Play a move other than a flip, and cover what it reveals; the game is good for looking at, not for playing on."""
    cards, characters = unseen_cards(game), unseen_characters(game)
    turn.step(box, game, action, scratch)
    if unseen_cards(game) < cards:
        game.row[ROW - 1] = NOTHING
    if unseen_characters(game) < characters:
        cover_top(box, game)


@kernel
def unseen_cards(game):
    """[K1] How many buildings have never lain face up."""
    total = 0
    for suit in range(SUITS):
        total += game.unseen[suit]
    return total


@kernel
def unseen_characters(game):
    """[K2] How many characters have never lain on top or before a seat."""
    total = 0
    for character in range(CHARACTERS):
        total += not game.character_seen[character]
    return total


@kernel
def cover_top(box, game):
    """[K2] Forget the character that came to light when the last building brought the one above it."""
    guild = box.suit[game.city_card[game.city_size - 1]]
    top = game.pile_size[guild] - 1
    game.character_seen[game.pile[guild, top]] = False
    game.pile[guild, top] = NOTHING


@kernel
def prospects(box, game, seat, weights):
    """What a seat may hope for beyond its best rival, in points; higher is better for the seat."""
    if game.phase == Phase.OVER:
        lead = scoring.score(box, game, seat) - weights.rivals * best_rival(box, game, seat, 0.0, weights)
        return lead + (weights.win if scoring.winner(box, game) == seat else -weights.win)
    end = end_of_game(box, game, weights)
    own = scoring.score(box, game, seat) + hopes(box, game, seat, end, weights)
    rival = best_rival(box, game, seat, end, weights)
    late = 1.0 - left(own_turns(box, game, seat, end), weights)
    return own - weights.rivals * rival + weights.hurry * late * (own - rival)


@kernel
def best_rival(box, game, seat, end, weights):
    """The best outlook among the others: score and a part of the hopes."""
    best = -np.inf
    for other in range(box.players):
        if other != seat:
            outlook = float(scoring.score(box, game, other))
            if weights.schemes > 0 and game.phase != Phase.OVER:
                outlook += weights.schemes * hopes(box, game, other, end, weights)
            best = max(best, outlook)
    return best


@kernel
def hopes(box, game, seat, end, weights):
    """What a seat may add to its score; end: turns of all seats until the game may be over."""
    time = own_turns(box, game, seat, end)
    worth = promises(box, game, seat, time, weights)
    worth += faded(time, weights) * worth_of_means(box, game, seat, weights)
    worth += worth_of_uses(game, seat, weights)
    if weights.loose > 0:
        worth -= weights.loose * left(time, weights) * worth_of_loose(box, game, seat, weights)
    if game.to_move == seat and phase_of_turn(game) == Phase.BONUS:
        suit = box.suit[game.city_card[game.city_size - 1]]
        worth += worth_of_pending(game, favour_of_suit(box, game, seat, suit, weights), weights)
    return worth


@kernel
def worth_of_means(box, game, seat, weights):
    """Coins, worker cards in hand, and workers on the board that no held building needs."""
    worth = worth_of_coins(game.coins[seat], weights) + worth_of_spare(box, game, seat, weights)
    for worker in range(WORKER_CARDS):
        worth += weights.card[worker] * game.hand[seat, worker]
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
def worth_of_spare(box, game, seat, weights):
    """Workers on the board beyond what the held buildings cost together."""
    worth = 0.0
    for resource in range(RESOURCES):
        spare = game.stock[seat, resource]
        for index in range(game.holding[seat]):
            spare -= box.cost[game.held[seat, index], resource]
        worth += weights.spare[resource] * max(spare, 0)
    return worth


@kernel
def worth_of_pending(game, favour, weights):
    """[N6 G1] Bonuses still to be resolved, and the favour that follows them."""
    worth = 0.0
    for bonus in range(BONUSES):
        worth += game.pending[bonus] * weights.bonus[bonus]
    return worth + weights.favour * favour


@kernel
def values(box, game, weights, out):
    """How likely each seat is to win: out [P] float, in 0..1, summing to 1; when the game is over 1 for the winner."""
    if game.phase == Phase.OVER:
        out[:] = 0.0
        out[scoring.winner(box, game)] = 1.0
        return
    remaining = standings(box, game, weights, out)
    certainty = weights.certainty[1] + (weights.certainty[0] - weights.certainty[1]) * remaining
    for seat in range(box.players):
        out[seat] = certainty * out[seat] + weights.tempo * (1.0 - remaining) * next_up(box, game, seat)
    softmax(box, out)


@kernel
def softmax(box, out):
    """Every seat's log odds [P] become its chance."""
    best, total = -np.inf, 0.0
    for seat in range(box.players):
        best = max(best, out[seat])
    for seat in range(box.players):
        out[seat] = math.exp(out[seat] - best)
        total += out[seat]
    for seat in range(box.players):
        out[seat] /= total


@kernel
def next_up(box, game, seat):
    """[T1] 1 for the seat whose turn is next, 0 for the one whose turn is last."""
    return 1.0 - waiting(box, game, seat) / (box.players - 1)


@kernel
def standings(box, game, weights, out):
    """Score and hopes of every seat, all seen alike: out [P] float. Returns the part of the game to come."""
    end = end_of_game(box, game, weights)
    remaining = 0.0
    for seat in range(box.players):
        out[seat] = scoring.score(box, game, seat) + hopes(box, game, seat, end, weights)
        remaining = max(remaining, left(own_turns(box, game, seat, end), weights))
    return remaining
