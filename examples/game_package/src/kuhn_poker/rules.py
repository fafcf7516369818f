"""The rules, compiled: each kernel takes the record of one game."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import NOBODY
from oddville_env.core.parts import chance
from oddville_env.core.parts.fields import Field, record_dtype
from oddville_env.core.parts.loops import Kernels, make_loops

PLAYERS, CARDS, MOST_MOVES = 2, 3, 3
PASS, BET = 0, 1
WORDS = ("pass", "bet")
NOTHING, UNKNOWN = -1, -1
THE_DEAL = 0  # the stream of draws
CARD_NAMES = ("jack", "queen", "king")

FIELDS = (
    Field("seed", "u8", (), 0, 2**64 - 1, "seed of the deal"),
    Field("to_move", "i1", (), NOBODY, PLAYERS - 1, "seat to move, -1 at the end"),
    Field("legal_count", "i2", (), 0, len(WORDS), "number of legal moves"),
    Field("card", "i1", (CARDS,), UNKNOWN, CARDS - 1, "the seats' cards and the remaining one"),
    Field("moves", "i1", (MOST_MOVES,), NOTHING, BET, "moves so far, -1 for none yet"),
    Field("moved", "i1", (), 0, MOST_MOVES, "number of moves so far"),
)
STATE = record_dtype(FIELDS)
SOURCES = ("chips",)
NOTES = np.dtype((np.record, [("nothing", "?")]))


@kernel
def shuffle(box, game, seed):
    """Deal the cards."""
    game.seed = seed
    for place in range(CARDS):
        game.card[place] = place
    chance.shuffle(game.card, CARDS, seed, THE_DEAL)


@kernel
def lay_table(box, game):
    """Clear the moves; the first seat begins."""
    game.moves[:] = NOTHING
    game.moved = 0
    game.to_move = 0


@kernel
def legal(box, game, mask):
    """Pass and bet are always legal."""
    mask[:] = game.to_move != NOBODY
    game.legal_count = len(WORDS) if game.to_move != NOBODY else 0


@kernel
def step(box, game, action, mask):
    """Play a move. The second move ends the game unless it is a bet after a pass."""
    game.moves[game.moved] = action
    game.moved += 1
    over = game.moved == MOST_MOVES or (game.moved == PLAYERS and (game.moves[0] == BET or action == PASS))
    game.to_move = NOBODY if over else game.moved % PLAYERS
    legal(box, game, mask)


@kernel
def chips_of(game, seat):
    """Return the chips that a seat has won or lost at the end."""
    last, before = game.moves[game.moved - 1], game.moves[game.moved - 2]
    if last == PASS and before == BET:
        winner, chips = game.moved % PLAYERS, 1  # the seat that bet
    else:
        winner, chips = np.int64(game.card[1] > game.card[0]), 2 if last == BET else 1
    return chips if seat == winner else -chips


@kernel
def note_end(box, game, scores, ranks):
    """The chips [P], and the ranks [P] from 1."""
    for seat in range(PLAYERS):
        scores[seat] = chips_of(game, seat) if game.moved >= PLAYERS else 0
    for seat in range(PLAYERS):
        ranks[seat] = 1 + (scores[1 - seat] > scores[seat])


@kernel
def is_truncated(game):
    """Every game ends by itself."""
    return False


@kernel
def canonicalize_hidden(game, seat):
    """Blank what a seat cannot know; NOBODY knows no card."""
    game.seed = 0
    for place in range(CARDS):
        if place != seat:
            game.card[place] = UNKNOWN


@kernel
def sample_unseen(boxes, games, index, seat, seed):
    """Deal anew what a seat cannot know; NOBODY knows no card."""
    game, known = games[index], UNKNOWN
    if seat != NOBODY:
        known = game.card[seat]
    shuffle(boxes[0], game, seed)
    for place in range(CARDS):
        if known != UNKNOWN and game.card[place] == known:
            game.card[place] = game.card[seat]
            game.card[seat] = known
            break


@kernel
def write(boxes, games, index, seat, out):
    """The own card + 1, who moves (1: me), and each move + 1, into out [N]."""
    game = games[index]
    out[0] = game.card[seat] + 1
    out[1] = game.to_move == seat
    for place in range(MOST_MOVES):
        out[2 + place] = game.moves[place] + 1


@kernel
def write_sources(box, game, seat, out):
    """All of a seat's points are chips."""
    out[0] = chips_of(game, seat)


@kernel
def note_chance(box, game, note):
    """The deal is the only chance: nothing is noted."""


LOOPS = make_loops(
    Kernels(
        shuffle=shuffle,
        lay_table=lay_table,
        legal=legal,
        step=step,
        note_end=note_end,
        is_truncated=is_truncated,
        sample_unseen=sample_unseen,
        write_sources=write_sources,
        note_chance=note_chance,
    )
)
