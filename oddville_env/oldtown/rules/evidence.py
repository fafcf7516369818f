"""Chapter K: what all seats saw, and a deal must fit.

These are the types of S3, each card played from a hand that had taken it by then, and K3: no card of a hand that was
stuck could be played, and at most one of them counted for a pair. Q2: a hand that shows a pair holds its second card.
"""

import numpy as np

from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import CARDS, NOBODY, NOTHING, CardType

from . import clues, worlds
from .play import bit as bit
from .state import EVERY_CARD, STATE, Phase, Stream, event_of

TYPES = len(CardType)
PLAYABLE, COUNTING = 0, 1  # columns of what a stuck hand cannot hold, and what it can hold but one of
SAMPLE = event_of(Stream.SAMPLE, 0)


@kernel
def plays(game):
    """[K1] How many cards were played or shown, the first card of a pair, which still is in the hand, among them."""
    return game.plays + (game.shown != NOTHING)


@kernel
def play(game, number):
    """[K1] A card that was played, its player, and how many cards that seat had taken by then."""
    if number < game.plays:
        return game.played[number], game.played_by[number], game.played_after[number]
    return game.shown, game.to_move, game.taken[game.to_move]


@kernel
def known_cards(game):
    """The set of cards on places that are not blank."""
    lies = np.int64(0)
    for place in range(CARDS):
        if game.deal[place] != NOTHING:
            lies |= bit(game.deal[place])
    return lies


@kernel
def is_weighed(game, viewer):
    """[K3 Q2] Whether deals must fit more than types and plays: another hand was stuck, or shows a pair."""
    if viewer == NOBODY:
        return False
    for number in range(game.stucks):
        if game.stuck_seat[number] != viewer:
            return True
    return game.phase == Phase.SHOW and game.to_move != viewer


@kernel
def stuck_hands(box, game, viewer, lies):
    """[K3 Q2] The cards that each stuck hand of another seat cannot have held: sets of cards [N, 2].

    The last row is about a seat that has shown the first card of a pair: its hand holds a second one. Cards on known
    places, the set `lies`, are in no hand that is asked about.
    """
    masks = np.zeros((game.stucks + 1, 2), np.int64)
    judge_hands(box, game, viewer, lies, np.zeros(1, STATE), np.zeros(1, worlds.WORLD), masks)
    return masks


@kernel
def judge_hands(box, game, viewer, lies, games, boards, masks):
    """The same, with working memory that the caller keeps alive: games [1] STATE, boards [1] WORLD."""
    then, world = games[0], boards[0]
    for number in range(game.stucks):
        if game.stuck_seat[number] != viewer:
            overwrite(then.sets, game.stuck_sets[number])
            gone = lies | played_before(game, game.stuck_plays[number])
            judge_all(box, then, world, game.stuck_mine[number], EVERY_CARD & ~gone, masks[number])
    if game.phase == Phase.SHOW and game.to_move != viewer:
        overwrite(then.sets, game.sets)
        gone = lies | played_before(game, game.plays) | (bit(game.shown + 1) - 1)
        judge_all(box, then, world, game.mine[game.to_move], EVERY_CARD & ~gone, masks[game.stucks])


@kernel
def played_before(game, number):
    """The set of the first cards that were played."""
    gone = np.int64(0)
    for each in range(number):
        gone |= bit(game.played[each])
    return gone


@kernel
def judge_all(box, then, world, mine, cards, masks):
    """[P1 Q1] Of a set of cards those that could be played and those that count: masks [2]."""
    worlds.look(then, world)
    for card in range(CARDS):
        if cards & bit(card) != 0:
            for choice in range(clues.choices(box, card)):
                verdict = clues.judge(box, then, world, card, mine[choice])
                if clues.may_play(box, verdict):
                    masks[PLAYABLE] |= bit(card)
                if clues.counts(verdict):
                    masks[COUNTING] |= bit(card)


@kernel
def first_cards(game, places, seat, taken):
    """The set of the first cards that a seat took, those that it has played among them: places [P, HOLDINGS]."""
    cards = np.int64(0)
    for order in range(taken):
        if places[seat, order] != NOTHING:
            cards |= bit(game.deal[places[seat, order]])
    return cards


@kernel
def fits(game, viewer, places, masks):
    """[K3 Q2] Whether the cards on the places that other seats took fit what these could not do, or did."""
    for number in range(game.stucks):
        if game.stuck_seat[number] != viewer:
            hand = first_cards(game, places, game.stuck_seat[number], game.stuck_taken[number])
            counting = hand & masks[number, COUNTING]
            if hand & masks[number, PLAYABLE] != 0 or counting & (counting - 1) != 0:
                return False
    if game.phase != Phase.SHOW or game.to_move == viewer:
        return True
    hand = first_cards(game, places, game.to_move, game.taken[game.to_move])
    return hand & masks[game.stucks, COUNTING] != 0
