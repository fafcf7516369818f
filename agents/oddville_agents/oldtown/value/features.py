"""The network's inputs of a game from one seat: compiled, and written as `network.SEAT` and `network.TABLE` list them.

Nothing is read here that the seat may not know. `evaluator` is the record of `evaluator.EVALUATOR`.
"""

from oddville_agents.oldtown.heuristic.card_values import COUNTS, best_card_value
from oddville_agents.oldtown.heuristic.features import (
    POOLS,
    expected_best,
    from_common,
    tally_card_values,
    unseen_cards,
)
from oddville_agents.oldtown.value.network import CARD_VALUES, RANGES, SEAT_SIZE, SIZES
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING, CardType
from oddville_env.oldtown.rules import play, worlds
from oddville_env.oldtown.rules.state import MOST_MINE, MOST_ON_A_LOT, Phase

ALL_POINTS = 90.0  # P7: of all tokens
STEEP = 20.0  # how much less a lead is worth at the beginning than at the end


@kernel
def look(box, game, seat, evaluator):
    """Write a seat's inputs into evaluator.seen."""
    out = evaluator.seen
    out[:] = 0
    worlds.look(game, evaluator.board)
    unseen = unseen_cards(game, seat)
    look_at_seat(box, game, seat, seat, unseen, 1.0, evaluator, 0)
    for step in range(1, box.players):
        place, share = SEAT_SIZE, 1.0
        if step > 1:
            place, share = (RANGES - 1) * SEAT_SIZE, 1.0 / (box.players - 2)
        look_at_seat(box, game, seat, (seat + step) % box.players, unseen, share, evaluator, place)
    at = look_at_points(box, game, seat, out, RANGES * SEAT_SIZE)
    out[at + box.players - 2] = 1
    at += 3
    out[at], out[at + 1] = game.common, game.passes
    look_at_board(game, out, at + 2)


@kernel
def look_at_seat(box, game, viewer, seat, unseen, share, evaluator, at):
    """SEAT: add a seat's numbers, as the viewer knows them, times a share, from place `at` on.

    A card that the viewer drew where a move was tried is unknown to it too.
    """
    out, tally = evaluator.seen, evaluator.tally
    tally[:] = 0
    tally_card_values(box, game, evaluator.board, seat, unseen, tally)
    late, early = from_common(box, game, seat)
    hand = at + POOLS * CARD_VALUES
    best = hand + POOLS * CARD_VALUES
    if seat == viewer:
        out[best] = look_at_hand(box, game, seat, evaluator, hand)
        late, early = unknown_cards(game, seat, late, int(out[hand + CARD_VALUES : best].sum()))
    else:
        out[best] += share * expected_best(tally, early, late)
    for pool in range(POOLS):
        size, cards = max(tally[pool].sum(), 1), late if pool else early
        for value in range(CARD_VALUES):
            part = share * tally[pool, value] / size
            out[at + pool * CARD_VALUES + value] += part
            out[hand + pool * CARD_VALUES + value] += cards * part
    out[best + 1] += share * game.hand_size[seat]
    out[best + 2] += share * game.own[seat]
    for choice in range(MOST_MINE):
        if game.mine[seat, choice] != NOTHING:
            out[best + 3 + size_of(game, game.mine[seat, choice])] += share
    if game.to_move == seat:
        turn = best + 3 + SIZES
        out[turn] += share
        out[turn + 1] += share * (game.phase == Phase.DRAW)
        out[turn + 2] += share * (game.phase == Phase.TAKE or game.phase == Phase.SETUP)


@kernel
def unknown_cards(game, seat, late, known):
    """Of the own cards that are unknown as yet, how many are of type B and how many of the others.

    late: all own cards of type B; known: those of them that the seat knows.
    """
    unknown = game.hand_size[seat]
    for card in range(CARDS):
        unknown -= game.hand[seat] & play.bit(card) != 0
    late = min(max(late - known, 0), unknown)
    return late, unknown - late


@kernel
def size_of(game, building):
    """The number of lots in the set of a building."""
    return int(worlds.count(int(game.sets[building])))


@kernel
def pool_of(box, card):
    """The pool that a card was dealt from: 0 for types A and C, 1 for type B."""
    return 1 if box.card_type[card] == CardType.B else 0


@kernel
def look_at_hand(box, game, seat, evaluator, at):
    """The own cards by pool and value; returns the highest value."""
    best = 0
    for card in range(CARDS):
        if game.hand[seat] & play.bit(card) != 0:
            value = best_card_value(box, game, evaluator.board, card, seat)
            evaluator.seen[at + pool_of(box, card) * CARD_VALUES + value - COUNTS] += 1
            best = max(best, value)
    return best


@kernel
def look_at_points(box, game, seat, out, at):
    """Group points; returns where it ended."""
    best, total = -1, 0
    for other in range(box.players):
        if other != seat:
            best = max(best, game.score[other])
            total += game.score[other]
    lead, ahead = float(game.score[seat] - best), game.score[seat] - total / (box.players - 1)
    left = play.total_worth(game) / ALL_POINTS
    out[at], out[at + 1] = lead, ahead
    out[at + 2], out[at + 3] = lead / (1 + STEEP * left), ahead / (1 + STEEP * left)
    out[at + 4], out[at + 5] = lead * left, left
    return at + 6


@kernel
def look_at_board(game, out, at):
    """Groups sizes to crowds."""
    supply, tokens = at + SIZES, at + 2 * SIZES
    standing, crowds = tokens + LOTS, tokens + 2 * LOTS
    for building in range(BUILDINGS):
        size = size_of(game, building)
        out[at + size] += 1
        out[supply + size] += game.supply[building]
        first = standing if size == 1 else tokens
        for lot in range(LOTS):
            out[first + lot] += game.sets[building] >> lot & 1
    for lot in range(LOTS):
        out[crowds + min(int(out[tokens + lot]), MOST_ON_A_LOT)] += 1
