"""The value function of `greedy`: a linear one with features of the rulebook, in points of the final score.

    value(seat) = score + expected_gain
    expected_gain = term_projects + faded x term_assets + term_powers - loose x left x term_recall + term_pending
    relative_value(seat) = value(seat) - rivals x best_rival + hurry x (1 - left) x (value(seat) - best_rival)
    values = softmax over seats of: certainty x value(seat) + tempo x (1 - left) x next_up(seat)

README.md of OddVille's agents explains the terms, `weights.py` every weight; `oddville_training.oddville.tune` fits
them. All kernels take `weights` as one record and look at nothing hidden.
"""

import math

import numpy as np

from oddville_agents.oddville.value.formula import projects
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules import scoring, state, turn
from oddville_env.oddville.rules.actions import Kind


@kernel
def value_after_move(box, game, action, seat, weights, scratch):
    """`relative_value` of the seat behind a move, in points; the game is overwritten by it, and scratch [A]."""
    game.seed = 0
    if box.kind[action] == Kind.FLIP:
        value = relative_value(box, game, seat, weights)
        return value + weights.flip if game.holding[seat] < state.MOST_HELD else -np.inf
    step_covered(box, game, action, scratch)
    return relative_value(box, game, seat, weights)


@kernel
def step_covered(box, game, action, scratch):
    """Play a move other than a flip and cover what it reveals; the game is good for looking at, not for playing on.

    The next legal moves are not counted; scratch [A] is working memory. A covered character that is taken is nobody's.
    """
    unseen, seen, covered = game.unseen.sum(), game.character_seen.sum(), covered_piles(game)
    last_owner = game.owner[NOTHING]
    turn.advance(box, game, action, scratch)
    if covered_piles(game) < covered:
        game.owner[NOTHING] = last_owner  # the index NOTHING is the last character's
    if game.unseen.sum() < unseen:
        game.row[state.ROW - 1] = NOTHING
    if game.character_seen.sum() > seen:  # [K2] the last building revealed a character
        guild = box.suit[game.city_card[game.city_size - 1]]
        top = game.pile_size[guild] - 1
        game.character_seen[game.pile[guild, top]] = False
        game.pile[guild, top] = NOTHING


@kernel
def covered_piles(game):
    """The number of guilds whose top character is covered."""
    covered = 0
    for guild in range(state.GUILDS):
        size = game.pile_size[guild]
        covered += size > 0 and game.pile[guild, size - 1] == NOTHING
    return covered


@kernel
def relative_value(box, game, seat, weights):
    """The seat's value beyond its best rival's, in points; higher is better for the seat."""
    if game.phase == state.Phase.OVER:
        lead = scoring.score(box, game, seat) - weights.rivals * best_rival(box, game, seat, 0.0, weights)
        return lead + (weights.win if scoring.winner(box, game) == seat else -weights.win)
    end = projects.end_of_game(box, game, weights)
    own = scoring.score(box, game, seat) + expected_gain(box, game, seat, end, weights)
    rival = best_rival(box, game, seat, end, weights)
    late = 1.0 - projects.left(projects.own_turns(box, game, seat, end), weights)
    return own - weights.rivals * rival + weights.hurry * late * (own - rival)


@kernel
def best_rival(box, game, seat, end, weights):
    """The best value among the others, in points: score and `schemes` of the expected gain."""
    best = -np.inf
    for other in range(box.players):
        if other != seat:
            value = float(scoring.score(box, game, other))
            if weights.schemes > 0 and game.phase != state.Phase.OVER:
                value += weights.schemes * expected_gain(box, game, other, end, weights)
            best = max(best, value)
    return best


@kernel
def expected_gain(box, game, seat, end, weights):
    """The points that a seat is expected to add to its score; end: turns of all seats until the game may be over."""
    time = projects.own_turns(box, game, seat, end)
    worth = projects.term_projects(box, game, seat, time, weights)
    worth += projects.faded(time, weights) * term_assets(box, game, seat, weights)
    worth += projects.term_powers(game, seat, weights)
    if weights.loose > 0:
        worth -= weights.loose * projects.left(time, weights) * projects.term_recall(box, game, seat, weights)
    if game.to_move == seat and projects.phase_of_turn(game) == state.Phase.BONUS:
        suit = box.suit[game.city_card[game.city_size - 1]]
        worth += term_pending(game, projects.worth_of_next_of_suit(box, game, seat, suit, weights), weights)
    return worth


@kernel
def term_assets(box, game, seat, weights):
    """Points of coins, worker cards in hand, and workers on the board that no held building needs."""
    worth = term_coins(game.coins[seat], weights) + term_spare(box, game, seat, weights)
    for worker in range(state.WORKER_CARDS):
        worth += weights.card[worker] * game.hand[seat, worker]
    return worth


@kernel
def term_coins(coins, weights):
    """Points of coins; each further one is worth `saving` of the one before."""
    worth, next_coin = 0.0, weights.coin
    for _ in range(coins):
        worth += next_coin
        next_coin *= weights.saving
    return worth


@kernel
def term_spare(box, game, seat, weights):
    """Points of workers on the board beyond what the held buildings cost together."""
    worth = 0.0
    for resource in range(state.RESOURCES):
        spare = game.stock[seat, resource]
        for index in range(game.holding[seat]):
            spare -= box.cost[game.held[seat, index], resource]
        worth += weights.spare[resource] * max(spare, 0)
    return worth


@kernel
def term_pending(game, next_character, weights):
    """[N6 G1] Points of bonuses still to be resolved, and of the character that follows them."""
    worth = 0.0
    for bonus in range(state.BONUSES):
        worth += game.pending[bonus] * weights.bonus[bonus]
    return worth + weights.favour * next_character


@kernel
def values(box, game, weights, out):
    """Every seat's chance to win: out [P] float, in 0..1, summing to 1; when the game is over 1 for the winner."""
    if game.phase == state.Phase.OVER:
        out[:] = 0.0
        out[scoring.winner(box, game)] = 1.0
        return
    remaining = seat_values(box, game, weights, out)
    certainty = weights.certainty[1] + (weights.certainty[0] - weights.certainty[1]) * remaining
    for seat in range(box.players):
        out[seat] = certainty * out[seat] + weights.tempo * (1.0 - remaining) * next_up(box, game, seat)
    softmax(box, out)


@kernel
def softmax(box, out):
    """Log odds out [P] become chances, in place."""
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
    return 1.0 - projects.waiting(box, game, seat) / (box.players - 1)


@kernel
def seat_values(box, game, weights, out):
    """Score and expected gain of every seat, seen alike: out [P] float, in points. Returns the part to come, 0..1."""
    end = projects.end_of_game(box, game, weights)
    remaining = 0.0
    for seat in range(box.players):
        out[seat] = scoring.score(box, game, seat) + expected_gain(box, game, seat, end, weights)
        remaining = max(remaining, projects.left(projects.own_turns(box, game, seat, end), weights))
    return remaining
