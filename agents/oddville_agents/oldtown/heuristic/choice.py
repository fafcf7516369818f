"""One move ahead: every legal move is played in an imagined game, and what the seat sees there is judged."""

import numpy as np

from oddville_agents.oldtown.greedy.choice import imagine
from oddville_agents.oldtown.heuristic.features import NUMBERS, look
from oddville_env.core.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING
from oddville_env.oldtown.rules import play, worlds
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.state import PAIR, STATE


@kernel
def judgement(box, game, seat, judge, board, seen):
    """The final lead that a seat foresees: the sum of its features, weighted for how much is left of all points.

    Where the judge [] JUDGE has neurons, they correct it.
    """
    left = look(box, game, seat, board, seen)
    lead = 0.0
    for number in range(NUMBERS):
        lead += seen[number] * (judge.late[number] + left * judge.early[number])
    for neuron in range(judge.neurons):
        drive = judge.bias[neuron] + left * judge.inner[neuron, NUMBERS]
        for number in range(NUMBERS):
            drive += judge.inner[neuron, number] * seen[number]
        lead += judge.outer[neuron] * max(drive, 0.0)
    return lead


@kernel
def worth_of_move(box, game, action, judge, board, seen, imagined):
    """A seat's prospects after a move: imagined [2] STATE is working memory."""
    seat, kind = game.to_move, box.kind[action]
    if kind == Kind.SHOW:
        return worth_of_show(box, game, box.part[action, 0], judge, board, seen, imagined)
    imagine(box, game, action, imagined)
    return judgement(box, imagined[0], seat, judge, board, seen)


@kernel
def worth_of_show(box, game, card, judge, board, seen, imagined):
    """[Q] The prospects after the best pair with this card, and after the removal of the best token."""
    seat, best = game.to_move, -np.inf
    if game.shown != NOTHING:
        return worth_of_pair(box, game, game.shown, card, judge, board, seen, imagined)
    for other in range(card + 1, CARDS):
        if game.counting & play.bit(other) != 0:
            best = max(best, worth_of_pair(box, game, card, other, judge, board, seen, imagined))
    if best == -np.inf:
        return best
    return best + worth_of_token(box, game, seat, judge, board, seen, imagined)


@kernel
def worth_of_pair(box, game, card, other, judge, board, seen, imagined):
    """[Q2] The prospects when a pair is gone, as if it were the next seat's turn."""
    seat = game.to_move
    imagined[0] = game
    game_then = imagined[0]
    play.discard(game_then, card)
    play.discard(game_then, other)
    game_then.hand_size[seat] += PAIR
    game_then.to_move = (seat + 1) % box.players
    return judgement(box, game_then, seat, judge, board, seen)


@kernel
def worth_of_token(box, game, seat, judge, board, seen, imagined):
    """[Q3] How much better the prospects are without the best token than with it."""
    imagined[1] = game
    imagined[1].to_move = (seat + 1) % box.players
    before, best = judgement(box, imagined[1], seat, judge, board, seen), -np.inf
    for building in range(BUILDINGS):
        lots = int(game.sets[building])
        if worlds.count(lots) > 1:
            for lot in range(LOTS):
                if lots >> lot & 1:
                    imagined[1] = game
                    play.apply_removal(imagined[1], building, lot)
                    imagined[1].to_move = (seat + 1) % box.players
                    best = max(best, judgement(box, imagined[1], seat, judge, board, seen))
    return max(best - before, 0.0)


@kernel
def judge_moves(boxes, games, index, mask, judges, worth):
    """The prospects after every legal move: mask [A] bool, worth [A] float, which is left alone elsewhere."""
    box, game, judge = boxes[0], games[index], judges[0]
    board, seen, imagined = np.zeros(1, worlds.WORLD), np.zeros(NUMBERS), np.zeros(2, STATE)
    for action in range(mask.size):
        if mask[action]:
            worth[action] = worth_of_move(box, game, action, judge, board, seen, imagined)


@kernel
def best_move(boxes, games, index, mask, judges):
    """The legal move with the best prospects, the first of equals: mask [A] bool."""
    box, game, judge = boxes[0], games[index], judges[0]
    board, seen, imagined = np.zeros(1, worlds.WORLD), np.zeros(NUMBERS), np.zeros(2, STATE)
    best, most = NOTHING, -np.inf
    for action in range(mask.size):
        if mask[action]:
            if game.legal_count == 1:
                return action
            worth = worth_of_move(box, game, action, judge, board, seen, imagined)
            if worth > most or best == NOTHING:
                best, most = action, worth
    return best


@kernel
def best_move_of_many(boxes, games, tables, masks, judges, actions):
    """Write the moves at some tables into actions [B]: games [T], tables [T], masks [B, A]."""
    for index in range(tables.size):
        actions[tables[index]] = best_move(boxes, games, index, masks[tables[index]], judges)
