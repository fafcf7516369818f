"""Many games of one box at once: one array of records, and the arrays that compiled loops write into."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from gymnasium import spaces

from oddville_env.core.checked import check_seed, game_seeds, whole_number
from oddville_env.core.compiled.threads import RepeatedLoop, in_parts
from oddville_env.core.errors import IllegalMoveError, SettingError, shown
from oddville_env.core.game.game_type import NOBODY, GameType
from oddville_env.core.game.view import BatchView
from oddville_env.core.parts.loops import LEGAL, MEMORY, SAMPLE, STEP, first_illegal, sample
from oddville_env.envs.arguments import RewardSettings
from oddville_env.envs.live_game import StepGuard, vector_space
from oddville_env.envs.potentials import make_shaping
from oddville_env.envs.rewards import make_reward

MOST_ENVS = 10_000_000  # far more than memory holds
MOST_THREADS = 1024


class GameBatch:
    """B games of one box, and the arrays that compiled loops write; copy what must outlast the next call.

    games: records [B]. masks: the legal moves, bool [B, A]; moves are checked against another copy. seats: the seats to
    move, int8 [B], NOBODY when a game is over. observations: what these see, [B, N] or [B, T, D]. ended, truncated:
    bool [B]. scores, ranks: int16 [B, P] of games that ended.
    """

    def __init__(self, game_type: GameType, box: Any, encoder: Any, size: int, threads: int = 1) -> None:
        """encoder: None for a batch without observations and steps."""
        self.game_type, self.box, self.encoder, self.size = game_type, box, encoder, size
        self.games = np.zeros(size, box.games)
        self._legal = np.zeros((size, box.layout.size), np.bool_)
        self.masks = self._legal.copy()
        self.seats = np.full(size, NOBODY, np.int8)
        self._written = np.zeros((size, encoder.size), encoder.dtype) if encoder else np.zeros((size, 0), np.uint8)
        self._shape = (size, *encoder.shape) if encoder else (size, 0)
        self._loops = game_type.loops
        self.ended, self.truncated = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        self.scores, self.ranks = np.zeros((size, box.players), np.int16), np.zeros((size, box.players), np.int16)
        self._all = np.arange(size)
        # What loops keep of each observation; `known` is 0 where it is of another game.
        self._memory = np.zeros(size, encoder.loops.memory if encoder else MEMORY)
        self._cuts = np.linspace(0, size, threads + 1).astype(np.int64).tolist()  # where the share of each thread ends
        self._actions = np.zeros(size, np.int64)
        self._task, self._draw = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._draw_seeds, self._drawn = np.zeros(size, np.uint64), np.zeros(size, np.int64)

    @property
    def observations(self) -> np.ndarray:
        """The observations of seats to move, [B, N] or [B, T, D]; read-only: the next step writes only what changed."""
        return np.asarray(self._written.reshape(self._shape).data.toreadonly())

    def deal(self, seed: int | None = None) -> None:
        """Deal all games from a seed; the first one is that of `Game(seed=seed)`."""
        self.deal_from(game_seeds(check_seed(seed), self.size))

    def deal_from(self, seeds: np.ndarray) -> None:
        """Deal each game from a seed of its own: uint64 [B]."""
        self._seeds = seeds
        self.share(self._loops.deal, self.games, seeds, self._legal, self.masks, self.seats)
        self._memory["known"] = 0

    def observe(self) -> np.ndarray:
        """Write what every seat to move sees; the observations."""
        return self.observe_as(self.seats)

    def play(self, tables: np.ndarray, actions: np.ndarray) -> None:
        """Play actions[table], int64 [B], at these tables, int64 [T]; games that end do not restart."""
        self._loops.play(self.box.record, self.games, tables, actions, self._legal, self.masks, self.seats)

    def end(self) -> np.ndarray:
        """Note the scores and ranks of all games that are over; their tables, int64 [T]."""
        self._loops.end(self.box.record, self.games, self.ended, self.truncated, self.scores, self.ranks)
        return np.flatnonzero(self.ended)

    def deal_anew(self, tables: np.ndarray) -> None:
        """Deal the next game at these tables, int64 [T]."""
        self._loops.deal_anew(self.box.record, self.games, tables, self._legal, self.masks, self.seats)
        self._memory["known"][tables] = 0

    def observe_as(self, seats: np.ndarray) -> np.ndarray:
        """Write what these seats, int8 [B], see; returns the observations."""
        self.share(self.encoder.loops.observe, self.games, seats, self._memory, self._written)
        return self.observations

    @cached_property
    def state_encoder(self) -> Any:
        """The encoder of the global state: `state_encoder.views(states)` names its pieces."""
        return self.game_type.state_encoder(self.box)

    def states(self) -> np.ndarray:
        """Returns the global states [B, M] in a new array: for centralised critics in training, never for a policy."""
        encoder = self.state_encoder
        states, seats = np.empty((self.size, encoder.size), encoder.dtype), np.zeros(self.size, np.int8)
        self.share(encoder.loops.observe, self.games, seats, np.zeros(self.size, encoder.loops.memory), states)
        return states

    def observe_at(self, tables: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
        """Write what seats, int8 [B], see at these tables, int64 [T], into out, whose memory is that of [B, N]."""
        for table in tables.tolist():
            self.encoder.write(self.box.record, self.games, table, int(seats[table]), out[table].reshape(-1))

    def step(self, actions: np.ndarray) -> None:
        """Play an action, int64 [B], in every game; games that end restart. Raises IllegalMoveError.

        `ended` tells which ended; their scores and ranks are of the end, everything else of the new game.
        """
        if self.encoder is None:
            raise SettingError("a batch without an encoder does not step: name one of the game's encodings")
        self.check(actions)
        self.step_legal(actions)

    def step_legal(self, actions: np.ndarray) -> None:
        """The same for actions that were checked."""
        self._actions[:] = actions
        self._task[0] = STEP
        self._work()

    @cached_property
    def _work(self) -> RepeatedLoop:
        """Steps all games or draws for them, as `_task` says."""
        drawing = (self._task, self._draw_seeds, self._draw, self._drawn)
        played = (self.games, self._actions, self._legal, self.masks, self.seats)
        ends = (self.ended, self.truncated, self.scores, self.ranks)
        arrays = (*drawing, self.box.record, *played, *ends, self._memory, self._written)
        return RepeatedLoop(self.encoder.loops.work, arrays, self._cuts)

    def check(self, actions: np.ndarray, tables: np.ndarray | None = None) -> None:
        """Raises IllegalMoveError for the first action, int64 [B], that is not legal at these tables, or at any."""
        if actions.shape != (self.size,):
            raise IllegalMoveError(f"expected {self.size} actions, one for each game, not shape {actions.shape}")
        table = first_illegal(actions, self._all if tables is None else tables, self._legal)
        if table != LEGAL:
            action = int(actions[table])
            known = 0 <= action < self._legal.shape[1]
            word = self.game_type.words(self.box.layout)[action] if known else "not a move on this table"
            raise IllegalMoveError(f"game {table}: action {action} ({word}) is not legal now: see the action mask")

    def view(self, tables: np.ndarray) -> BatchView:
        """The view of the seats to move at these tables, int64 [T]."""
        return BatchView(self.game_type, self.box, self.games, tables, self._agents_masks, self._legal)

    @cached_property
    def _agents_masks(self) -> np.ndarray:
        """The masks that views show: what agents write there reaches no learner."""
        return np.zeros_like(self._legal)

    def play_out(self, seed: int) -> int:
        """Play all games to their ends by uniformly random moves; the number of decisions."""
        decisions = np.zeros(self.size, np.int64)
        self.share(self._loops.play_out, self.games, game_seeds(seed, self.size), self._legal, decisions)
        self.seats[:] = NOBODY
        return int(decisions.sum())

    def sample(self, seeds: np.ndarray, draw: int, actions: np.ndarray) -> None:
        """Draw a uniformly random legal action for each game, actions int64 [B]: draw number `draw` of its seed."""
        if self.encoder is None:
            self.share(sample, self.games, seeds, draw, self._legal, actions)
            return
        self._task[0], self._draw[0], self._draw_seeds[:] = SAMPLE, draw, seeds
        self._work()
        actions[:] = self._drawn

    def share(self, loop: Callable[..., None], *arrays: object) -> None:
        """Run a loop over all games, a part of them in each thread."""
        in_parts(partial(loop, self.box.record, *arrays), self._cuts)


class SeesGames:
    """The base of environments of many games: their global states."""

    def _set_up(
        self, game_type: GameType, settings: Any, num_envs: int, encoding: str, paid: RewardSettings, threads: int
    ) -> Any:
        """Everything that does not depend on who plays; the box. Raises SettingError."""
        box = game_type.box(settings)
        size = whole_number("num_envs", num_envs, 1, MOST_ENVS)
        threads = whole_number("threads", threads, 1, MOST_THREADS)
        self.batch = GameBatch(game_type, box, game_type.make_encoder(box, encoding), size, threads)
        self.num_envs, self.encoder = size, self.batch.encoder
        self._reward = make_reward(paid.reward)
        self._shaping = make_shaping(game_type, box, size, paid.potential, paid.discount)
        self._guard = StepGuard()
        return box

    def _rewards_at(self, tables: np.ndarray) -> list[list[float]]:
        """The rewards by seat of each of the games that ended at tables, int64 [T]."""
        return list(map(self._reward, self.batch.scores[tables].tolist(), self.batch.ranks[tables].tolist()))

    @cached_property
    def single_state_space(self) -> spaces.Box:
        """The space of the global state of one game."""
        return vector_space(self.batch.state_encoder)

    def states(self) -> np.ndarray:
        """Returns the global states [B, M]: for centralised critics in training, never for a policy.

        `batch.state_encoder.views(states)` names the pieces. Raises ResetNeeded.
        """
        self._guard.check_dealt()
        return self.batch.states()


def as_ids(actions: object) -> np.ndarray:
    """Whole numbers as ids of moves, int64 [B]. Raises IllegalMoveError for anything else, truth values too."""
    try:
        numbers = np.asarray(actions)
    except ValueError:  # rows of several lengths
        numbers = np.zeros(0)
    if not np.issubdtype(numbers.dtype, np.integer):
        raise IllegalMoveError(f"expected a whole number for each game, the id of a move, not {shown(actions)}")
    return numbers.astype(np.int64)


class Sampler:
    """Uniformly random legal actions for a batch: every game has its own random numbers."""

    def __init__(self, size: int, seed: int = 0) -> None:
        self.actions = np.zeros(size, np.int64)
        self._seeds, self._draws = game_seeds(seed, size), 0

    def sample(self, batch: GameBatch) -> np.ndarray:
        """An action for each game, int64 [B]; the array keeps its memory."""
        self._draws += 1
        batch.sample(self._seeds, self._draws, self.actions)
        return self.actions
