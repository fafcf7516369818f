"""One move ahead: every legal move is played in an imagined game, and what the seat sees there is judged."""

import numpy as np

from oddville_agents.oldtown.greedy.choice import imagine
from oddville_agents.oldtown.value.evaluator import worth
from oddville_env.core.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING
from oddville_env.oldtown.rules import play, turn, worlds
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.state import PAIR


@kernel
def worth_of_move(box, game, action, evaluator, imagined):
    """The mover's log odds of winning after a move: imagined [3] STATE is working memory."""
    seat, kind = game.to_move, box.kind[action]
    if kind == Kind.SHOW:
        return worth_of_show(box, game, box.part[action, 0], evaluator, imagined)
    imagine(box, game, action, imagined)
    return worth(box, imagined[0], seat, evaluator)


@kernel
def worth_of_show(box, game, card, evaluator, imagined):
    """[Q] The log odds after the best pair with this card, and after the removal of the best token."""
    if game.shown != NOTHING:
        show(box, game, game.shown, card, imagined)
        return worth_of_removal(box, game.to_move, evaluator, imagined)
    best, partner = -np.inf, NOTHING
    for other in range(card + 1, CARDS):
        if game.counting & play.bit(other) != 0:
            show(box, game, card, other, imagined)
            end_turn(box, imagined[0])
            odds = worth(box, imagined[0], game.to_move, evaluator)
            if odds > best:
                best, partner = odds, other
    if partner == NOTHING:
        return best
    show(box, game, card, partner, imagined)
    return worth_of_removal(box, game.to_move, evaluator, imagined)


@kernel
def show(box, game, card, other, imagined):
    """[Q2] Two cards leave the hand, in imagined[0]."""
    imagined[0] = game
    play.discard(imagined[0], card)
    play.discard(imagined[0], other)


@kernel
def end_turn(box, game):
    """[D1] Two cards are drawn of which nothing is known, and the next seat has its turn."""
    game.hand_size[game.to_move] += PAIR
    game.to_move = (game.to_move + 1) % box.players


@kernel
def worth_of_removal(box, seat, evaluator, imagined):
    """[Q3] The log odds in imagined[0] without the best token, or as it is where there is none."""
    best = -np.inf
    for building in range(BUILDINGS):
        lots = int(imagined[0].sets[building])
        if worlds.count(lots) > 1:
            for lot in range(LOTS):
                if lots >> lot & 1:
                    imagined[1] = imagined[0]
                    play.apply_removal(imagined[1], building, lot)
                    turn.end_action(box, imagined[1], PAIR)
                    best = max(best, worth(box, imagined[1], seat, evaluator))
    if best == -np.inf:
        end_turn(box, imagined[0])
        best = worth(box, imagined[0], seat, evaluator)
    return best


@kernel
def judge_moves(boxes, games, index, mask, evaluators, imagined, odds):
    """The log odds after every legal move: mask [A] bool, odds [A] float, which is left alone elsewhere."""
    for action in range(mask.size):
        if mask[action]:
            odds[action] = worth_of_move(boxes[0], games[index], action, evaluators[0], imagined)


@kernel
def best_move(boxes, games, index, mask, evaluators, imagined):
    """The legal move with the best odds, the first of equals: mask [A] bool, imagined [3] STATE."""
    best, most = NOTHING, -np.inf
    for action in range(mask.size):
        if mask[action]:
            if games[index].legal_count == 1:
                return action
            odds = worth_of_move(boxes[0], games[index], action, evaluators[0], imagined)
            if odds > most or best == NOTHING:
                best, most = action, odds
    return best
