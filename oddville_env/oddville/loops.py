"""The loops over many games of OddVille, and the kernels over one record that they are made of."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.loops import Kernels, make_loops
from oddville_env.oddville.rules import batch, guilds, scoring, setup, turn
from oddville_env.oddville.rules.state import GUILDS


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
        sample_unseen=batch.sample_unseen,
        note_chance=note_chance,
        advance=turn.advance,
    )
)
deal_one = LOOPS.deal_one
