"""Chapter K: what everybody saw, and a deal must fit.

These are the types of S3, each card played from a hand that had taken it by then, and K3: no card of a hand that was
stuck could be played, and at most one of them counted for a pair.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, NOBODY, NOTHING, CardType

from . import clues, play, worlds
from .state import STATE, Phase

TYPES = len(CardType)
PLAYABLE, COUNTING = 0, 1  # columns of what a stuck hand cannot hold, and what it can hold but one of
BY, AFTER = 0, 1  # columns of what is known of a played card: whose it was, and how many that seat had taken by then


@kernel
def unknown_places(game):
    """The blank places, and their number."""
    free, spots = np.zeros(CARDS, np.int64), 0
    for place in range(CARDS):
        if game.deal[place] == NOTHING:
            free[spots] = place
            spots += 1
    return free, spots


@kernel
def known_plays(game):
    """[K1] For every card whose hand it came from, and how many cards that seat had taken: [CARDS, 2].

    The first card of a pair, which still is in the hand, is known as well.
    """
    facts = np.full((CARDS, 2), NOTHING, np.int64)
    for number in range(game.plays):
        facts[game.played[number], BY] = game.played_by[number]
        facts[game.played[number], AFTER] = game.played_after[number]
    if game.shown != NOTHING:
        facts[game.shown, BY] = game.to_move
        facts[game.shown, AFTER] = game.taken[game.to_move]
    return facts


@kernel
def stuck_hands(box, game):
    """[K3] The cards that each stuck hand cannot have held: sets of cards [N, 2].

    The last row is about the seat that has shown the first card of a pair: its hand holds a second one.
    """
    rows = game.stucks + 1
    masks = np.zeros((rows, 2), np.int64)
    games, board = np.zeros(1, STATE), np.zeros(1, worlds.WORLD)
    for number in range(game.stucks):
        judge_stuck(box, game, games[0], board, number, masks)
    if game.phase == Phase.SHOW:
        for building in range(BUILDINGS):
            games[0].sets[building] = game.sets[building]
        gone = played_before(game, game.plays)
        judge_all(box, games[0], board, game.mine[game.to_move], gone, masks[game.stucks])
        masks[game.stucks, PLAYABLE] = 0
        masks[game.stucks, COUNTING] &= ~(play.bit(game.shown + 1) - 1)
    return masks


@kernel
def judge_stuck(box, game, then, board, number, masks):
    """[K3] Judge all cards that were not played by then on the board as it was."""
    for building in range(BUILDINGS):
        then.sets[building] = game.stuck_sets[number, building]
    gone = played_before(game, game.stuck_plays[number])
    judge_all(box, then, board, game.stuck_mine[number], gone, masks[number])


@kernel
def played_before(game, plays):
    """The set of the first cards that were played."""
    gone = np.int64(0)
    for number in range(plays):
        gone |= play.bit(game.played[number])
    return gone


@kernel
def judge_all(box, then, board, mine, gone, masks):
    """[P1 Q1] The sets of cards, but those gone, that could be played and that count: masks [2]."""
    worlds.look(then, board[0])
    for card in range(CARDS):
        if gone & play.bit(card) == 0:
            for choice in range(clues.choices(box, card)):
                verdict = clues.judge(box, then, board[0], card, mine[choice])
                if clues.may_play(box, verdict):
                    masks[PLAYABLE] |= play.bit(card)
                if clues.counts(verdict):
                    masks[COUNTING] |= play.bit(card)


@kernel
def may_lie(game, facts, place, card):
    """[K1] A card that was played came from a place that its player had taken by then."""
    if facts[card, BY] == NOBODY:
        return True
    return game.holder[place] == facts[card, BY] and game.order[place] < facts[card, AFTER]


@kernel
def tallies(game, masks):
    """[K3] The number of cards in question that each stuck hand holds in this deal: [N, 2]."""
    tally = np.zeros_like(masks)
    for place in range(CARDS):
        note(game, masks, tally, place, game.deal[place], 1)
    return tally


@kernel
def note(game, masks, tally, place, card, sign):
    """[K3] A card comes to a place or leaves it: count it in the stuck hands that had taken the place."""
    for number in range(game.stucks):
        if game.holder[place] == game.stuck_seat[number] and game.order[place] < game.stuck_taken[number]:
            for column in range(2):
                if masks[number, column] & play.bit(card) != 0:
                    tally[number, column] += sign
    in_hand = game.phase == Phase.SHOW and game.holder[place] == game.to_move
    if in_hand and masks[game.stucks, COUNTING] & play.bit(card) != 0:
        tally[game.stucks, COUNTING] += sign


@kernel
def misfits(game, tally):
    """[K3] The misfit of the deal: 0 where it fits."""
    found = 0
    for number in range(game.stucks):
        found += tally[number, PLAYABLE] + max(tally[number, COUNTING] - 1, 0)
    if game.phase == Phase.SHOW and tally[game.stucks, COUNTING] == 0:
        found += 1
    return found
