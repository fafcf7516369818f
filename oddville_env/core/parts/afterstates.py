"""The positions behind all moves, as the seat that moved sees them: what a value function chooses by."""

from collections.abc import Callable
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel


@kernel
def _may_turn_up(box, game, legal):
    """Whatever is legal."""
    return True


def make_afterstates(kernels: Any, observe_one: Callable[..., Any], rewrites: bool, shows: bool) -> Callable[..., Any]:
    """Returns the compiled loop over the moves of each game, of a game's kernels and an encoding's `observe_one`.

    rewrites: an observation begins as a copy of the last one; shows: the encoding's record has the field `shows`.
    """
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
