"""The value network: named groups of inputs, from one seat's view, its compiled pass, and its files.

    odds = relu(relu(seen @ first + first_bias) @ second + second_bias) @ third + seen @ plain + bias

Inputs are unscaled, training scales them. Every sum is taken in the order of the inputs. Nothing is read that the seat
may not know. `evaluator` is the record of `evaluator.EVALUATOR`.
"""

from pathlib import Path

import numpy as np

from oddville_agents.oldtown.heuristic import features
from oddville_agents.oldtown.heuristic.features import COUNTS, MOST, POOLS
from oddville_agents.tensors import Group, ValueFiles, digest_of, size_of
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING, CardType
from oddville_env.oldtown.rules import play, worlds
from oddville_env.oldtown.rules.state import MOST_MINE, MOST_ON_A_LOT, SEATS, TOKENS, Phase

CARD_VALUES = MOST + 1 - COUNTS
"""The number of values that a card can have: COUNTS, 0, 1, ..."""
SIZES = TOKENS + 1  # the number of sizes of a building's set: no lot while it is unknown, one where it stands
RANGES = 3  # the seat itself, the next one, the mean of those after it

SEAT = (
    Group("draws", POOLS * CARD_VALUES, "the part of the unseen cards of each pool with each value for the seat"),
    Group("hand", POOLS * CARD_VALUES, "cards of the hand by pool and value; of unknown ones as many as expected"),
    Group("best", 1, "the highest value in the hand, of rivals the expected one"),
    Group("cards", 2, "cards in hand, cards of the own stack"),
    Group("mine", SIZES, "own buildings by the size of their sets"),
    Group("turn", 3, "is to move, is to draw, is to take"),
)
"""Of a seat, as the seat that looks knows it."""
TABLE = (
    Group("points", 6, "lead on the best rival and on the rivals' mean: plain, both over what is left, the first times "
          "that, and how much is left of all points"),
    Group("players", SEATS - 1, "one-hot: how many play, 2 to 4"),
    Group("stack", 2, "cards of the common stack, passes in a row"),
    Group("sizes", SIZES, "buildings by the size of their sets"),
    Group("supply", SIZES, "those of them that are in supply"),
    Group("tokens", LOTS, "tokens on each lot"),
    Group("standing", LOTS, "the lots on which a building stands"),
    Group("crowds", MOST_ON_A_LOT + 1, "lots by the number of their tokens: none, one, two, three or more"),
)  # fmt: skip
"""Of all seats together, as the one that looks sees them."""

SEAT_SIZE = size_of(SEAT)
ALL = (*RANGES * SEAT, *TABLE)
SIZE = size_of(ALL)  # all numbers
DIGEST = digest_of(ALL)

HIDDEN, LAST = 64, 32  # the layers' widths

TENSORS = {
    "first": (SIZE, HIDDEN),
    "first_bias": (HIDDEN,),
    "second": (HIDDEN, LAST),
    "second_bias": (LAST,),
    "third": (LAST,),
    "plain": (SIZE,),
    "bias": (1,),
}

NETWORK = [
    *((f"net_{name}", "f4", shape) for name, shape in TENSORS.items()),
    ("made_first", "f4", (HIDDEN,)),  # scratch
    ("made_second", "f4", (LAST,)),
]


@kernel
def odds(evaluator):
    """The log odds of winning, by evaluator.seen."""
    seen, first, second = evaluator.seen, evaluator.made_first, evaluator.made_second
    overwrite(first, evaluator.net_first_bias)
    overwrite(second, evaluator.net_second_bias)
    total = evaluator.net_bias[0]
    for at in range(seen.size):
        number = seen[at]
        if number != 0:
            total += number * evaluator.net_plain[at]
            for place in range(HIDDEN):
                first[place] += number * evaluator.net_first[at, place]
    for at in range(HIDDEN):
        number = max(first[at], np.float32(0))
        if number != 0:
            for place in range(LAST):
                second[place] += number * evaluator.net_second[at, place]
    for at in range(LAST):
        total += max(second[at], np.float32(0)) * evaluator.net_third[at]
    return total


LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FILES = ValueFiles("oldtown-value", DIGEST, {f"{HIDDEN}-{LAST}": TENSORS}, LEARNED)
read_network, write_network, network_of = FILES.read, FILES.write, FILES.named

ALL_POINTS = 90.0  # P7: of all tokens
STEEP = 20.0  # how much less a lead is worth at the beginning than at the end


@kernel
def look(box, game, seat, evaluator):
    """Write a seat's inputs into evaluator.seen."""
    out = evaluator.seen
    out[:] = 0
    worlds.look(game, evaluator.board)
    unseen = features.unseen_cards(game, seat)
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
    features.tally_card_values(box, game, evaluator.board, seat, unseen, tally)
    late, early = features.from_common(box, game, seat)
    hand = at + POOLS * CARD_VALUES
    best = hand + POOLS * CARD_VALUES
    if seat == viewer:
        out[best] = look_at_hand(box, game, seat, evaluator, hand)
        late, early = unknown_cards(game, seat, late, int(out[hand + CARD_VALUES : best].sum()))
    else:
        out[best] += share * features.expected_best(tally, early, late)
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
            out[best + 3 + set_size(game, game.mine[seat, choice])] += share
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
def set_size(game, building):
    """The number of lots in the set of a building."""
    return int(worlds.count(int(game.sets[building])))


@kernel
def look_at_hand(box, game, seat, evaluator, at):
    """The own cards by pool and value; returns the highest value."""
    best = 0
    for card in range(CARDS):
        if game.hand[seat] & play.bit(card) != 0:
            value = features.best_card_value(box, game, evaluator.board, card, seat)
            pool = 1 if box.card_type[card] == CardType.B else 0
            evaluator.seen[at + pool * CARD_VALUES + value - COUNTS] += 1
            best = max(best, value)
    return best


@kernel
def look_at_points(box, game, seat, out, at):
    """Group points; returns where it ended."""
    lead, ahead = features.leads(box, game, seat)
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
        size = set_size(game, building)
        out[at + size] += 1
        out[supply + size] += game.supply[building]
        first = standing if size == 1 else tokens
        for lot in range(LOTS):
            out[first + lot] += game.sets[building] >> lot & 1
    for lot in range(LOTS):
        out[crowds + min(int(out[tokens + lot]), MOST_ON_A_LOT)] += 1
