"""`greedy`: one-ply search by points.

    move = argmax over legal moves of: the points that the move brings at once [P7]

It counts what lies on the board, and nothing that may follow.
"""

import numpy as np

from oddville_agents.agent import StatelessAgent
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import BatchView
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS, NOTHING
from oddville_env.oldtown.rules import play, turn, worlds
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.state import PAIR, STATE


class GreedyAgent(StatelessAgent):
    """Plays the most points at once; of buildings the one with the most tokens on the board; the first of equals."""

    name = "greedy"

    def write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves that bring the most points."""
        best_at_once_of_many(view.box.record, view.states, view.tables, view.masks, actions)


@kernel
def try_move(box, game, action, after):
    """Write the game behind a move into after[0]: good for looking at board and own cards, not for playing on."""
    after[0] = game
    turn.apply_word(box, after[0], action)


@kernel
def show(game, card, other, after):
    """[Q2] Two cards leave the hand, in after[0]."""
    after[0] = game
    play.discard(after[0], card)
    play.discard(after[0], other)


@kernel
def end_turn(box, game):
    """[D1] Two cards are drawn of which nothing is known, and the next seat has its turn."""
    game.hand_size[game.to_move] += PAIR
    game.to_move = (game.to_move + 1) % box.players


@kernel
def points_of_removal(game, after):
    """[Q4] The most points that removing one token brings."""
    most, seat = 0, game.to_move
    for building in range(BUILDINGS):
        for lot in range(LOTS):
            if play.may_remove(game, building, lot):
                after[0] = game
                play.apply_removal(after[0], building, lot)
                most = max(most, after[0].score[seat] - game.score[seat])
    return most


@kernel
def points_at_once(box, game, action, removal, after):
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
    try_move(box, game, action, after)
    return after[0].score[seat] - game.score[seat]


@kernel
def best_at_once(boxes, games, index, mask):
    """The legal move that brings the most points at once, the first of equals: mask [A] bool."""
    box, game = boxes[0], games[index]
    after = np.zeros(1, STATE)
    best, most, removal = NOTHING, -1, NOTHING
    for action in range(mask.size):
        if mask[action]:
            if removal == NOTHING and box.kind[action] == Kind.SHOW:
                removal = points_of_removal(game, after)
            points = points_at_once(box, game, action, removal, after)
            if points > most:
                best, most = action, points
    return best


@kernel
def best_at_once_of_many(boxes, games, tables, masks, actions):
    """Write the moves at some tables into actions [B]: games [T], tables [T], masks [B, A]."""
    for index in range(tables.size):
        actions[tables[index]] = best_at_once(boxes, games, index, masks[tables[index]])
