"""What a move brings at once, and the move that brings the most."""

import numpy as np

from oddville_env.core.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS, NOTHING
from oddville_env.oldtown.rules import play, turn, worlds
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.state import STATE


@kernel
def imagine(box, game, action, imagined):
    """Play a move in an imagined game: good for looking at the board and at one's own cards, not for playing on."""
    imagined[0] = game
    turn.apply_word(box, imagined[0], action)


@kernel
def points_of_removal(game, imagined):
    """[Q4] The most points that removing one token brings."""
    most, seat = 0, game.to_move
    for building in range(BUILDINGS):
        lots = int(game.sets[building])
        if worlds.count(lots) > 1:
            for lot in range(LOTS):
                if lots >> lot & 1:
                    imagined[0] = game
                    play.apply_removal(imagined[0], building, lot)
                    most = max(most, imagined[0].score[seat] - game.score[seat])
    return most


@kernel
def worth_at_once(box, game, action, removal, imagined):
    """[P7] The points that a move brings; a building is worth its tokens on the board, as the rulebook's tip says.

    removal: the points of the best removal, which is what a card that is shown brings.
    """
    kind = box.kind[action]
    if kind == Kind.TAKE:
        return int(worlds.count(int(game.sets[box.part[action, 0]])))
    if kind == Kind.SHOW:
        return removal
    if kind == Kind.DRAW or kind == Kind.PASS:
        return 0
    seat = game.to_move
    imagine(box, game, action, imagined)
    return imagined[0].score[seat] - game.score[seat]


@kernel
def best_at_once(boxes, games, index, mask):
    """The legal move that brings the most points at once, the first of equals: mask [A] bool."""
    box, game = boxes[0], games[index]
    imagined = np.zeros(1, STATE)
    best, most, removal = NOTHING, -1, NOTHING
    for action in range(mask.size):
        if mask[action]:
            if removal == NOTHING and box.kind[action] == Kind.SHOW:
                removal = points_of_removal(game, imagined)
            worth = worth_at_once(box, game, action, removal, imagined)
            if worth > most:
                best, most = action, worth
    return best


@kernel
def best_at_once_of_many(boxes, games, tables, masks, actions):
    """Write the moves at some tables into actions [B]: games [T], tables [T], masks [B, A]."""
    for index in range(tables.size):
        actions[tables[index]] = best_at_once(boxes, games, index, masks[tables[index]])
