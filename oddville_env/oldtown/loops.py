"""Compiled loops over many games, and over the parts of a batch that threads share.

A loop works on the games low..high-1 of an array of records; every game has its own luck, so results do not depend on
the batch's size or on the number of threads.
"""

from collections.abc import Callable

from numba import prange

from oddville_env.core.jit import kernel, parallel_kernel
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.encoding import write_features
from oddville_env.oldtown.rules import setup, turn
from oddville_env.oldtown.rules.batch import following_seed, move_number, nth_move, play_randomly

Loop = Callable[..., None]
"""(boxes, arrays, low, high): compiled, over the games low..high-1."""
LEGAL = -1  # no game has an illegal action


@kernel
def deal(boxes, games, seeds, masks, seats, low, high):
    """Deal games from their seeds [B] uint64."""
    for index in range(low, high):
        deal_one(boxes[0], games[index], seeds[index], masks[index])
        seats[index] = games[index].to_move


@kernel
def deal_one(box, game, seed, mask):
    """Deal a game and mark its legal moves."""
    setup.shuffle(box, game, seed)
    setup.lay_table(box, game)
    turn.legal(box, game, mask)


@kernel
def observe(boxes, games, seats, memory, observations, low, high):
    """Write what seats [B] see, nothing where nobody looks: observations [B, N]."""
    for index in range(low, high):
        if seats[index] == NOBODY:
            observations[index, :] = 0
        else:
            write_features(boxes, games, index, seats[index], memory, observations[index])


@kernel
def first_illegal(actions, tables, masks):
    """The first of the tables [T] where the action [B] is not legal, LEGAL where there is none."""
    for index in tables:
        if not 0 <= actions[index] < masks.shape[1] or not masks[index, actions[index]]:
            return index
    return LEGAL


@kernel
def note_end(box, game, scores, ranks):
    """The scores [P] and ranks [P] of a game that is over."""
    turn.scores(box, game, scores)
    turn.ranks(box, scores, ranks)


@kernel
def step(boxes, games, actions, masks, seats, ended, scores, ranks, memory, observations, low, high):
    """Play an action in every game, deal those anew that end, and write what the seats to move see.

    First the rules for all games, then the observations: each loop's code stays close to the core.
    """
    box = boxes[0]
    for index in range(low, high):
        game = games[index]
        turn.step(box, game, actions[index], masks[index])
        ended[index] = game.to_move == NOBODY
        if ended[index]:
            note_end(box, game, scores[index], ranks[index])
            deal_one(box, game, following_seed(game.seed), masks[index])
        seats[index] = game.to_move
    observe(boxes, games, seats, memory, observations, low, high)


@kernel
def play(boxes, games, tables, actions, masks, seats):
    """Play actions [B] at tables [T]."""
    for table in tables:
        turn.step(boxes[0], games[table], actions[table], masks[table])
        seats[table] = games[table].to_move


@kernel
def end(boxes, games, ended, scores, ranks):
    """Note which games are over, and how."""
    for index in range(games.size):
        ended[index] = games[index].to_move == NOBODY
        if ended[index]:
            note_end(boxes[0], games[index], scores[index], ranks[index])


@kernel
def deal_anew(boxes, games, tables, masks, seats):
    """Deal at tables [T], each from the seed that follows its last one."""
    for table in tables:
        deal_one(boxes[0], games[table], following_seed(games[table].seed), masks[table])
        seats[table] = games[table].to_move


@kernel
def play_out(boxes, games, seeds, masks, decisions, low, high):
    """Play games to their ends by random moves from seeds [B] uint64: decisions [B] counts them."""
    for index in range(low, high):
        decisions[index] = play_randomly(boxes, games, index, seeds[index], masks[index])


@kernel
def sample(boxes, games, seeds, draws, masks, actions, low, high):
    """A uniformly random legal action for each game: the draws-th of its seed."""
    for index in range(low, high):
        actions[index] = nth_move(masks[index], move_number(seeds[index], draws, games[index].legal_count))


@parallel_kernel
def deal_in_parts(cuts, *arrays):
    """The games cuts[k]..cuts[k + 1] - 1 by one thread, and so on for all k, in this loop and the next ones."""
    for part in prange(cuts.size - 1):
        deal(*arrays, cuts[part], cuts[part + 1])


@parallel_kernel
def observe_in_parts(cuts, *arrays):
    """Observe, a part of the games by each thread."""
    for part in prange(cuts.size - 1):
        observe(*arrays, cuts[part], cuts[part + 1])


@parallel_kernel
def step_in_parts(cuts, *arrays):
    """Step, a part of the games by each thread."""
    for part in prange(cuts.size - 1):
        step(*arrays, cuts[part], cuts[part + 1])


@parallel_kernel
def play_out_in_parts(cuts, *arrays):
    """Play out, a part of the games by each thread."""
    for part in prange(cuts.size - 1):
        play_out(*arrays, cuts[part], cuts[part + 1])


@parallel_kernel
def sample_in_parts(cuts, *arrays):
    """Sample, a part of the games by each thread."""
    for part in prange(cuts.size - 1):
        sample(*arrays, cuts[part], cuts[part + 1])


IN_PARTS: dict[Loop, Loop] = {
    deal: deal_in_parts,
    observe: observe_in_parts,
    step: step_in_parts,
    play_out: play_out_in_parts,
    sample: sample_in_parts,
}
