"""Many games at once: compiled loops over one array of records, and the arrays that they write into.

A loop works on the games low..high-1, so that threads can share a batch; every game has its own luck, so results do not
depend on the batch's size or on the number of threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from oddville_env.cards.words import NOBODY
from oddville_env.encoding import rewrite_features, write_features, write_ids
from oddville_env.errors import IllegalMoveError
from oddville_env.moves import words
from oddville_env.observation import Encoder
from oddville_env.rules import scoring, setup, turn
from oddville_env.rules._jit import kernel
from oddville_env.rules.batch import following_seed, move_number, nth_move, play_randomly
from oddville_env.rules.box import Box
from oddville_env.settings import check_seed, game_seeds

LEGAL = -1  # no game has an illegal action


class Batch:
    """B games of one box, and what compiled loops write of them.

    games [B] records · masks bool [B, A] · seats int8 [B], who is to move, NOBODY when a game is over · observations
    uint8 [B, N], what that seat sees · ended, truncated bool [B] · scores, ranks int16 [B, P] of the games that ended.
    All arrays keep their memory: copy what must outlast the next call.
    """

    def __init__(self, box: Box, encoder: Encoder, size: int, threads: int = 1) -> None:
        self.box, self.encoder, self.size = box, encoder, size
        self.games = np.zeros(size, box.games)
        self.masks = np.zeros((size, box.layout.size), np.bool_)
        self.seats = np.full(size, NOBODY, np.int8)
        self.observations = np.zeros((size, encoder.size), np.uint8)
        self.ended, self.truncated = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        self.scores, self.ranks = np.zeros((size, box.players), np.int16), np.zeros((size, box.players), np.int16)
        self._all = np.arange(size)
        self._shown = np.zeros(size, np.int64)  # cards of the city in the observation, 0 if it is of another game
        self._features = encoder.encoding == "features"
        self._cuts = np.linspace(0, size, threads + 1).astype(np.int64)
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def deal(self, seed: int | None = None) -> None:
        """Deal all games from a seed: the first of them is the one that `Game(seed=seed)` has."""
        self._seeds = game_seeds(check_seed(seed), self.size)
        self._share(deal, self.games, self._seeds, self.masks, self.seats)
        self._shown[:] = 0

    def observe(self) -> np.ndarray:
        """Write what every seat to move sees; the observations."""
        return self.observe_as(self.seats)

    def play(self, tables: np.ndarray, actions: np.ndarray) -> None:
        """Play actions[table], int64 [B], at these tables, int64 [T], and no more: games may be over afterwards."""
        play(self.box.record, self.games, tables, actions, self.masks, self.seats)

    def end(self) -> np.ndarray:
        """Note the scores and ranks of all games that are over; their tables, int64 [T]."""
        end(self.box.record, self.games, self.ended, self.truncated, self.scores, self.ranks)
        return np.flatnonzero(self.ended)

    def deal_anew(self, tables: np.ndarray) -> None:
        """Deal the next game at these tables, int64 [T]."""
        deal_anew(self.box.record, self.games, tables, self.masks, self.seats)
        self._shown[tables] = 0

    def observe_as(self, seats: np.ndarray) -> np.ndarray:
        """Write what these seats, int8 [B], see, whoever is to move; the observations."""
        self._share(observe, self.games, seats, self._features, self._shown, self.observations)
        return self.observations

    def observe_at(self, tables: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
        """Write what seats, int8 [B], see at these tables, int64 [T], into out, uint8 [B, N]."""
        for table in tables.tolist():
            self.encoder.write(self.box.record, self.games, table, int(seats[table]), out[table])

    def step(self, actions: np.ndarray) -> None:
        """Play an action, int64 [B], in every game; games that end are dealt anew. Raises IllegalMoveError.

        `ended` tells which ended; their scores and ranks are of the end, everything else of the new game.
        """
        self.check(actions)
        ends = (self.ended, self.truncated, self.scores, self.ranks)
        seen = (self._features, self._shown, self.observations)
        self._share(step, self.games, actions, self.masks, self.seats, *ends, *seen)

    def check(self, actions: np.ndarray, tables: np.ndarray | None = None) -> None:
        """Raises IllegalMoveError for the first action, int64 [B], that is not legal at these tables, or at any."""
        if actions.shape != (self.size,):
            raise IllegalMoveError(f"expected {self.size} actions, one for each game, not shape {actions.shape}")
        table = first_illegal(actions, self._all if tables is None else tables, self.masks)
        if table != LEGAL:
            action = int(actions[table])
            known = 0 <= action < self.masks.shape[1]
            word = words(self.box.layout)[action] if known else "no move of this table"
            raise IllegalMoveError(f"game {table}: action {action} ({word}) is not legal now: see the action mask")

    def play_out(self, seed: int) -> int:
        """Play all games to their ends by uniformly random moves; the number of decisions."""
        decisions = np.zeros(self.size, np.int64)
        self._share(play_out, self.games, game_seeds(seed, self.size), self.masks, decisions)
        self.seats[:] = NOBODY
        return int(decisions.sum())

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _share(self, loop: Callable[..., None], *arrays: object) -> None:
        """Run a loop over all games, a part of them in each thread; the last part runs in this one."""
        *parts, last = pairwise(self._cuts.tolist())
        waiting = [self._pool.submit(loop, self.box.record, *arrays, *part) for part in parts] if self._pool else []
        loop(self.box.record, *arrays, *last)
        for part in waiting:
            part.result()


class Sampler:
    """Uniformly random legal actions for a batch: every game has its own random numbers."""

    def __init__(self, size: int, seed: int = 0) -> None:
        self.actions = np.zeros(size, np.int64)
        self._seeds, self._draws = game_seeds(seed, size), 0

    def sample(self, batch: Batch) -> np.ndarray:
        """An action for each game, int64 [B]; the array keeps its memory."""
        self._draws += 1
        sample(batch.games, self._seeds, self._draws, batch.masks, self.actions)
        return self.actions


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
def observe_one(boxes, games, index, seat, features, shown, out):
    """Write what a seat sees in the encoding asked for, over what was seen of another game or of this one."""
    if not features:
        write_ids(boxes, games, index, seat, out)
    elif shown[index] == 0:
        write_features(boxes, games, index, seat, out)
    else:
        rewrite_features(boxes, games, index, seat, shown[index], out)
    shown[index] = games[index].city_size


@kernel
def observe(boxes, games, seats, features, shown, observations, low, high):
    """Write what seats [B] see, nothing where nobody looks: observations [B, N]."""
    for index in range(low, high):
        if seats[index] == NOBODY:
            observations[index, :] = 0
            shown[index] = 0
        else:
            observe_one(boxes, games, index, seats[index], features, shown, observations[index])


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
    scoring.ranks(box, game, scores, ranks)


@kernel
def step(
    boxes, games, actions, masks, seats, ended, truncated, scores, ranks, features, shown, observations, low, high
):
    """Play an action in every game, deal those anew that end, and write what the seats to move see.

    First the rules for all games, then the observations: each loop's code stays close to the core.
    """
    box = boxes[0]
    for index in range(low, high):
        game = games[index]
        turn.step(box, game, actions[index], masks[index])
        ended[index] = game.to_move == NOBODY
        truncated[index] = game.truncated
        if ended[index]:
            note_end(box, game, scores[index], ranks[index])
            deal_one(box, game, following_seed(game.seed), masks[index])
            shown[index] = 0
        seats[index] = game.to_move
    observe(boxes, games, seats, features, shown, observations, low, high)


@kernel
def play(boxes, games, tables, actions, masks, seats):
    """Play actions [B] at tables [T]."""
    for table in tables:
        turn.step(boxes[0], games[table], actions[table], masks[table])
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
def sample(games, seeds, draws, masks, actions):
    """A uniformly random legal action for each game: the draws-th of its seed."""
    for index in range(games.size):
        actions[index] = nth_move(masks[index], move_number(seeds[index], draws, games[index].words))
