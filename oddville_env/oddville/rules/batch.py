"""OddVille's compiled rules as Python calls them: entry points over one game, and loops over many."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.entries import make_entries
from oddville_env.core.parts.loops import Kernels, make_loops
from oddville_env.oddville.cards.words import NOBODY

from . import building, guilds, hidden, scoring, setup, turn, workers
from .state import CHARACTERS, GUILDS


@kernel
def row_prices(boxes, position, out):
    """[W4] The prices of a position of the row in coins, one for each worker card: out [4] int."""
    for worker in range(out.size):
        out[worker] = workers.row_price(boxes[0], worker, position)


@kernel
def ranks(first, trigger, points, out):
    """[E3] Strict ranks from 1 for the first seat and the trigger (NOBODY: none): points [P] int -> out [P] int."""
    scoring.ranks(first, trigger, points, out)


@kernel
def appraise(boxes, games, index):
    """[V1] Set down anew what every building of the city is worth."""
    scoring.appraise(boxes[0], games[index])


@kernel
def write_new_pile(boxes, games, index, guild, pile):
    """[G2] A guild's pile as it was when the last move brought it, top first: pile [3] int."""
    guilds.write_new_pile(boxes[0], games[index], guild, pile)


@kernel
def score_sources(boxes, games, index, points, square):
    """[E2] The points beside buildings: points [12] of owned characters, square [P] by seat; all int."""
    box, game = boxes[0], games[index]
    for character in range(CHARACTERS):
        if game.owner[character] != NOBODY:
            points[character] = scoring.character_points(box, game, character)
    for seat in range(box.players):
        square[seat] = scoring.square_value(box, game, seat)


@kernel
def receive_bonuses(boxes, games, index, card, cell):
    """[B5] Give the seat to move what a card would bring on a cell, as if it lay there: coins and pending bonuses."""
    building.receive_bonuses(boxes[0], games[index], card, cell)


@kernel
def sample_unseen(boxes, games, index, seat, seed):
    """[K1-K3] Deal anew what a seat cannot know, from a seed (uint64); here all seats know the same."""
    hidden.sample_unseen(boxes[0], games[index], seed)


@kernel
def canonicalize_hidden(boxes, games, index, seat):
    """[K1-K3] Put what a seat cannot know into one fixed order; here all seats know the same."""
    hidden.canonicalize_hidden(boxes[0], games[index])


shuffle, lay_table, legal, step, perft, canonical_copies = make_entries(
    setup.shuffle, setup.lay_table, turn.legal, turn.step, canonicalize_hidden
)


@kernel
def note_end(box, game, scores, ranks):
    """[E2 E3] The scores [P] and ranks [P] of a game that is over."""
    scoring.scores(box, game, scores)
    scoring.ranks(game.first, game.trigger, scores, ranks)


@kernel
def is_truncated(game):
    """[E4] The limit of rounds cut the game off."""
    return game.truncated


@kernel
def note_chance(box, game, note):
    """[G2] Add the new pile that the last move may have brought: note, a record of NOTES."""
    for guild in range(GUILDS):
        if game.reshuffles[guild] > note.noted[guild]:
            note.noted[guild] = game.reshuffles[guild]
            guilds.write_new_pile(box, game, guild, note.piles[note.number])
            note.number += 1


LOOPS = make_loops(
    Kernels(
        shuffle=setup.shuffle,
        lay_table=setup.lay_table,
        note_end=note_end,
        write_sources=scoring.write_sources,
        legal=turn.legal,
        step=turn.step,
        is_truncated=is_truncated,
        sample_unseen=sample_unseen,
        note_chance=note_chance,
        advance=turn.advance,
    )
)
deal_one = LOOPS.deal_one
