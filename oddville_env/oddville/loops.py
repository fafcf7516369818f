"""Compiled loops over many games, and over the parts of a batch that threads share.

A loop works on the games low..high-1 of an array of records; every game has its own luck, so results do not depend on
the batch's size or on the number of threads.
"""

import os
from collections.abc import Callable
from functools import cache

import numba
from numba import prange

from oddville_env.core.jit import kernel, parallel_kernel
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.observation.encoder import observe_one
from oddville_env.oddville.rules import guilds, scoring, setup, turn
from oddville_env.oddville.rules.batch import following_seed, move_number, nth_move, play_randomly
from oddville_env.oddville.rules.state import GUILDS

Loop = Callable[..., None]
"""(boxes, arrays, low, high): compiled, over the games low..high-1."""
LEGAL = -1  # no game has an illegal action
SPIN, SPINS = "GOMP_SPINCOUNT", "3000"  # what GNU's OpenMP calls looking for work before sleeping, and how often


@cache
def start_threads() -> None:
    """Let numba start its threads, which look for work for some 50 microseconds before they fall asleep.

    To wake one takes as long, half the time of a step of 1,024 games by two threads. OpenMP's own figure is a hundred
    times higher: then threads that wait keep others from the cores, and a busy machine steps 15 times slower.
    """
    unset = SPIN not in os.environ
    os.environ.setdefault(SPIN, SPINS)
    numba.get_num_threads()  # starts them
    if unset:
        del os.environ[SPIN]  # other libraries bring an OpenMP of their own


@kernel
def publish(legal, mask):
    """Copy the legal moves [A] to the mask [A] that agents and learners may hold, and even write into."""
    for action in range(legal.size):
        mask[action] = legal[action]


@kernel
def deal(boxes, games, seeds, legal, masks, seats, low, high):
    """Deal games from their seeds [B] uint64."""
    for index in range(low, high):
        deal_one(boxes[0], games[index], seeds[index], legal[index])
        publish(legal[index], masks[index])
        seats[index] = games[index].to_move


@kernel
def deal_one(box, game, seed, mask):
    """Deal a game and mark its legal moves."""
    setup.shuffle(box, game, seed)
    setup.lay_table(box, game)
    turn.legal(box, game, mask)


@kernel
def observe(boxes, games, seats, encoding, shown, observations, low, high):
    """Write what seats [B] see, nothing where nobody looks: observations [B, N]."""
    for index in range(low, high):
        if seats[index] == NOBODY:
            observations[index, :] = 0
            shown[index] = 0
        else:
            observe_one(boxes, games, index, seats[index], encoding, shown, observations[index])


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
    scoring.scores(box, game, scores)
    scoring.ranks(game.first, game.trigger, scores, ranks)


@kernel
def step(
    boxes,
    games,
    actions,
    legal,
    masks,
    seats,
    ended,
    truncated,
    scores,
    ranks,
    encoding,
    shown,
    observations,
    low,
    high,
):
    """Play an action in every game, deal those anew that end, and write what the seats to move see.

    First the rules for all games, then the observations: each loop's code stays close to the core.
    """
    box = boxes[0]
    for index in range(low, high):
        game = games[index]
        turn.step(box, game, actions[index], legal[index])
        ended[index] = game.to_move == NOBODY
        truncated[index] = game.truncated
        if ended[index]:
            note_end(box, game, scores[index], ranks[index])
            deal_one(box, game, following_seed(game.seed), legal[index])
            shown[index] = 0
        publish(legal[index], masks[index])
        seats[index] = game.to_move
    observe(boxes, games, seats, encoding, shown, observations, low, high)


@kernel
def play(boxes, games, tables, actions, legal, masks, seats):
    """Play actions [B] at tables [T]."""
    for table in tables:
        turn.step(boxes[0], games[table], actions[table], legal[table])
        publish(legal[table], masks[table])
        seats[table] = games[table].to_move


@kernel
def end(boxes, games, ended, truncated, scores, ranks):
    """Note which games are over, and how."""
    for index in range(games.size):
        ended[index] = games[index].to_move == NOBODY
        truncated[index] = games[index].truncated
        if ended[index]:
            note_end(boxes[0], games[index], scores[index], ranks[index])


@kernel
def rank_now(boxes, games, tables, scores, ranks):
    """Scores and ranks [B, P] at tables [T] as if their games ended now."""
    for table in tables:
        note_end(boxes[0], games[table], scores[table], ranks[table])


@kernel
def sources(boxes, games, out):
    """[E2] Every seat's points by source: out [B, P, S] int."""
    for index in range(games.size):
        for seat in range(boxes[0].players):
            scoring.write_sources(boxes[0], games[index], seat, out[index, seat])


@kernel
def note_chance(boxes, games, tables, notes):
    """[G2] Add the new pile that the last move at each of the tables [T] may have brought: notes [B] of NOTES."""
    for table in tables:
        for guild in range(GUILDS):
            if games[table].reshuffles[guild] > notes[table].noted[guild]:
                notes[table].noted[guild] = games[table].reshuffles[guild]
                guilds.write_new_pile(boxes[0], games[table], guild, notes[table].piles[notes[table].number])
                notes[table].number += 1


@kernel
def deal_anew(boxes, games, tables, legal, masks, seats):
    """Deal at tables [T], each from the seed that follows its last one."""
    for table in tables:
        deal_one(boxes[0], games[table], following_seed(games[table].seed), legal[table])
        publish(legal[table], masks[table])
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
