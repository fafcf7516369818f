"""How the pieces of an observation are written: compiled, in the order of `observation.PIECES`, one function a piece.

A writer puts its numbers from `at` on into the vector out [N] uint8, which is zero before, and returns where it ended.
Nothing is read here that the observer may not know: of other hands and of stacks only the sizes.
"""

from oddville_env.core.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING
from oddville_env.oldtown.rules import play, worlds
from oddville_env.oldtown.rules.box import CARD
from oddville_env.oldtown.rules.state import MOST_MINE, SEATS, Phase

MARKS = 3  # numbers of a seat in the piece marks: takes part, is to move, was first
SIZES = 3  # numbers of a seat in the piece seats: score, cards in hand, cards of the own stack
CLUES = 20  # cards of the observer's hand that are described one by one
FULL = 255  # the largest number a cell of the vector can say; larger ones are told as this
PHASES = len(Phase)


@kernel
def put(out, at, number):
    """One number; returns where the next one goes."""
    out[at] = min(number, FULL)
    return at + 1


@kernel
def put_turn(box, game, out, at):
    """Pieces phase to clock."""
    out[at + game.phase] = 1
    at += PHASES
    out[at + box.players - 1] = 1
    at += SEATS
    at = put(out, at, box.lone_confirm)
    at = put(out, at, game.turn)
    at = put(out, at, game.common)
    at = put(out, at, game.draws)
    return put(out, at, game.passes)


@kernel
def put_seats(box, game, me, out, at):
    """Pieces marks to mine, every seat in the observer's order: 0 is the observer, then clockwise."""
    sizes = at + SEATS * MARKS
    mine = sizes + SEATS * SIZES
    for place in range(box.players):
        seat = (me + place) % box.players
        out[at + place * MARKS] = 1
        out[at + place * MARKS + 1] = seat == game.to_move
        out[at + place * MARKS + 2] = seat == game.first
        following = put(out, sizes + place * SIZES, game.score[seat])
        following = put(out, following, game.hand_size[seat])
        put(out, following, game.own[seat])
        for choice in range(MOST_MINE):
            if game.mine[seat, choice] != NOTHING:
                out[mine + place * BUILDINGS + game.mine[seat, choice]] = 1
    return mine + SEATS * BUILDINGS


@kernel
def put_board(game, out, at):
    """Pieces supply to standing."""
    unknown, tokens = at + BUILDINGS, at + 2 * BUILDINGS
    standing = tokens + BUILDINGS * LOTS
    for building in range(BUILDINGS):
        lots = int(game.sets[building])
        out[at + building] = game.supply[building]
        out[unknown + building] = lots == 0
        start = standing if worlds.is_single(lots) else tokens
        for lot in range(LOTS):
            out[start + building * LOTS + lot] = lots >> lot & 1
    return standing + BUILDINGS * LOTS


@kernel
def put_hand(box, game, me, out, at):
    """Pieces hand, shown and clues: the observer's own cards, and the first card of a pair."""
    shown, clues = at + CARDS, at + 2 * CARDS
    number = 0
    for card in range(CARDS):
        if game.hand[me] & play.bit(card) != 0:
            out[at + card] = 1
            if number < CLUES:
                for place in range(CARD):
                    out[clues + number * CARD + place] = box.described[card, place]
                number += 1
    if game.shown != NOTHING:
        out[shown + game.shown] = 1
    return clues + CLUES * CARD


@kernel
def put_played(game, out, at):
    """Piece played: the cards that are out of the game by play, as a perfect memory has them."""
    for number in range(game.plays):
        out[at + game.played[number]] = 1
    return at + CARDS


@kernel
def write_features(boxes, games, index, me, memory, out):
    """Write what seat `me` sees of a game: out [N] uint8; without memory the vector ends before the played cards."""
    box, game = boxes[0], games[index]
    out[:] = 0
    at = put_turn(box, game, out, 0)
    at = put_seats(box, game, me, out, at)
    at = put_board(game, out, at)
    at = put_hand(box, game, me, out, at)
    if memory:
        put_played(game, out, at)
