"""Compiled loops over many games, made for each game of its kernels.

A loop works on the games low..high-1 of an array of records; every game has its own seed, so results do not depend on
the batch's size or on the number of threads. Kernels that read another one from around them are kept like all others.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import NOBODY
from oddville_env.core.parts.chance import following_seed, move_number, nth_move

Loop = Callable[..., Any]
"""(boxes, arrays, low, high): compiled, over the games low..high-1."""
LEGAL = -1  # no game has an illegal action
STEP, SAMPLE = 0, 1  # tasks of `work`: a second set of threads would compete for the same cores


class Kernels(NamedTuple):
    """A game's kernels over one record; a mask is bool [A]."""

    shuffle: Loop
    """(box, game, seed): put everything random in an order that the seed (uint64) decides."""
    lay_table: Loop
    """(box, game): lay out a shuffled game."""
    legal: Loop
    """(box, game, mask): mark the legal moves."""
    step: Loop
    """(box, game, action, mask): play a legal move and mark the next ones."""
    note_end: Loop
    """(box, game, scores, ranks): write the scores [P] and ranks [P], as if the game ended now."""
    is_truncated: Loop
    """(game): it was cut off by a limit."""
    sample_unseen: Loop
    """(boxes, games, index, seat, seed): deal anew, from a seed (uint64), what a seat cannot know."""
    write_sources: Loop
    """(box, game, seat, out): write a seat's points by source [S]."""
    note_chance: Loop
    """(box, game, note): note what chance the last move brought."""
    advance: Loop | None = None
    """(box, game, action, mask): `step` without marking the next ones, where that is faster; mask is working memory."""
    turns_up: Loop | None = None
    """(box, game, legal): whether a move of legal, bool [A], may show its seat what is hidden; None: it always may."""


class Loops(NamedTuple):
    """The loops of a game, and the kernels that they are made of."""

    kernels: Kernels
    deal_one: Loop
    deal: Loop
    deal_anew: Loop
    play: Loop
    end: Loop
    rank_now: Loop
    sources: Loop
    note_chance: Loop
    play_out: Loop

    def standing(self, box: Any, games: np.ndarray, index: int = 0) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Returns the scores and ranks by seat as if one of the games ended now."""
        scores, ranks = np.zeros((2, 1, box.players), np.int16)
        self.rank_now(box.record, games[index : index + 1], np.zeros(1, np.int64), scores, ranks)
        return tuple(scores[0].tolist()), tuple(ranks[0].tolist())


MEMORY = np.dtype((np.record, [("known", "i8")]))
"""What `update` keeps of a game between observations; known: a number of its own, 0 for another game."""


class EncodingLoops(NamedTuple):
    """The loops of a game that write one encoding: observations of batches, steps with observations, afterstates.

    memory: the dtype of the records [B] that `update` keeps, zero before the first observation.
    """

    observe: Loop
    work: Loop
    """A step with observations or `sample`, as a task says, for threads that repeat it."""
    afterstates: Loop
    memory: np.dtype = MEMORY


def make_loops(kernels: Kernels) -> Loops:
    """The loops of a game."""
    dealt = _deal(kernels.shuffle, kernels.lay_table, kernels.legal)
    ends = _end(kernels.note_end, kernels.is_truncated)
    told = _told(kernels.write_sources, kernels.note_chance)
    return Loops._make((kernels, *dealt, _play(kernels.step), *ends, *told, _play_out(kernels.legal, kernels.step)))


def encoding_loops(
    loops: Loops, write: Loop, update: Loop | None = None, memory: np.dtype = MEMORY, step_one: Loop | None = None
) -> EncodingLoops:
    """Returns the loops of an encoding over a game's loops.

    Args:
        loops: The loops of the game.
        write: (boxes, games, index, seat, out): writes the observation of a seat into out [N], whatever it held.
        update: (boxes, games, index, seat, memory, out): the same over the last observation of the same game, of
            which memory[index] is a record that `update` keeps. None where there is no faster way.
        memory: The dtype of that record; `known` is 0 after a deal. With a dtype of its own, `update` tells by itself
            what still holds of the record when it was of another move from one position, and reads from out only what
            a field `shows` says, which is 0 where out may hold anything.
        step_one: (box, game, action, mask, record): the game's `step` by what is kept; None where none is faster.
    """
    observe_one, kernels = update or _rewritten(write), loops.kernels
    observe = _observe(observe_one)
    step_one = step_one or _forgetting(kernels.step)
    step = _step(step_one, kernels.note_end, kernels.is_truncated, loops.deal_one, observe)
    rewrites = update is not None and memory is MEMORY
    afterstates = _afterstates(kernels, observe_one, rewrites, "shows" in (memory.names or ()))
    return EncodingLoops(observe, _work(step), afterstates, memory)


def _rewritten(write: Loop) -> Loop:
    @kernel
    def write_anew(boxes, games, index, seat, memory, out):
        """Write the whole observation."""
        write(boxes, games, index, seat, out)

    return write_anew


def _forgetting(step: Loop) -> Loop:
    @kernel
    def step_one(box, game, action, mask, kept):
        """Play a move without what is kept."""
        step(box, game, action, mask)

    return step_one


@kernel
def publish(legal, mask):
    """Copy the legal moves [A] to the mask [A] that agents and learners may hold, and even write into."""
    for action in range(legal.size):
        mask[action] = legal[action]


@kernel
def first_illegal(actions, tables, masks):
    """The first of the tables [T] where the action [B] is not legal, LEGAL where there is none."""
    for index in tables:
        if not 0 <= actions[index] < masks.shape[1] or not masks[index, actions[index]]:
            return index
    return LEGAL


@kernel
def sample(boxes, games, seeds, draws, masks, actions, low, high):
    """A uniformly random legal action for each game: the draws-th of its seed."""
    for index in range(low, high):
        actions[index] = nth_move(masks[index], move_number(seeds[index], draws, games[index].legal_count))


def _deal(shuffle, lay_table, legal):
    @kernel
    def deal_one(box, game, seed, mask):
        """Deal a game and mark its legal moves."""
        shuffle(box, game, seed)
        lay_table(box, game)
        legal(box, game, mask)

    @kernel
    def deal(boxes, games, seeds, legal, masks, seats, low, high):
        """Deal games from their seeds [B] uint64."""
        for index in range(low, high):
            deal_one(boxes[0], games[index], seeds[index], legal[index])
            publish(legal[index], masks[index])
            seats[index] = games[index].to_move

    @kernel
    def deal_anew(boxes, games, tables, legal, masks, seats):
        """Deal at tables [T], each from the seed that follows its last one."""
        for table in tables:
            deal_one(boxes[0], games[table], following_seed(games[table].seed), legal[table])
            publish(legal[table], masks[table])
            seats[table] = games[table].to_move

    return deal_one, deal, deal_anew


def _observe(observe_one):
    @kernel
    def observe(boxes, games, seats, memory, observations, low, high):
        """Write what seats [B] see, zeros for NOBODY: observations [B, N]."""
        for index in range(low, high):
            if seats[index] == NOBODY:
                observations[index, :] = 0
                memory[index].known = 0
            else:
                observe_one(boxes, games, index, seats[index], memory, observations[index])

    return observe


def _step(step_one, note_end, is_truncated, deal_one, observe):
    @kernel
    def step(
        boxes, games, actions, legal, masks, seats, ended, truncated, scores, ranks, memory, observations, low, high
    ):
        """Play an action in every game, deal those anew that end, and write what the seats to move see.

        First the rules for all games, then the observations: each loop's code stays close to the core.
        """
        box = boxes[0]
        for index in range(low, high):
            game = games[index]
            step_one(box, game, actions[index], legal[index], memory[index])
            ended[index] = game.to_move == NOBODY
            truncated[index] = is_truncated(game)
            if ended[index]:
                note_end(box, game, scores[index], ranks[index])
                deal_one(box, game, following_seed(game.seed), legal[index])
                memory[index].known = 0
            publish(legal[index], masks[index])
            seats[index] = game.to_move
        observe(boxes, games, seats, memory, observations, low, high)

    return step


@kernel
def _may_turn_up(box, game, legal):
    """Whatever is legal."""
    return True


def _afterstates(kernels, observe_one, rewrites, shows):
    """rewrites: an observation begins as a copy of the last one; shows: the encoding's record has the field `shows`."""
    sample_unseen, advance = kernels.sample_unseen, kernels.advance or kernels.step
    turns_up = kernels.turns_up or _may_turn_up

    @kernel
    def afterstates(boxes, games, legal, starts, scratch, memory, mask, ids, observations):
        """Play each legal move of the games [T] on a copy, and write what the seat that moved sees then.

        What the seat cannot know, blank before, is dealt once for all moves of a game, from seed 0, where they may show
        it. An encoding that is rewritten is written once before the moves. legal bool [T, A] · starts int64 [T + 1]:
        where each game's moves begin in ids int64 [L] and observations [L, N] · scratch: records [2] · memory: records
        [2] of the encoding · mask [A].
        """
        before, nothing = np.zeros(observations.shape[1], observations.dtype), np.uint64(0)
        for index in range(games.size):
            at, seat = starts[index], games[index].to_move
            scratch[0] = games[index]
            if turns_up(boxes[0], games[index], legal[index]):
                sample_unseen(boxes, scratch, 0, seat, nothing)
            memory[0].known = memory[1].known = 0
            if rewrites:
                observe_one(boxes, scratch, 0, seat, memory, before)
            for action in range(legal.shape[1]):
                if legal[index, action]:
                    scratch[1] = scratch[0]
                    advance(boxes[0], scratch[1], action, mask)
                    if rewrites:
                        memory[1] = memory[0]
                        overwrite(observations[at], before)
                    if shows:
                        memory[1].shows = 0
                    observe_one(boxes, scratch, 1, seat, memory, observations[at])
                    ids[at] = action
                    at += 1

    return afterstates


def _work(step):
    @kernel
    def work(task, seeds, draws, drawn, boxes, games, actions, legal, *others):
        """Play an action in every game or draw one, as task int64 [1] says: draws int64 [1], drawn int64 [B]."""
        if task[0] == SAMPLE:
            low, high = others[-2:]
            sample(boxes, games, seeds, draws[0], legal, drawn, low, high)
        else:
            step(boxes, games, actions, legal, *others)

    return work


def _play(step_one):
    @kernel
    def play(boxes, games, tables, actions, legal, masks, seats):
        """Play actions [B] at tables [T]."""
        for table in tables:
            step_one(boxes[0], games[table], actions[table], legal[table])
            publish(legal[table], masks[table])
            seats[table] = games[table].to_move

    return play


def _end(note_end, is_truncated):
    @kernel
    def end(boxes, games, ended, truncated, scores, ranks):
        """Note which games are over, and how."""
        for index in range(games.size):
            ended[index] = games[index].to_move == NOBODY
            truncated[index] = is_truncated(games[index])
            if ended[index]:
                note_end(boxes[0], games[index], scores[index], ranks[index])

    @kernel
    def rank_now(boxes, games, tables, scores, ranks):
        """Scores and ranks [B, P] at tables [T] as if their games ended now."""
        for table in tables:
            note_end(boxes[0], games[table], scores[table], ranks[table])

    return end, rank_now


def _told(write_sources, note_one):
    @kernel
    def sources(boxes, games, out):
        """Every seat's points by source: out [B, P, S] int."""
        for index in range(games.size):
            for seat in range(boxes[0].players):
                write_sources(boxes[0], games[index], seat, out[index, seat])

    @kernel
    def note_chance(boxes, games, tables, notes):
        """Note the chance that the last move at each of the tables [T] may have brought: notes [B]."""
        for table in tables:
            note_one(boxes[0], games[table], notes[table])

    return sources, note_chance


def _play_out(legal, step):
    @kernel
    def play_out(boxes, games, seeds, masks, decisions, low, high):
        """Play games to their ends by uniformly random moves from seeds [B] uint64: decisions [B] counts them."""
        for index in range(low, high):
            game, mask, number = games[index], masks[index], 0
            legal(boxes[0], game, mask)
            while game.legal_count > 0:
                step(boxes[0], game, nth_move(mask, move_number(seeds[index], number, game.legal_count)), mask)
                number += 1
            decisions[index] = number

    return play_out
