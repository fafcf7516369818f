"""The heuristic's features: points so far, values of own cards, and expected values of rivals' cards.

A card's value is the points of its own building's tokens, without what follows from these: a lower bound of the points
that playing it would bring, 0 where it cannot be played.

    expected highest value of a hand = sum over values v from 1 of: 1 - P(no card of the hand has v or more)

The chance is hypergeometric: the hand is drawn from the cards that the seat has not seen.
"""

from typing import NamedTuple

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOBODY, NOTHING, CardType
from oddville_env.oldtown.rules import clues, play, setup, worlds
from oddville_env.oldtown.rules.state import TOKENS, Phase

COUNTS = -1  # of a card that confirms or contradicts: it can be one of a pair
MOST = 2 * TOKENS  # the highest value of a card


@kernel
def card_value(box, game, world, card, own):
    """The points of a card with an own building, 0 where it cannot be played, COUNTS where it counts for a pair.

    world: a board that has been looked at.
    """
    kind = box.card_type[card]
    if kind == CardType.C:
        if not clues.may_speak_of(box, card, own):
            return 0
        return value_of_pairs(box, game, world, card, own)
    building = box.named[card] if kind == CardType.A else own
    if building == NOTHING:
        return 0
    return value_of_lots(int(game.sets[building]), box.lots[card], world)


@kernel
def value_of_lots(before, lots, world):
    """[P2-P7] The points where a building keeps some lots; `before` is its set, 0 where it is unknown."""
    left = lots & (before if before != 0 else world.open)
    if left == 0 or left == before:
        return COUNTS
    if before == 0 and clues.room(world, left) != clues.Verdict.CHANGE:
        return 0
    return gone(before, left)


@kernel
def gone(before, left):
    """[P7] The tokens of one building that go."""
    laid = TOKENS if before == 0 else (0 if worlds.is_single(before) else int(worlds.count(before)))
    return laid - (0 if worlds.is_single(left) else int(worlds.count(left)))


@kernel
def value_of_pairs(box, game, world, card, own):
    """[P2-P7] The points of a C card: what its pairs leave of both buildings, other buildings aside.

    The loop has no branches: it becomes vector instructions, and cards are asked so thousands of times in a search.
    """
    first, second = int(game.sets[box.named[card]]), int(game.sets[own])
    sets = first if first != 0 else world.open
    others = second if second != 0 else world.open
    left = others_left = np.int64(0)
    for number in range(LOTS):
        lot = sets & (1 << number)
        partners = box.pairs[card, 0, number] & others if lot != 0 else 0
        left |= lot if partners != 0 else 0
        others_left |= partners
    if left == 0 or (left == first and others_left == second):
        return COUNTS
    if not fits(world, first, second, left, others_left):
        return 0
    return gone(first, left) + gone(second, others_left)


@kernel
def fits(world, first, second, left, others):
    """[P3 P4] Unknown buildings find room for their tokens."""
    if first == 0 and second == 0:
        return clues.room_for_both(world, left, others) == clues.Verdict.CHANGE
    if first == 0:
        return clues.room(world, left) == clues.Verdict.CHANGE
    return second != 0 or clues.room(world, others) == clues.Verdict.CHANGE


@kernel
def best_card_value(box, game, world, card, seat):
    """A card's highest value with the seat's own buildings; COUNTS where it counts with one and brings nothing."""
    best, counting = 0, False
    for choice in range(clues.choices(box, card)):
        value = card_value(box, game, world, card, game.mine[seat, choice])
        counting = counting or value == COUNTS
        best = max(best, value)
    return COUNTS if best == 0 and counting else best


BEST = 3  # cards of the own hand whose values are features of their own
POOLS = 2  # unseen cards by where they were dealt: types A and C, type B
FULL = 90.0  # P7: points of all tokens


class Feature(NamedTuple):
    """A feature: its name, which weight files use, and what it counts."""

    name: str
    text: str


FEATURES = (
    Feature("one", "always 1"),
    Feature("lead", "points more than the best rival"),
    Feature("ahead", "points more than the rivals' mean"),
    Feature("first", "the highest value of the own cards"),
    Feature("second", "the second-best one"),
    Feature("third", "the third-best one"),
    Feature("playable", "own cards with a value above 0"),
    Feature("pair", "two own cards count for a pair"),
    Feature("counting", "own cards that count for a pair"),
    Feature("hand", "own cards"),
    Feature("next", "the expected highest value of the next seat's cards"),
    Feature("others", "the mean of the same over the seats after it"),
    Feature("next_playable", "cards of the next seat that are expected to have a value above 0"),
    Feature("next_counting", "cards of the next seat that are expected to count for a pair"),
    Feature("next_hand", "cards of the next seat"),
    Feature("twos", "buildings with two tokens"),
    Feature("tokens", "tokens on the board"),
    Feature("mine", "own buildings"),
    Feature("next_mine", "own buildings of the next seat"),
    Feature("own", "cards of the own stack"),
    Feature("next_own", "cards of the next seat's own stack"),
    Feature("common", "cards of the common stack"),
    Feature("to_move", "the seat is still to move"),
    Feature("over", "the game is over"),
)
NUMBERS = len(FEATURES)


@kernel
def look(box, game, seat, board, out):
    """Write a seat's features into out [NUMBERS], and return the part of all points that is left, 0..1.

    board [1] WORLD is working memory.
    """
    world = board[0]
    worlds.look(game, world)
    out[0] = 1.0
    out[1], out[2] = leads(box, game, seat)
    look_at_hand(box, game, world, seat, out)
    look_at_rivals(box, game, world, seat, out)
    look_at_board(box, game, seat, out)
    return play.total_worth(game) / FULL


@kernel
def leads(box, game, seat):
    """The points that a seat has more than its best rival, and than the rivals' mean."""
    best, total = -1, 0
    for other in range(box.players):
        if other != seat:
            best = max(best, game.score[other])
            total += game.score[other]
    return game.score[seat] - best, game.score[seat] - total / (box.players - 1)


@kernel
def look_at_hand(box, game, world, seat, out):
    """Features first to hand."""
    out[3] = out[4] = out[5] = out[6] = out[8] = 0.0
    for card in range(CARDS):
        if game.hand[seat] & play.bit(card) != 0:
            value = best_card_value(box, game, world, card, seat)
            if value == COUNTS:
                out[8] += 1
            elif value > 0:
                out[6] += 1
                rank_value(value, out)
    out[7] = out[8] > 1
    out[9] = game.hand_size[seat]


@kernel
def rank_value(value, out):
    """Put a card's value among the highest ones, features first to third."""
    for rank in range(3, 3 + BEST):
        if value > out[rank]:
            value, out[rank] = out[rank], value


@kernel
def look_at_rivals(box, game, world, seat, out):
    """Features next to next_hand: of rivals, by the cards that the seat has not seen."""
    unseen = unseen_cards(game, seat)
    out[10] = out[11] = out[12] = out[13] = out[14] = 0.0
    tally = np.zeros((POOLS, MOST + 2), np.int64)
    for step in range(1, box.players):
        other = (seat + step) % box.players
        tally[:] = 0
        tally_card_values(box, game, world, other, unseen, tally)
        late, early = from_common(box, game, other)
        best = expected_best(tally, early, late)
        if step == 1:
            out[10], out[14] = best, game.hand_size[other]
            out[12] = expected_number(tally, early, late, 2, MOST + 2)
            out[13] = expected_number(tally, early, late, 0, 1)
        else:
            out[11] += best / (box.players - 2)


@kernel
def unseen_cards(game, seat):
    """[K1] The set of cards that a seat has never seen."""
    seen = np.int64(game.hand[seat])
    for number in range(game.plays):
        seen |= play.bit(game.played[number])
    return ~seen


@kernel
def tally_card_values(box, game, world, seat, unseen, tally):
    """Unseen cards by pool and by the value that they have for the seat: tally [POOLS, MOST + 2], from COUNTS on."""
    for card in range(CARDS):
        if unseen & play.bit(card) != 0:
            pool = 1 if box.card_type[card] == CardType.B else 0
            tally[pool, best_card_value(box, game, world, card, seat) - COUNTS] += 1


@kernel
def from_common(box, game, seat):
    """[S3] How many cards of a hand are of type B, as far as one can know, and how many of the others."""
    late = 0
    for place in range(box.common_place, box.out_place):
        late += game.holder[place] == seat
    for number in range(game.plays):
        late -= game.played_by[number] == seat and box.card_type[game.played[number]] == CardType.B
    late = min(max(late, 0), int(game.hand_size[seat]))
    return late, game.hand_size[seat] - late


@kernel
def expected_best(tally, early, late):
    """The expected highest value of a hand with so many cards of each pool."""
    below, expected = np.zeros(POOLS, np.int64), 0.0
    below[0], below[1] = tally[0, 0] + tally[0, 1], tally[1, 0] + tally[1, 1]
    sizes = tally.sum(axis=1)
    for value in range(1, MOST + 1):
        none = none_above(below[0], sizes[0], early) * none_above(below[1], sizes[1], late)
        expected += 1.0 - none
        for pool in range(POOLS):
            below[pool] += tally[pool, value + 1]
    return expected


@kernel
def none_above(below, size, draws):
    """The chance that all cards drawn are of the `below` ones among `size`."""
    chance = 1.0
    for draw in range(min(draws, size)):
        chance *= max(below - draw, 0) / (size - draw)
    return chance


@kernel
def expected_number(tally, early, late, low, high):
    """The expected number of cards of such a hand in columns low..high-1."""
    return early * tally[0, low:high].sum() / max(tally[0].sum(), 1) + late * tally[1, low:high].sum() / max(
        tally[1].sum(), 1
    )


@kernel
def look_at_board(box, game, seat, out):
    """Features twos to over."""
    out[15] = out[16] = 0.0
    for building in range(BUILDINGS):
        size = worlds.count(int(game.sets[building]))
        out[15] += size == 2
        out[16] += size if size > 1 else 0
    following = (seat + 1) % box.players
    out[17], out[18] = setup.mine_size(game, seat), setup.mine_size(game, following)
    out[19], out[20], out[21] = game.own[seat], game.own[following], game.common
    out[22] = game.to_move == seat
    out[23] = game.phase == Phase.OVER or game.to_move == NOBODY
